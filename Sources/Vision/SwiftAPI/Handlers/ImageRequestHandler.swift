import VisionThreads

/// Performs requests on one image.
///
/// It caches the image and the scaled and converted forms that the requests need, so that each is made once: create a
/// handler for an image, perform all requests about it, in one call or in several, and release it. Nobody may change
/// the image meanwhile.
///
/// All requests read the upright image and all coordinates refer to it. An `orientation` given here takes precedence;
/// without one URL and data follow the EXIF entry of their file, and the other images are used as they are (a `CIImage`
/// in its own orientation).
///
/// A handler may be used from several tasks: it performs one call after another. Performs wait without blocking a
/// thread of Swift's cooperative pool; cancelling a task cancels its requests.
public final class ImageRequestHandler: Sendable {
    /// The handler of the classic API for the same image.
    let classic: VNImageRequestHandler

    /// Creates a handler for an image file. Only file URLs can be read.
    public convenience init(_ imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.url(imageURL), orientation)
    }

    /// Creates a handler for the bytes of an image file.
    public convenience init(_ data: Data, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.data(data), orientation)
    }

    /// Creates a handler for an image.
    public convenience init(_ image: CGImage, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.cgImage(image), orientation)
    }

    /// Creates a handler for a Core Image image.
    public convenience init(_ image: CIImage, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.ciImage(image), orientation)
    }

    /// Creates a handler for a pixel buffer.
    public convenience init(_ pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.pixelBuffer(pixelBuffer), orientation)
    }

    /// Creates a handler for a video frame.
    public convenience init(_ sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation? = nil) {
        self.init(.sampleBuffer(sampleBuffer), orientation)
    }

    init(_ content: HandlerImage.Content, _ orientation: CGImagePropertyOrientation?) {
        classic = VNImageRequestHandler(content, orientation)
    }

    /// Performs a request.
    ///
    /// - Throws: `VisionError`; `requestCancelled` if the task is cancelled.
    public func perform<T: VisionRequest>(_ request: T) async throws -> T.Result {
        let prepared = try request.prepared()
        return try await Performance([prepared.part], on: classic).finish()[0].get(prepared.output)
    }

    /// Performs several requests, which share the image and run in parallel where they can, and returns their results
    /// in the same order.
    ///
    /// - Throws: The first error in the order of the requests, a `VisionError`, after all have been processed.
    public func perform<each T: VisionRequest>(
        _ request: repeat each T
    ) async throws -> (repeat (each T).Result) {
        let prepared = (repeat try (each request).prepared())
        var parts: [Performance.Part] = []
        repeat parts.append((each prepared).part)
        var outcomes = try await Performance(parts, on: classic).finish().makeIterator()
        let results = (repeat outcomes.take((each prepared).output))
        return (repeat try (each results).get())
    }

    /// Performs requests of any kind, and gives each result as soon as it is there. A request that fails gives
    /// `VisionResult.error`. Requests that are not done when the sequence is released are cancelled.
    public func performAll(
        _ requests: some Collection<any VisionRequest>
    ) -> some AsyncSequence<VisionResult, Never> & Sendable {
        performAll(Array(requests))
    }

    /// The same for an array, so that a literal may list requests of several kinds.
    public func performAll(_ requests: [any VisionRequest]) -> some AsyncSequence<VisionResult, Never> & Sendable {
        Performance.results(of: requests, on: classic)
    }
}
