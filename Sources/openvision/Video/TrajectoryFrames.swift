import Foundation
import Vision
import VisionRecords
import VisionVideo

/// Finds objects that fly along parabolas through a video.
final class TrajectoryFrames: FrameAnalyser {
    struct Trajectory {
        /// From 1, in the order in which the trajectories were first seen.
        let number: Int
        let observation: VNTrajectoryObservation
        let format: VideoFormat

        /// Converts a normalised point of Vision to pixels from the top left.
        func pixel(_ point: VNPoint) -> CGPoint {
            CGPoint(x: point.x * Double(format.width), y: (1 - point.y) * Double(format.height))
        }

        /// a, b and c of the parabola in pixels from the top left.
        var coefficients: [Double] {
            let (width, height) = (Double(format.width), Double(format.height))
            let (a, b, c) = (
                Double(observation.equationCoefficients.x), Double(observation.equationCoefficients.y),
                Double(observation.equationCoefficients.z)
            )
            return [-a * height / (width * width), -b * height / width, (1 - c) * height]
        }

        /// In pixels.
        var radius: Double { Double(observation.movingAverageRadius) * Double(max(format.width, format.height)) }
    }

    static let header = "trajectory,x,y,radius,confidence"

    private struct Path {
        var first: Int
        var last: Int
        var points: [CGPoint] = []
        var confidence: Float = 0
    }

    private let minConfidence: Float
    private let request: VNDetectTrajectoriesRequest
    private var numbers: [UUID: Int] = [:]
    private var paths: [Path] = []
    private var frame = 0

    /// - Parameters:
    ///   - radii: The least and the greatest radius of an object, relative to the longer side of the frame.
    ///   - minConfidence: Observations with a lower confidence are left out.
    init(length: Int, radii: ClosedRange<Float>, minConfidence: Float = 0) {
        self.minConfidence = minConfidence
        request = VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: length)
        request.objectMinimumNormalizedRadius = radii.lowerBound
        request.objectMaximumNormalizedRadius = radii.upperBound
    }

    func analyse(_ frame: CMSampleBuffer, _ format: VideoFormat, number: Int) throws -> [Trajectory] {
        try VNImageRequestHandler(cmSampleBuffer: frame).perform([request])
        self.frame = number
        return (request.results ?? []).filter { $0.confidence >= minConfidence }.map { observation in
            let own = numbers[observation.uuid] ?? paths.count + 1
            let found = Trajectory(number: own, observation: observation, format: format)
            if own > paths.count {
                numbers[observation.uuid] = own
                paths.append(Path(first: number, last: number))
            }
            paths[own - 1].last = number
            paths[own - 1].points = observation.detectedPoints.map(found.pixel)
            paths[own - 1].confidence = observation.confidence
            return found
        }
    }

    func results(_ found: [Trajectory]) -> [TrajectoryResult] {
        func point(_ point: CGPoint) -> PixelPoint { PixelPoint(x: Double(point.x), y: Double(point.y)) }
        return found.map { one in
            TrajectoryResult(
                trajectory: one.number, confidence: Decimals.rounded(Double(one.observation.confidence), 4),
                points: one.observation.detectedPoints.map { point(one.pixel($0)) },
                projected: one.observation.projectedPoints.map { point(one.pixel($0)) },
                coefficients: one.coefficients, radius: Decimals.rounded(one.radius, 2))
        }
    }

    func rows(_ found: [Trajectory]) -> [String] {
        found.compactMap { one in
            guard let last = one.observation.detectedPoints.last.map(one.pixel) else { return nil }
            let numbers = [
                Decimals.text(Double(last.x), 2), Decimals.text(Double(last.y), 2), Decimals.text(one.radius, 2),
                Decimals.text(Double(one.observation.confidence), 4),
            ]
            return (["\(one.number)"] + numbers).joined(separator: ",")
        }
    }

    func line(_ found: [Trajectory]) -> String? { nil }

    /// Draws the trajectories so far: those that have ended are fainter.
    func draw(_ found: [Trajectory], on canvas: Canvas) {
        let scale = DrawingScale(canvas)
        for (index, path) in paths.enumerated() {
            let isOver = path.last < frame
            canvas.stroke(
                path.points, width: scale.line, .forTarget(index), opacity: isOver ? 0.35 : 1,
                halo: isOver ? 0 : scale.halo)
            for point in path.points {
                canvas.dot(point, radius: scale.line, .forTarget(index), opacity: isOver ? 0.35 : 1)
            }
        }
        LabelLayout.draw(
            found.compactMap { one in
                guard let last = one.observation.detectedPoints.last.map(one.pixel) else { return nil }
                return LabelLayout.Label(
                    text: "\(one.number) \(BoxPainter.percent(one.observation.confidence))",
                    anchor: CGRect(
                        x: last.x - one.radius, y: last.y - one.radius, width: 2 * one.radius, height: 2 * one.radius),
                    colour: .forTarget(one.number - 1))
            }, size: scale.letters, on: canvas)
    }

    var summaryLines: [String] {
        guard !paths.isEmpty else { return ["no trajectory"] }
        return paths.enumerated().map { index, path in
            func text(_ point: CGPoint?) -> String {
                point.map { "\(Decimals.text(Double($0.x), 0)),\(Decimals.text(Double($0.y), 0))" } ?? "-"
            }
            return "trajectory \(index + 1): seen in frames \(path.first)–\(path.last), "
                + "\(Count.text(path.points.count, "point")) from \(text(path.points.first)) to "
                + "\(text(path.points.last)), confidence \(Decimals.text(Double(path.confidence), 2))"
        }
    }

    var trajectories: [VideoSummaryRecord.Trajectory]? {
        paths.enumerated().map { index, path in
            VideoSummaryRecord.Trajectory(
                trajectory: index + 1, first: path.first, last: path.last, points: path.points.count,
                confidence: Decimals.rounded(Double(path.confidence), 4))
        }
    }
}
