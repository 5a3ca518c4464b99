// The flow of the 2018 session that waits until the camera is held still, as written for Apple's framework.

import Vision

/// Watches the frames of a camera and reports when the last fifteen of them hardly moved.
final class SceneStabilityWatcher {
    private let sequenceRequestHandler = VNSequenceRequestHandler()
    private let maximumHistoryLength = 15
    private var transpositionHistoryPoints: [CGPoint] = []
    private var previousPixelBuffer: CVPixelBuffer?

    private(set) var lastTransposition = CGPoint.zero

    func captured(_ pixelBuffer: CVPixelBuffer) -> Bool {
        guard let previous = previousPixelBuffer else {
            previousPixelBuffer = pixelBuffer
            resetTranspositionHistory()
            return false
        }

        let registrationRequest = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: pixelBuffer)
        do {
            try sequenceRequestHandler.perform([registrationRequest], on: previous)
        } catch let error as NSError {
            print("Registration failed: \(error.localizedDescription)")
            return false
        }
        previousPixelBuffer = pixelBuffer

        if let results = registrationRequest.results {
            if let alignmentObservation = results.first as? VNImageTranslationAlignmentObservation {
                let alignmentTransform = alignmentObservation.alignmentTransform
                recordTransposition(CGPoint(x: alignmentTransform.tx, y: alignmentTransform.ty))
            }
        }
        return sceneStabilityAchieved()
    }

    func resetTranspositionHistory() {
        transpositionHistoryPoints.removeAll()
    }

    private func recordTransposition(_ point: CGPoint) {
        lastTransposition = point
        transpositionHistoryPoints.append(point)
        if transpositionHistoryPoints.count > maximumHistoryLength {
            transpositionHistoryPoints.removeFirst()
        }
    }

    private func sceneStabilityAchieved() -> Bool {
        guard transpositionHistoryPoints.count == maximumHistoryLength else { return false }
        var movement = CGPoint.zero
        for point in transpositionHistoryPoints {
            movement.x += point.x
            movement.y += point.y
        }
        return abs(movement.x) + abs(movement.y) < 20
    }
}
