import Foundation
import VisionImage

@testable import Vision

// snippet: algorithm
/// Sources/VisionAlgorithms: values in, values out; knows nothing of Vision.
enum BrightnessMeter {
    /// Returns the mean of the grey levels, 0 for black and 1 for white.
    static func brightness(of image: Raster) -> Double {
        image.withUnsafePixels { pixels in
            var sum = 0
            for y in 0..<image.height {
                for x in 0..<image.width {
                    sum += Int(pixels.load(fromByteOffset: y * image.rowBytes + x, as: UInt8.self))
                }
            }
            return Double(sum) / Double(255 * image.width * image.height)
        }
    }
}
// end

// snippet: request
/// Sources/Vision/Requests: says what it needs of the image, and turns values into observations.
final class MeasureBrightnessRequest: VNImageBasedRequest, VNTypedRequest {
    typealias ResultObservation = VNClassificationObservation

    override class var revisionTable: RevisionTable {
        RevisionTable(
            request: "MeasureBrightnessRequest", implemented: [1], missing: [],
            newest: [.iOS12: 1, .iOS13: 1, .latest: 1])
    }

    override func makeCopy() -> VNRequest { MeasureBrightnessRequest(completionHandler: completionHandler) }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        // What the caller may get wrong is checked here, before anything runs.
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob { context in
            // The handler's cache makes each derivative once, whoever asks for it.
            let pixels = region.wholePixels(in: try context.image.uprightImageSize())
            let grey = try context.image.derivative(
                Derivative(region: pixels, width: 64, height: 64, format: .grey8))
            return [
                VNClassificationObservation(
                    identifier: "brightness", confidence: VNConfidence(BrightnessMeter.brightness(of: grey)),
                    requestRevision: revision)
            ]
        }
    }
}
// end
