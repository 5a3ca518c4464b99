import VisionImage

/// Resampling of whole frames.
enum Resize {
    static var benchmarks: [Benchmark] {
        let sizes = [(224, 224), (640, 360), (960, 540)]
        let formats: [Raster.Format] = [.rgb8, .bgra8, .grey8]
        let filters: [ResizeFilter] = [.area, .antialiasedBilinear, .bilinear]
        let reductions = filters.flatMap { filter in
            formats.flatMap { format in
                sizes.map { width, height in benchmark(filter, format, from: (1920, 1080), to: (width, height)) }
            }
        }
        let enlargement = benchmark(.bilinear, .rgb8, from: (640, 480), to: (1280, 960))
        return reductions + [enlargement, warp]
    }

    private static func benchmark(
        _ filter: ResizeFilter, _ format: Raster.Format, from source: (Int, Int), to target: (Int, Int)
    ) -> Benchmark {
        let name = "resize/\(filter)-\(format)/\(source.0)x\(source.1)-to-\(target.0)x\(target.1)".lowercased()
        // What an antialiasing filter has to read and write; plain bilinear reads less when it reduces.
        let pixels = source.0 * source.1 + target.0 * target.1
        let bytes = filter == .bilinear ? nil : Double(pixels * format.bytesPerPixel)
        return Benchmark(name: name, bytes: bytes) { inputs in
            let raster = try inputs.image(source.0, source.1).raster(format)
            let region = PixelRegion(width: source.0, height: source.1)
            return .init {
                keep(try raster.resized(width: target.0, height: target.1, filter: filter, region: region))
            }
        }
    }

    /// A rotation by about three degrees.
    private static var warp: Benchmark {
        Benchmark(name: "warp/affine-grey8/1920x1080") { inputs in
            let raster = try inputs.image(1920, 1080).raster(.grey8)
            let transform = CGAffineTransform(a: 0.98, b: -0.05, c: 0.05, d: 0.98, tx: 10, ty: 20)
            return .init { keep(try raster.warped(by: transform, width: 1920, height: 1080, border: .black)) }
        }
    }

    static var cases: [ServedCase] {
        [
            ServedCase(name: "resize-area") { file, parameters in
                let source = try RawFile(path: file).raster()
                guard let width = parameters["width"].flatMap({ Int($0) }),
                    let height = parameters["height"].flatMap({ Int($0) })
                else { throw ServedCase.Unknown(description: "resize-area needs width and height") }
                let region = PixelRegion(width: source.width, height: source.height)
                let resize = { try source.resized(width: width, height: height, filter: .area, region: region) }
                if let output = parameters["output"] { try Conversion.write(try resize(), to: output) }
                return {
                    keep(try resize())
                    return []
                }
            }
        ]
    }
}
