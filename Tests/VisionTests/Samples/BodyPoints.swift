// The joints of a person in pixels, as written for Apple's framework.
import Foundation
import Vision

final class BodyPoints {
    private(set) var imagePoints: [CGPoint] = []
    private let imageSize: CGSize

    init(imageSize: CGSize) { self.imageSize = imageSize }

    func find(in cgImage: CGImage) {
        let requestHandler = VNImageRequestHandler(cgImage: cgImage)
        let request = VNDetectHumanBodyPoseRequest(completionHandler: bodyPoseHandler)
        do {
            try requestHandler.perform([request])
        } catch {
            print("Unable to perform the request: \(error).")
        }
    }

    private func bodyPoseHandler(request: VNRequest, error: Error?) {
        guard let observations = request.results as? [VNHumanBodyPoseObservation] else {
            return
        }
        observations.forEach { processObservation($0) }
    }

    private func processObservation(_ observation: VNHumanBodyPoseObservation) {
        guard let recognizedPoints = try? observation.recognizedPoints(.torso) else { return }
        let torsoJointNames: [VNHumanBodyPoseObservation.JointName] = [
            .neck, .rightShoulder, .rightHip, .root, .leftHip, .leftShoulder,
        ]
        imagePoints = torsoJointNames.compactMap {
            guard let point = recognizedPoints[$0], point.confidence > 0 else { return nil }
            return VNImagePointForNormalizedPoint(point.location, Int(imageSize.width), Int(imageSize.height))
        }
    }
}
