import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionModels

/// Text detection in new frames. Only photographs (--photos) have text in them.
enum Text {
    static var benchmarks: [Benchmark] {
        [(640, 480), (1920, 1080)].flatMap { width, height in
            [rectangles(width, height, characters: false), rectangles(width, height, characters: true)]
        }
    }

    private static func rectangles(_ width: Int, _ height: Int, characters: Bool) -> Benchmark {
        let what = characters ? "characters" : "lines"
        return Benchmark(name: "text/\(what)/\(width)x\(height)", unit: .frame) { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
            let request = VNDetectTextRectanglesRequest()
            request.reportCharacterBoxes = characters
            return .init(counters: { ["lines": Double(request.results?.count ?? 0)] }) {
                try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
            }
        }
    }

    static var cases: [ServedCase] {
        [
            // A photograph from its file to its text; answers how many lines were read.
            ServedCase(name: "reading") { file, parameters in
                let request = VNRecognizeTextRequest()
                request.recognitionLevel = parameters["level"] == "fast" ? .fast : .accurate
                request.automaticallyDetectsLanguage = true
                let url = URL(fileURLWithPath: file)
                return {
                    try VNImageRequestHandler(url: url).perform([request])
                    return [Double(request.results?.count ?? 0)]
                }
            },
            // A line of 640 × 48 pixels of a grey in the network of a level, in 8 bits where the processor has fast
            // products of them, from its pixels to the probabilities of its characters; the file is not read.
            ServedCase(name: "reading-line") { _, parameters in
                let network = try TextRecognitionNetwork.shared(parameters["level"] == "fast" ? .tiny : .small)
                let columns = 640
                let strip = try Raster(width: columns, height: TextRecognitionNetwork.rows, format: .rgb8) {
                    $0.initializeMemory(as: UInt8.self, repeating: 128, count: $1 * TextRecognitionNetwork.rows)
                }
                return {
                    let lattices = try network.lattices(of: [strip], columns: columns, inBytes: true, threads: 1)
                    return [Double(lattices[0].stepCount)]
                }
            },
        ]
    }
}
