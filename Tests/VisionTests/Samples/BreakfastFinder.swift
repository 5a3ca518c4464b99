// Finds breakfast in live video, as written for Apple's framework: a detector from a compiled model, its boxes in the
// pixels of the camera's image.

import Vision

final class BreakfastFinder {
    struct Found: Equatable {
        var name: String
        var confidence: VNConfidence
        var bounds: CGRect
    }

    private var requests = [VNRequest]()
    private let bufferSize: CGSize
    private(set) var found: [Found] = []
    private(set) var allLabels: [[String]] = []

    init(bufferSize: CGSize) { self.bufferSize = bufferSize }

    @discardableResult
    func setupVision(modelURL: URL) -> NSError? {
        let error: NSError! = nil
        do {
            let visionModel = try VNCoreMLModel(for: MLModel(contentsOf: modelURL))
            let objectRecognition = VNCoreMLRequest(
                model: visionModel,
                completionHandler: { (request, error) in
                    if let results = request.results {
                        self.drawVisionRequestResults(results)
                    }
                })
            self.requests = [objectRecognition]
        } catch let error as NSError {
            print("Model loading went wrong: \(error)")
            return error
        }
        return error
    }

    private func drawVisionRequestResults(_ results: [Any]) {
        found = []
        allLabels = []
        for observation in results where observation is VNRecognizedObjectObservation {
            guard let objectObservation = observation as? VNRecognizedObjectObservation else {
                continue
            }
            // The label with the highest confidence comes first.
            let topLabelObservation = objectObservation.labels[0]
            let objectBounds = VNImageRectForNormalizedRect(
                objectObservation.boundingBox, Int(bufferSize.width), Int(bufferSize.height))
            found.append(
                Found(
                    name: topLabelObservation.identifier, confidence: topLabelObservation.confidence,
                    bounds: objectBounds))
            allLabels.append(objectObservation.labels.map { $0.identifier })
        }
    }

    func captureOutput(_ pixelBuffer: CVPixelBuffer, exifOrientation: CGImagePropertyOrientation) {
        let imageRequestHandler = VNImageRequestHandler(
            cvPixelBuffer: pixelBuffer, orientation: exifOrientation, options: [:])
        do {
            try imageRequestHandler.perform(self.requests)
        } catch {
            print(error)
        }
    }
}
