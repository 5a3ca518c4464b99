import Foundation
import VisionImage

/// Image files in memory to pixels.
enum Decode {
    static var benchmarks: [Benchmark] {
        [
            decode("jpeg", .rgb8, 1920, 1080),
            decode("jpeg", .bgra8, 1920, 1080),
            decode("jpeg", .grey8, 1920, 1080),
            decode("jpeg", .rgb8, 1920, 1080, minimumWidth: 960),
            decode("jpeg", .rgb8, 1920, 1080, minimumWidth: 224),
            decode("jpeg", .rgb8, 4000, 3000),
            decode("jpeg", .rgb8, 4000, 3000, minimumWidth: 512),
            decode("jpeg", .rgb8, 4000, 3000, minimumWidth: 224),
            decode("png", .rgb8, 1920, 1080),
            decode("png", .grey8, 1920, 1080),
            Benchmark(name: "encode/jpeg-rgb8/1920x1080") { inputs in
                let raster = try inputs.image(1920, 1080).raster(.rgb8)
                return .init { keep(try raster.encodedJPEG(quality: 0.9)) }
            },
        ]
    }

    /// `minimumWidth` lets the decoder decode at a half, a quarter or an eighth of the size.
    private static func decode(
        _ kind: String, _ format: Raster.Format, _ width: Int, _ height: Int, minimumWidth: Int? = nil
    ) -> Benchmark {
        let scaled = minimumWidth.map { "-to-\($0)" } ?? ""
        return Benchmark(name: "decode/\(kind)-\(format)/\(width)x\(height)\(scaled)") { inputs in
            let raster = try inputs.image(width, height).raster(.rgb8)
            let data = kind == "jpeg" ? try raster.encodedJPEG(quality: 0.9) : try raster.encodedPNG()
            return .init(counters: { ["bits a pixel": Double(data.count * 8) / Double(width * height)] }) {
                keep(try EncodedImage(data: data).decode(to: format, minimumWidth: minimumWidth))
            }
        }
    }

    static var cases: [ServedCase] {
        [
            ServedCase(name: "decode") { file, parameters in
                let data = try Data(contentsOf: URL(fileURLWithPath: file))
                let longest = parameters["longest"].flatMap(Int.init)
                return {
                    let image = try EncodedImage(data: data)
                    let wide = image.width >= image.height
                    let raster = try image.decode(
                        to: .rgb8, minimumWidth: wide ? longest : nil, minimumHeight: wide ? nil : longest)
                    return [Double(raster.width), Double(raster.height)]
                }
            }
        ]
    }
}
