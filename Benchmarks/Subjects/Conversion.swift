import Foundation
import VisionImage

/// Colour conversion, layout, orientation: whole 1080p frames, each into memory of its own.
enum Conversion {
    private static let width = 1920
    private static let height = 1080

    static var benchmarks: [Benchmark] {
        let pairs: [(Raster.Format, Raster.Format)] = [
            (.bgra8, .grey8), (.rgba8, .grey8), (.argb8, .grey8), (.rgb8, .grey8), (.bgr8, .grey8),
            (.bgra8, .rgb8), (.rgba8, .rgb8), (.argb8, .rgb8), (.bgr8, .rgb8), (.rgb8, .bgra8), (.grey8, .bgra8),
        ]
        let formats = pairs.map { from, to in
            benchmark("\(from)-to-\(to)", bytesPerPixel: from.bytesPerPixel + to.bytesPerPixel) { image in
                let source = try image.raster(.rgb8).converted(to: from)
                return { keep(try source.converted(to: to)) }
            }
        }
        let video = [Raster.Format.grey8, .rgb8, .bgra8].map { format in
            benchmark("420v-to-\(format)", bytesPerPixel: 1.5 + Double(format.bytesPerPixel)) { image in
                let buffer = try PixelBuffers.biplanar(image)
                return { keep(try Raster(buffer, as: format)) }
            }
        }
        let floats = [(Raster.Format.grey8, Raster.Format.greyFloat), (.rgb8, .planarRGBFloat)].map { from, to in
            benchmark("\(from)-to-\(to)", bytesPerPixel: from.bytesPerPixel * 5) { image in
                let source = try image.raster(from)
                return {
                    keep(try source.normalised(to: to, scale: SIMD3(repeating: 1 / 255), bias: .zero))
                }
            }
        }
        return formats + video + floats + orientations
    }

    private static var orientations: [Benchmark] {
        let all: [CGImagePropertyOrientation] = [
            .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left,
        ]
        return [Raster.Format.grey8, .rgb8, .bgra8].flatMap { format in
            all.map { orientation in
                let name = "orient/\(format)-\(orientation)/\(width)x\(height)"
                let bytes = Double(2 * format.bytesPerPixel * width * height)
                return Benchmark(name: name, bytes: bytes) { inputs in
                    let source = try inputs.image(width, height).raster(.rgb8).converted(to: format)
                    return .init { keep(try source.oriented(orientation)) }
                }
            }
        }
    }

    private static func benchmark(
        _ name: String, bytesPerPixel: Int, _ make: @escaping (RGBImage) throws -> () throws -> Void
    ) -> Benchmark {
        benchmark(name, bytesPerPixel: Double(bytesPerPixel), make)
    }

    private static func benchmark(
        _ name: String, bytesPerPixel: Double, _ make: @escaping (RGBImage) throws -> () throws -> Void
    ) -> Benchmark {
        Benchmark(
            name: "convert/\(name.lowercased())/\(width)x\(height)", bytes: bytesPerPixel * Double(width * height)
        ) { inputs in
            .init(try make(try inputs.image(width, height)))
        }
    }

    static var cases: [ServedCase] {
        [
            ServedCase(name: "grey") { file, parameters in
                let source = try RawFile(path: file).raster()
                if let output = parameters["output"] {
                    try write(try source.converted(to: .grey8), to: output)
                }
                return {
                    keep(try source.converted(to: .grey8))
                    return []
                }
            }
        ]
    }

    /// The pixels without padding, for the calling program to check.
    static func write(_ raster: Raster, to path: String) throws {
        try Data(raster.packedBytes).write(to: URL(fileURLWithPath: path))
    }
}
