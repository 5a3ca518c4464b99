import Foundation
import Vision
import VisionAlgorithms
import VisionImage

/// Reading barcodes: frames with a code and frames without one, where every view of the image is searched.
enum Barcodes {
    static var benchmarks: [Benchmark] {
        [(640, 480), (1920, 1080)].flatMap { width, height in
            [
                frame("ean13", width, height, hasCode: true, [.ean13]),
                frame("all-with-code", width, height, hasCode: true, nil),
                frame("all-without-code", width, height, hasCode: false, nil),
                library(width, height),
            ]
        } + [besideClassification]
    }

    private static func buffer(_ inputs: Inputs, _ width: Int, _ height: Int, hasCode: Bool) throws -> CVPixelBuffer {
        var image = try inputs.image(width, height)
        if hasCode {
            EAN13([5, 9, 0, 1, 2, 3, 4, 1, 2, 3, 4, 5]).draw(in: &image, moduleWidth: width / 320)
        }
        return try PixelBuffers.bgra(image)
    }

    private static func frame(
        _ name: String, _ width: Int, _ height: Int, hasCode: Bool, _ symbologies: [VNBarcodeSymbology]?
    ) -> Benchmark {
        Benchmark(name: "barcodes/\(name)/\(width)x\(height)", unit: .frame) { inputs in
            let buffer = try buffer(inputs, width, height, hasCode: hasCode)
            let request = VNDetectBarcodesRequest()
            request.revision = VNDetectBarcodesRequestRevision4
            if let symbologies { request.symbologies = symbologies }
            return .init(counters: { ["codes": Double(request.results?.count ?? -1)] }) {
                try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
            }
        }
    }

    /// The time of the library alone for the frame without a code, in grey. (Never for one with a linear barcode:
    /// see `BarcodeReader.Options.mostCodes`.)
    private static func library(_ width: Int, _ height: Int) -> Benchmark {
        Benchmark(name: "barcodes/zxing-alone-without-code/\(width)x\(height)", unit: .frame) { inputs in
            let source = ImageSource(pixelBuffer: try buffer(inputs, width, height, hasCode: false))
            let grey = try source.fullSizeGrey()
            return .init { _ = try BarcodeReader.libraryCodes(in: grey, formats: .all) }
        }
    }

    /// Alternating: a barcode and the classification of the image, in one perform and in two handlers.
    private static var besideClassification: Benchmark {
        Benchmark(name: "barcodes/beside-classify-in-turns/1920x1080", unit: .frame) { inputs in
            let image = try inputs.image(1920, 1080)
            var withCode = image
            EAN13([5, 9, 0, 1, 2, 3, 4, 1, 2, 3, 4, 5]).draw(in: &withCode, moduleWidth: 4)
            let data = try withCode.raster(.rgb8).encodedJPEG(quality: 0.9)
            let (barcodes, classes) = (VNDetectBarcodesRequest(), VNClassifyImageRequest())
            var (together, apart): ([Double], [Double]) = ([], [])
            return .init(counters: {
                guard let apart = median(apart), let together = median(together) else { return [:] }
                return ["one perform / two handlers": together / apart]
            }) {
                var start = nanoseconds()
                try VNImageRequestHandler(data: data).perform([barcodes, classes])
                together.append(Double(nanoseconds() - start))
                start = nanoseconds()
                try VNImageRequestHandler(data: data).perform([barcodes])
                try VNImageRequestHandler(data: data).perform([classes])
                apart.append(Double(nanoseconds() - start))
            }
        }
    }

    private static func median(_ times: [Double]) -> Double? {
        times.isEmpty ? nil : percentile(0.5, ofSorted: times.sorted())
    }
}
