public import VisionImage

/// A request that builds up knowledge over the frames of a video: an abstract base class.
///
/// The request itself keeps what it has learnt, so use one request for all frames of a video, and another one, or a
/// copy, for the next video: a copy begins anew. The frames come in the order of their times, usually through one
/// `VNSequenceRequestHandler`, but any handler serves.
open class VNStatefulRequest: VNImageBasedRequest {
    /// The least time between two frames that are analysed; zero to analyse every frame.
    ///
    /// Times are those of the sample buffers. A frame that follows the last analysed one sooner is not analysed, and
    /// the perform gives no results (an empty array). Frames without a time are always analysed.
    public internal(set) var frameAnalysisSpacing: CMTime

    /// The number of frames that a new request needs until it can give a result, that one included; 1 by default.
    open var minimumLatencyFrameCount: Int { 1 }

    /// Creates a request without a completion handler that analyses every frame.
    public convenience init() { self.init(completionHandler: nil) }

    /// Creates a request that analyses every frame.
    ///
    /// - Parameter completionHandler: Called when the request is done, before `perform` returns.
    public override convenience init(completionHandler: VNRequestCompletionHandler?) {
        self.init(frameAnalysisSpacing: .zero, completionHandler: completionHandler)
    }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - frameAnalysisSpacing: The least time between two frames that are analysed. One that is not a number of
    ///     seconds, or negative, counts as zero.
    ///   - completionHandler: Called when the request is done, before `perform` returns.
    public init(frameAnalysisSpacing: CMTime, completionHandler: VNRequestCompletionHandler? = nil) {
        self.frameAnalysisSpacing = frameAnalysisSpacing
        super.init(completionHandler: completionHandler)
    }

    /// Lets the request go on where another one of its class is: both share what it has learnt.
    func shareMemory(of other: VNStatefulRequest) {}
}
