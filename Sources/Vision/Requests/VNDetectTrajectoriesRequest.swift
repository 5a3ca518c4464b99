import Foundation
import VisionAlgorithms
public import VisionImage

/// Moving regions, linked by constant acceleration.
public let VNDetectTrajectoriesRequestRevision1: Int = 1

/// Detects objects that fly along parabolas in a video, such as balls; several at once.
///
/// The camera should be fixed; that it shakes by some pixels is compensated for. Objects are regions that differ from
/// the median of the last eleven frames: one is seen where it covers a pixel in fewer than half of them. A trajectory
/// is reported once it has `trajectoryLength` points, then in every frame in which the object is seen, with the same
/// `uuid`. It ends where the object leaves the parabola, for example where it bounces, or is not seen in four frames.
///
/// Frames are analysed with at most 960 pixels along the longer side. They must come in the order of their times; one
/// that is not later than the last begins anew, as does one of another size or scene. Frames without times count as
/// evenly spaced.
open class VNDetectTrajectoriesRequest: VNStatefulRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNTrajectoryObservation

    /// The number of points that make a trajectory, at least 5.
    public let trajectoryLength: Int
    /// The least radius of an object, relative to the longer side of the region of interest, 0 … 1; 0 by default.
    /// Objects of fewer than three pixels are not seen.
    open var objectMinimumNormalizedRadius: Float = 0
    /// The greatest radius of an object, relative to the longer side of the region of interest, 0 … 1; 1 by default.
    open var objectMaximumNormalizedRadius: Float = 1
    /// The time in which a frame should be processed; indefinite by default. Accepted; has no effect.
    open var targetFrameTime: CMTime = .indefinite

    /// The number of points that make a trajectory.
    open override var minimumLatencyFrameCount: Int { max(trajectoryLength, Self.leastLength) }

    private static let leastLength = 5
    /// The longer side of analysed frames, in pixels.
    private static let side = 960.0

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed; zero for all.
    ///   - trajectoryLength: The number of points that make a trajectory, from 5 to 600. Else the perform fails with
    ///     `invalidArgument`.
    ///   - completionHandler: Called when the request is done, before `perform` returns.
    public init(
        frameAnalysisSpacing: CMTime, trajectoryLength: Int, completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.trajectoryLength = trajectoryLength
        memory = RequestMemory(State(finder: TrajectoryFinder(length: max(trajectoryLength, Self.leastLength))))
        super.init(frameAnalysisSpacing: frameAnalysisSpacing, completionHandler: completionHandler)
    }

    fileprivate struct State: Sendable {
        var finder: TrajectoryFinder
        /// The number of frames so far, and the time of the last one in units of a frame.
        var frames = 0
        var time = -Double.infinity
        var region: PixelRegion?
    }
    private var memory: RequestMemory<State>

    override func shareMemory(of other: VNStatefulRequest) {
        if let other = other as? VNDetectTrajectoriesRequest { memory = other.memory }
    }

    override class var revisionTable: RevisionTable { .detectTrajectories }

    override func makeCopy() -> VNRequest {
        VNDetectTrajectoriesRequest(
            frameAnalysisSpacing: frameAnalysisSpacing, trajectoryLength: trajectoryLength,
            completionHandler: completionHandler)
    }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNDetectTrajectoriesRequest else { return }
        copy.objectMinimumNormalizedRadius = objectMinimumNormalizedRadius
        copy.objectMaximumNormalizedRadius = objectMaximumNormalizedRadius
        copy.targetFrameTime = targetFrameTime
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, spacing) = (try checkedRegionOfInterest(), revision, frameAnalysisSpacing)
        let lengths = Self.leastLength...TrajectoryFinder.greatestLength
        guard lengths.contains(trajectoryLength) else {
            throw visionError(
                .invalidArgument,
                "trajectoryLength is \(trajectoryLength); it must be from \(lengths.lowerBound) to "
                    + "\(lengths.upperBound)."
            )
        }
        let (least, most) = (objectMinimumNormalizedRadius, objectMaximumNormalizedRadius)
        guard least >= 0, most <= 1, least <= most else {
            throw visionError(
                .invalidArgument,
                "objectMinimumNormalizedRadius is \(least) and objectMaximumNormalizedRadius \(most); they must be "
                    + "from 0 to 1, the first one not above the second.")
        }
        let length = trajectoryLength
        return RequestJob(queue: SerialQueue(of: memory)) { [memory] context in
            let part = region.wholePixels(in: try context.image.uprightImageSize())
            let scale = min(1, Self.side / max(part.width, part.height))
            func side(_ length: Double) -> Int { max(1, Int((length * scale).rounded())) }
            let frame = try context.image.derivative(
                Derivative(region: part, width: side(part.width), height: side(part.height), format: .grey8))
            try context.cancellation.check()
            let longer = Double(max(frame.width, frame.height))
            let radii = Double(least) * longer...Double(most) * longer
            let found = try memory.analyse(at: context.time, spacing: spacing) { state in
                try state.add(frame, of: part, at: context.time, radii: radii, length: length)
            }
            return (found ?? []).map { trajectory in
                VNTrajectoryObservation(
                    trajectory, width: frame.width, height: frame.height, requestRevision: revision,
                    timeRange: Self.timeRange(of: trajectory, endingWith: context.time))
            }
        }
    }

    /// Frames a second that make the unit of time.
    fileprivate static let unitsPerSecond = 30.0

    private static func timeRange(of trajectory: Trajectory, endingWith time: FrameTime) -> CMTimeRange {
        let last = time.range
        guard time.start != nil, let first = trajectory.points.first else { return last }
        let start = CMTime(seconds: first.time / unitsPerSecond, preferredTimescale: last.start.timescale)
        return CMTimeRange(start: start, duration: last.start + last.duration - start)
    }
}

extension VNDetectTrajectoriesRequest.State {
    fileprivate mutating func add(
        _ frame: Raster, of part: PixelRegion, at frameTime: FrameTime, radii: ClosedRange<Double>, length: Int
    ) throws -> [Trajectory] {
        let start = frameTime.start
        var now = start.map { $0.seconds * VNDetectTrajectoriesRequest.unitsPerSecond } ?? Double(frames)
        if now <= time || region != part {
            finder = TrajectoryFinder(length: length)
            frames = 0
            if start == nil { now = 0 }
        }
        (time, region) = (now, part)
        frames += 1
        return try finder.add(frame, time: now, radii: radii)
    }
}
