// The trajectories of thrown balls in live video, as written for Apple's framework.
import Foundation
import Vision

final class BallTrajectories {
    private lazy var detectTrajectoryRequest = VNDetectTrajectoriesRequest(
        frameAnalysisSpacing: .zero, trajectoryLength: 5, completionHandler: completionHandler)
    private let trajectoryQueue = DispatchQueue(label: "com.example.trajectory", qos: .userInteractive)
    private(set) var trajectories: [UUID: [CGPoint]] = [:]
    private(set) var lastCoefficients: simd_float3?

    init(smallestBall: Float, largestBall: Float) {
        detectTrajectoryRequest.objectMinimumNormalizedRadius = smallestBall
        detectTrajectoryRequest.objectMaximumNormalizedRadius = largestBall
    }

    func captureOutput(_ sampleBuffer: CMSampleBuffer) {
        trajectoryQueue.sync {
            let visionHandler = VNImageRequestHandler(cmSampleBuffer: sampleBuffer, orientation: .up, options: [:])
            do {
                try visionHandler.perform([detectTrajectoryRequest])
            } catch {
                print("Unable to perform the request: \(error).")
            }
        }
    }

    private func completionHandler(request: VNRequest, error: Error?) {
        guard error == nil, let observations = request.results as? [VNTrajectoryObservation] else { return }
        for trajectory in observations where trajectory.confidence > 0.5 {
            trajectories[trajectory.uuid] = trajectory.detectedPoints.map { CGPoint(x: $0.x, y: 1 - $0.y) }
            lastCoefficients = trajectory.equationCoefficients
        }
    }
}
