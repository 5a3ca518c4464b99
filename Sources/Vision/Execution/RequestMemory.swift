import VisionImage
import VisionThreads

/// What a stateful request keeps from frame to frame.
///
/// Jobs of one request in one perform cannot overlap; two handlers may perform the request at once, so the state has a
/// lock of its own: the frames are then analysed one after another, in the order in which they come.
final class RequestMemory<State>: Sendable {
    private struct Content {
        var state: State
        /// The time of the last analysed frame.
        var lastTime: CMTime?
    }

    private let content: Locked<Content>

    /// - Parameter state: The state before the first frame.
    init(_ state: State) { content = Locked(Content(state: state)) }

    /// Analyses a frame, unless it follows the last analysed one too soon.
    ///
    /// A frame that is earlier than the last one is analysed: it begins another sequence, or repeats the same one.
    ///
    /// - Parameters:
    ///   - time: The time of the frame.
    ///   - spacing: The least time since the last analysed frame.
    ///   - body: Gets the state of the last frame and leaves that of this one. If it throws, the state is that of the
    ///     last frame, and this one does not count as analysed.
    /// - Returns: The result of `body`, or nil if the frame was not analysed.
    func analyse<Result>(
        at time: FrameTime, spacing: CMTime, _ body: (inout State) throws -> Result
    ) rethrows -> Result? {
        try content.withLock { content in
            let start = time.start
            if let start, let last = content.lastTime, spacing.isNumeric, spacing > .zero, start >= last,
                start - last < spacing
            {
                return nil
            }
            var state = content.state
            let result = try body(&state)
            (content.state, content.lastTime) = (state, start)
            return result
        }
    }
}
