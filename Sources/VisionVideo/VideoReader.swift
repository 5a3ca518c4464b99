import Foundation

/// The frames of a video file, a camera, a network stream or the standard input, one after the other.
///
/// ```swift
/// let camera = try await VideoReader(.device("/dev/video0"))
/// for try await frame in camera {
///     try handler.perform([request], on: frame.sampleBuffer)
/// }
/// ```
///
/// FFmpeg's libraries decode; they are loaded when the first video is opened, and a system without them gives
/// `VideoError` with the names of their packages. Frames are decoded on a thread of the reader's own, at most three
/// ahead of the loop, so memory does not grow with the length of the video, and no thread of Swift's concurrency
/// blocks. Leaving the loop and dropping the reader, or cancelling the task, closes the source; the loop of a cancelled
/// task throws `CancellationError`.
///
/// The sequence can be iterated once: several loops share its frames. A source is untrusted: truncated and damaged
/// videos throw `VideoError`, after the frames that are valid.
public final class VideoReader: AsyncSequence, Sendable {
    /// How a source is opened and read.
    public struct Options: Sendable {
        /// The most pixels that a frame may have. The limit of images (`VisionSettings.maximumPixelCount`) holds as
        /// well.
        public var maximumPixelCount = 1 << 26
        /// The longest time to open a source other than a file, and to wait for each frame after that; nil for no
        /// limit.
        public var timeout: Duration? = .seconds(10)
        /// Whether frames that come while the loop is busy are discarded, so that the next one is always the newest, as
        /// `alwaysDiscardsLateVideoFrames` does. For cameras and live streams; of a file, most frames would be lost.
        public var discardsLateFrames = false
        /// The size that a camera is asked for, in pixels; nil for what it is set to.
        public var deviceSize: CGSize?
        /// The frame rate that a camera is asked for; nil for what it is set to.
        public var deviceFrameRate: Double?

        /// Creates the default options.
        public init() {}
    }

    /// Returns the frames in their order.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: VideoReader

        /// Returns the next frame; nil after the last.
        ///
        /// - Throws: `VideoError`; `CancellationError` once a task that read from this reader was cancelled.
        public mutating func next() async throws -> VideoFrame? { try await reader.buffer.next() }
    }

    /// The element of the sequence.
    public typealias Element = VideoFrame

    /// Where the frames come from.
    public let source: VideoSource
    /// The size, rate and rotation of the video.
    public let format: VideoFormat
    private let buffer: FrameBuffer

    /// Opens a source and decodes its first frame.
    ///
    /// - Throws: `VideoError`; `CancellationError` in a task that was cancelled.
    public init(_ source: VideoSource, options: Options = Options()) async throws {
        let cancellation = VideoCancellation()
        var settings = DecoderOptions(timeout: options.timeout)
        settings.pixelLimit = Swift.min(settings.pixelLimit, Swift.max(0, options.maximumPixelCount))
        settings.deviceRate = options.deviceFrameRate
        if let size = options.deviceSize, let width = Int32(exactly: size.width.rounded()),
            let height = Int32(exactly: size.height.rounded())
        {
            settings.deviceSize = (Int(width), Int(height))
        }
        let opened = try await Self.open(source, settings, cancellation)
        self.source = source
        format = opened.decoder.format
        buffer = FrameBuffer(opened.decoder, cancellation, discardsLateFrames: options.discardsLateFrames)
    }

    deinit { buffer.stop() }

    /// Returns an iterator over the frames that no other iterator has taken.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: self) }

    /// The number of frames that were discarded because the loop was busy.
    public var discardedFrameCount: Int { buffer.discardedFrameCount }

    /// Problems that did not end the video, such as damaged packets. Complete at the end.
    public var warnings: [String] { buffer.warnings }

    /// Hands a decoder from the thread that opened it to the one that will use it.
    private struct Opened: @unchecked Sendable {
        // Unchecked: one thread at a time has it.
        let decoder: VideoDecoder
    }

    private static func open(
        _ source: VideoSource, _ options: DecoderOptions, _ cancellation: VideoCancellation
    ) async throws -> Opened {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread {
                    do {
                        let decoder = try VideoDecoder(source, options: options, cancellation: cancellation)
                        continuation.resume(returning: Opened(decoder: decoder))
                    } catch let error as VideoError where error.kind == .cancelled {
                        continuation.resume(throwing: CancellationError())
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }.start()
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
