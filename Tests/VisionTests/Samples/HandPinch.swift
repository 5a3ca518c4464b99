// Tells a pinch of thumb and index finger, as written for Apple's framework.
import Foundation
import Vision

final class HandPinch {
    enum State { case possible, pinched, apart, unknown }

    private let handPoseRequest = VNDetectHumanHandPoseRequest()
    private(set) var state = State.unknown

    init() {
        handPoseRequest.maximumHandCount = 1
    }

    func captureOutput(_ sampleBuffer: CMSampleBuffer) {
        var thumbTip: CGPoint?
        var indexTip: CGPoint?
        let handler = VNImageRequestHandler(cmSampleBuffer: sampleBuffer, orientation: .up, options: [:])
        do {
            try handler.perform([handPoseRequest])
            guard let observation = handPoseRequest.results?.first else {
                state = .unknown
                return
            }
            let thumbPoints = try observation.recognizedPoints(.thumb)
            let indexFingerPoints = try observation.recognizedPoints(.indexFinger)
            guard let thumbTipPoint = thumbPoints[.thumbTip], let indexTipPoint = indexFingerPoints[.indexTip] else {
                return
            }
            guard thumbTipPoint.confidence > 0.3 && indexTipPoint.confidence > 0.3 else {
                return
            }
            thumbTip = CGPoint(x: thumbTipPoint.location.x, y: 1 - thumbTipPoint.location.y)
            indexTip = CGPoint(x: indexTipPoint.location.x, y: 1 - indexTipPoint.location.y)
        } catch {
            state = .unknown
            return
        }
        if let thumbTip, let indexTip {
            let distance = hypot(thumbTip.x - indexTip.x, thumbTip.y - indexTip.y)
            state = distance < 0.05 ? .pinched : .apart
        }
    }
}
