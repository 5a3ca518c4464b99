import Foundation
import Vision
import VisionRecords

/// The joints of people.
struct PoseAnalysis: NamedAnalysis {
    private let least: Float

    init(_ options: inout AnalysisOptions) throws { least = try options.share("minConfidence", default: 0) }

    func makeRequests() -> [VNRequest] { [VNDetectHumanBodyPoseRequest()] }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [PoseResult] {
        let people = (requests.first?.results ?? []).compactMap { $0 as? VNHumanBodyPoseObservation }
        return try people.filter { $0.confidence >= least }.map { person in
            PoseResult(
                confidence: person.confidence.record,
                joints: image.coordinates.joints(
                    try person.recognizedPoints(.all), VNHumanBodyPoseObservation.JointName.names))
        }
    }
}

/// The joints of hands.
struct HandAnalysis: NamedAnalysis {
    private let maximumCount: Int
    private let least: Float

    init(_ options: inout AnalysisOptions) throws {
        maximumCount = try options.integer("maximumCount", in: 1...100, default: 2)
        least = try options.share("minConfidence", default: 0)
    }

    func makeRequests() -> [VNRequest] {
        let request = VNDetectHumanHandPoseRequest()
        request.maximumHandCount = maximumCount
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [HandResult] {
        let hands = (requests.first?.results ?? []).compactMap { $0 as? VNHumanHandPoseObservation }
        return try hands.filter { $0.confidence >= least }.map { hand in
            HandResult(
                confidence: hand.confidence.record,
                chirality: [VNChirality.left: "left", .right: "right"][hand.chirality],
                joints: image.coordinates.joints(
                    try hand.recognizedPoints(.all), VNHumanHandPoseObservation.JointName.names))
        }
    }
}
