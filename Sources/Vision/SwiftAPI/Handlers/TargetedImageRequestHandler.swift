/// Performs requests on two images: how the target follows from the source.
///
/// A request is performed on the source and then on the target, as on two frames of a video, with a state of its own:
/// its result is the one that a request which has seen the source alone has for the target. The rules for orientations
/// are those of `ImageRequestHandler`.
public final class TargetedImageRequestHandler: Sendable {
    private let source: ImageRequestHandler
    private let target: ImageRequestHandler

    /// Creates a handler for two image files. Only file URLs can be read.
    public convenience init(sourceURL: URL, targetURL: URL, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.url(sourceURL), .url(targetURL), orientation)
    }

    /// Creates a handler for the bytes of two image files.
    public convenience init(source: Data, target: Data, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.data(source), .data(target), orientation)
    }

    /// Creates a handler for two images.
    public convenience init(source: CGImage, target: CGImage, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.cgImage(source), .cgImage(target), orientation)
    }

    /// Creates a handler for two Core Image images.
    public convenience init(source: CIImage, target: CIImage, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.ciImage(source), .ciImage(target), orientation)
    }

    /// Creates a handler for two pixel buffers, which must not change meanwhile.
    public convenience init(
        source: CVPixelBuffer, target: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil
    ) {
        self.init(.pixelBuffer(source), .pixelBuffer(target), orientation)
    }

    /// Creates a handler for two video frames, which must not change meanwhile.
    public convenience init(
        source: CMSampleBuffer, target: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil
    ) {
        self.init(.sampleBuffer(source), .sampleBuffer(target), orientation)
    }

    private init(
        _ source: HandlerImage.Content, _ target: HandlerImage.Content, _ orientation: CGImagePropertyOrientation?
    ) {
        self.source = ImageRequestHandler(source, orientation)
        self.target = ImageRequestHandler(target, orientation)
    }

    /// Performs a request. Its own state, of the frames that it was performed on before, is not used and not changed.
    ///
    /// - Throws: `VisionError`; `requestCancelled` if the task is cancelled.
    public func perform<T: TargetedRequest>(_ request: T) async throws -> T.Result {
        let prepared = try request.prepared().anew
        return try await finish([prepared.part])[0].get(prepared.output)
    }

    /// Performs several requests and returns their results in the same order.
    ///
    /// - Throws: The first error in the order of the requests, a `VisionError`.
    public func perform<each T: TargetedRequest>(
        _ request: repeat each T
    ) async throws -> (repeat (each T).Result) {
        let prepared = (repeat try (each request).prepared().anew)
        var parts: [Performance.Part] = []
        repeat parts.append((each prepared).part)
        var outcomes = try await finish(parts).makeIterator()
        let results = (repeat outcomes.take((each prepared).output))
        return (repeat try (each results).get())
    }

    /// Performs requests of any kind, and gives each result as soon as it is there. A request that fails gives
    /// `VisionResult.error`.
    public func performAll(
        _ requests: some Collection<any TargetedRequest>
    ) -> some AsyncSequence<VisionResult, Never> & Sendable {
        performAll(Array(requests))
    }

    /// The same for an array, so that a literal may list requests of several kinds.
    public func performAll(_ requests: [any TargetedRequest]) -> some AsyncSequence<VisionResult, Never> & Sendable {
        let (stream, continuation) = AsyncStream.makeStream(of: VisionResult.self)
        let task = Task {
            for request in requests {
                do {
                    let prepared = try request.preparedForAnyResult().anew
                    continuation.yield(try await finish([prepared.part])[0].get(prepared.output))
                } catch {
                    continuation.yield(.error(request, error))
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Performs the requests on both images and returns their outcomes for the target.
    private func finish(_ parts: [Performance.Part]) async throws -> [RequestOutcome] {
        let first = try await Performance(parts, on: source.classic).finish()
        let second = try await Performance(parts, on: target.classic).finish()
        // A source that cannot be read makes the request fail as well.
        return zip(first, second).map { first, second in
            if case .failure = first { first } else { second }
        }
    }
}
