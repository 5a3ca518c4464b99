import Foundation
import Vision

/// Rectangle detection: a page over an image, and the image alone.
enum RectangleDetection {
    static var benchmarks: [Benchmark] {
        [(640, 480), (1920, 1080)].flatMap { width, height in
            [true, false].map { hasPage in
                let name = hasPage ? "with-page" : "without"
                return Benchmark(name: "detect-rectangles/\(name)/\(width)x\(height)", unit: .frame) { inputs in
                    var image = try inputs.image(width, height)
                    if hasPage { drawPage(on: &image) }
                    let buffer = try PixelBuffers.bgra(image)
                    let request = VNDetectRectanglesRequest()
                    request.maximumObservations = 0
                    return .init(counters: { ["rectangles": Double(request.results?.count ?? -1)] }) {
                        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
                    }
                }
            }
        }
    }

    /// The rectangles of the file's frame with the defaults but any number: four corners in pixels and the confidence
    /// of each.
    static var cases: [ServedCase] {
        [
            ServedCase(name: "detect-rectangles") { file, _ in
                let raw = try RawFile(path: file)
                let frame = try PixelBuffers.make(raw.frames[0], of: raw)
                let request = VNDetectRectanglesRequest()
                request.maximumObservations = 0
                return {
                    try VNImageRequestHandler(cvPixelBuffer: frame).perform([request])
                    return (request.results ?? []).flatMap { result -> [Double] in
                        let corners = [result.topLeft, result.topRight, result.bottomRight, result.bottomLeft]
                        return corners.flatMap {
                            [Double($0.x) * Double(raw.width), (1 - Double($0.y)) * Double(raw.height)]
                        } + [Double(result.confidence)]
                    }
                }
            }
        ]
    }

    /// A light page that leans to one side, over a third of the image's height.
    private static func drawPage(on image: inout RGBImage) {
        let (width, height) = (Double(image.width), Double(image.height))
        let corners = [(0.3, 0.25), (0.66, 0.31), (0.62, 0.8), (0.26, 0.72)].map { ($0.0 * width, $0.1 * height) }
        for y in 0..<image.height {
            for x in 0..<image.width {
                let isInside = (0..<4).allSatisfy { index in
                    let (a, b) = (corners[index], corners[(index + 1) % 4])
                    return (b.0 - a.0) * (Double(y) - a.1) - (b.1 - a.1) * (Double(x) - a.0) >= 0
                }
                guard isInside else { continue }
                for channel in 0..<3 { image.pixels[(y * image.width + x) * 3 + channel] = 225 }
            }
        }
    }
}
