import Vision
import VisionRecords
import VisionVideo

/// Finds the joints of bodies in the frames of a video, and follows them from frame to frame.
final class PoseFrames: FrameAnalyser {
    static let header = "person,confidence,joint,x,y,jointConfidence"

    private let minConfidence: Float
    private let revision: Int?
    private let handler = VNSequenceRequestHandler()
    private let legendPlace = LegendPlace()

    init(minConfidence: Float, revision: Int?) { (self.minConfidence, self.revision) = (minConfidence, revision) }

    func analyse(
        _ frame: CMSampleBuffer, _ format: VideoFormat, number: Int
    ) throws -> [PixelJoints<VNHumanBodyPoseObservation.JointName>] {
        let request = VNDetectHumanBodyPoseRequest()
        if let revision { request.revision = revision }
        try handler.perform([request], on: frame)
        return try (request.results ?? []).filter { $0.confidence >= minConfidence }.map { person in
            PixelJoints(
                try person.recognizedPoints(.all), confidence: person.confidence, width: format.width,
                height: format.height)
        }
    }

    func results(_ people: [PixelJoints<VNHumanBodyPoseObservation.JointName>]) -> [PoseResult] {
        people.map {
            PoseResult(
                confidence: Decimals.rounded(Double($0.confidence), 4),
                joints: $0.records(VNHumanBodyPoseObservation.JointName.names))
        }
    }

    func rows(_ people: [PixelJoints<VNHumanBodyPoseObservation.JointName>]) -> [String] {
        people.enumerated().flatMap { index, person in
            person.rows(VNHumanBodyPoseObservation.JointName.names, prefix: "\(index + 1)")
        }
    }

    func line(_ people: [PixelJoints<VNHumanBodyPoseObservation.JointName>]) -> String? {
        let confidences = people.map { Decimals.text(Double($0.confidence), 2) }.joined(separator: " ")
        return people.isEmpty ? "no person" : "\(Count.text(people.count, "person", "people"))  \(confidences)"
    }

    func draw(_ people: [PixelJoints<VNHumanBodyPoseObservation.JointName>], on canvas: Canvas) {
        SkeletonPainter.body.draw(people.map(\.drawn), on: canvas, legendAt: legendPlace)
    }
}

/// Finds the joints of hands in the frames of a video.
final class HandFrames: FrameAnalyser {
    typealias Hand = (chirality: String?, joints: PixelJoints<VNHumanHandPoseObservation.JointName>)

    static let header = "hand,chirality,confidence,joint,x,y,jointConfidence"

    private let maximumCount: Int
    private let minConfidence: Float
    private let revision: Int?
    private let legendPlace = LegendPlace()

    init(maximumCount: Int, minConfidence: Float, revision: Int?) {
        (self.maximumCount, self.minConfidence, self.revision) = (maximumCount, minConfidence, revision)
    }

    func analyse(_ frame: CMSampleBuffer, _ format: VideoFormat, number: Int) throws -> [Hand] {
        try PhotoHands.found(
            VNImageRequestHandler(cmSampleBuffer: frame), width: format.width, height: format.height,
            maximumCount: maximumCount, minConfidence: minConfidence, revision: revision)
    }

    func results(_ hands: [Hand]) -> [HandResult] {
        hands.map {
            HandResult(
                confidence: Decimals.rounded(Double($0.joints.confidence), 4), chirality: $0.chirality,
                joints: $0.joints.records(VNHumanHandPoseObservation.JointName.names))
        }
    }

    func rows(_ hands: [Hand]) -> [String] {
        hands.enumerated().flatMap { index, hand in
            hand.joints.rows(
                VNHumanHandPoseObservation.JointName.names, prefix: "\(index + 1),\(hand.chirality ?? "")")
        }
    }

    func line(_ hands: [Hand]) -> String? {
        let found = hands.map { "\($0.chirality ?? "unknown") \(Decimals.text(Double($0.joints.confidence), 2))" }
        return hands.isEmpty ? "no hand" : found.joined(separator: "  ")
    }

    func draw(_ hands: [Hand], on canvas: Canvas) {
        SkeletonPainter.hand.draw(hands.map(\.joints.drawn), on: canvas, legendAt: legendPlace)
    }
}

extension PixelJoints {
    /// Returns a row of a table for each joint.
    fileprivate func rows(_ names: [(joint: Joint, name: String)], prefix: String) -> [String] {
        names.compactMap { joint, name in
            values[joint].map { value in
                let numbers = [
                    Decimals.text(Double(value.point.x), 2), Decimals.text(Double(value.point.y), 2),
                    Decimals.text(Double(value.confidence), 4),
                ]
                return ([prefix, Decimals.text(Double(confidence), 4), name] + numbers).joined(separator: ",")
            }
        }
    }
}
