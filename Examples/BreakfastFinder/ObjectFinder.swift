import CoreML
import Foundation
import Vision

/// Finds objects in the frames of a live video with a detector, as Apple's sample of 2018 does: the model is loaded
/// once, and a request is performed for every frame.
///
/// Written as for Apple's Vision; the same file compiles there.
final class ObjectFinder {
    /// An object as it is drawn.
    struct Drawn: Sendable {
        /// In pixels of the frame, the origin at the lower left.
        let bounds: CGRect
        let label: String
        let confidence: VNConfidence

        /// The two lines that stand in the box.
        var text: String { String(format: "\(label)\nConfidence:  %.2f", confidence) }
    }

    private let model: VNCoreMLModel

    /// - Throws: The error of the model: it cannot be read, or is not a model of images.
    init(modelURL: URL) throws {
        model = try VNCoreMLModel(for: MLModel(contentsOf: modelURL))
    }

    /// Finds the objects of a frame.
    ///
    /// - Throws: The error of the perform.
    func objects(in frame: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up) throws -> [Drawn] {
        let request = VNCoreMLRequest(model: model)
        request.imageCropAndScaleOption = .scaleFill
        try VNImageRequestHandler(cvPixelBuffer: frame, orientation: orientation, options: [:]).perform([request])
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        let turns = [.left, .leftMirrored, .right, .rightMirrored].contains(orientation)
        let size = turns ? (width: height, height: width) : (width: width, height: height)
        return (request.results ?? []).compactMap { observation in
            // The labels are sorted: the first one has the highest confidence.
            guard let object = observation as? VNRecognizedObjectObservation, let top = object.labels.first else {
                return nil
            }
            return Drawn(
                bounds: VNImageRectForNormalizedRect(object.boundingBox, size.width, size.height),
                label: top.identifier, confidence: top.confidence)
        }
    }
}
