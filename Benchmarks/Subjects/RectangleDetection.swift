import Foundation
import Vision

/// Looking for rectangles: a page over a picture, and the picture alone.
enum RectangleDetection {
    static var benchmarks: [Benchmark] {
        [(640, 480), (1920, 1080)].flatMap { width, height in
            [true, false].map { hasPage in
                let name = hasPage ? "with-page" : "without"
                return Benchmark(name: "detect-rectangles/\(name)/\(width)x\(height)", unit: .frame) { inputs in
                    var picture = try inputs.picture(width, height)
                    if hasPage { drawPage(on: &picture) }
                    let buffer = try PixelBuffers.bgra(picture)
                    let request = VNDetectRectanglesRequest()
                    request.maximumObservations = 0
                    return .init(counters: { ["rectangles": Double(request.results?.count ?? -1)] }) {
                        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
                    }
                }
            }
        }
    }

    /// The rectangles of the file's frame with the defaults but any number: four corners in pixels and the confidence of each.
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

    /// A light page that leans to one side, over a third of the picture's height.
    private static func drawPage(on picture: inout Picture) {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let corners = [(0.3, 0.25), (0.66, 0.31), (0.62, 0.8), (0.26, 0.72)].map { ($0.0 * width, $0.1 * height) }
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let isInside = (0..<4).allSatisfy { index in
                    let (a, b) = (corners[index], corners[(index + 1) % 4])
                    return (b.0 - a.0) * (Double(y) - a.1) - (b.1 - a.1) * (Double(x) - a.0) >= 0
                }
                guard isInside else { continue }
                for channel in 0..<3 { picture.pixels[(y * picture.width + x) * 3 + channel] = 225 }
            }
        }
    }
}
