import Foundation
import VisionAlgorithms
public import VisionImage

/// A variational method from coarse to fine.
public let VNTrackOpticalFlowRequestRevision1: Int = 1

/// Finds for each pixel of the previous frame of a video where it is in this one: dense optical flow.
///
/// The request keeps the previous frame. The first one, and one of another size or with another region of interest than
/// the one before, has no result (an empty array). Results are like those of `VNGenerateOpticalFlowRequest` with the
/// previous frame as target: vectors in pixels, x to the right, y down.
open class VNTrackOpticalFlowRequest: VNStatefulRequest, VNTypedRequest {
    /// The class of the result: one observation, none for the first frame.
    public typealias ResultObservation = VNPixelBufferObservation

    /// The trade-off between time and accuracy.
    public enum ComputationAccuracy: UInt, Sendable {
        /// Refined at a quarter of the size.
        case low = 0
        /// Refined at half the size.
        case medium = 1
        /// Refined at full size.
        case high = 2
        /// As `high`, with more steps.
        case veryHigh = 3
    }

    /// The trade-off between time and accuracy; medium by default.
    open var computationAccuracy: ComputationAccuracy = .medium
    /// The pixel format of the result: `kCVPixelFormatType_TwoComponent32Float`, the default, or
    /// `kCVPixelFormatType_TwoComponent16Half`.
    open var outputPixelFormat: OSType = kCVPixelFormatType_TwoComponent32Float
    /// Whether the result has the size of a network's output. No network is used: the result always has the size of the
    /// frames.
    open var keepNetworkOutput = false

    /// Two: a result needs a previous frame.
    open override var minimumLatencyFrameCount: Int { 2 }

    private var memory = RequestMemory(PreviousFrame())

    override func shareMemory(of other: VNStatefulRequest) {
        if let other = other as? VNTrackOpticalFlowRequest { memory = other.memory }
    }

    override class var revisionTable: RevisionTable { .trackOpticalFlow }

    override func makeCopy() -> VNRequest {
        VNTrackOpticalFlowRequest(frameAnalysisSpacing: frameAnalysisSpacing, completionHandler: completionHandler)
    }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNTrackOpticalFlowRequest else { return }
        copy.computationAccuracy = computationAccuracy
        copy.outputPixelFormat = outputPixelFormat
        copy.keepNetworkOutput = keepNetworkOutput
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, spacing) = (try checkedRegionOfInterest(), revision, frameAnalysisSpacing)
        let accuracy = VNGenerateOpticalFlowRequest.ComputationAccuracy(rawValue: computationAccuracy.rawValue)
        let search = try FlowSearch((accuracy ?? .medium).level, format: outputPixelFormat)
        return RequestJob(queue: SerialQueue(of: memory)) { [memory] context in
            let size = try context.image.uprightImageSize()
            let part = region.wholePixels(in: size)
            let frame = try FlowSearch.frame(of: context.image, in: part)
            let buffer = try memory.analyse(at: context.time, spacing: spacing) { previous in
                try previous.replace(with: frame, region: part, in: size).map {
                    try search.buffer(from: $0, to: frame, region: part, in: size, context.cancellation)
                }
            }
            guard let buffer = buffer ?? nil else { return [] }
            return [
                VNPixelBufferObservation(
                    pixelBuffer: buffer, featureName: nil, requestRevision: revision, timeRange: context.timeRange)
            ]
        }
    }
}
