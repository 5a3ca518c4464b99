import CVisionVideo
package import VisionImage
import VisionThreads

/// Writes 32BGRA frames to a video: H.264 if the installed FFmpeg supports it, else MPEG-4.
///
/// The extension selects the container (.mp4, .mov, .mkv, .avi). An odd last column or row is dropped. Unless `finish`
/// was called, the file is removed when the writer is deallocated.
package final class VideoWriter {
    package let path: String
    /// The name of the encoder in FFmpeg.
    package let encoder: String
    private let width: Int
    private let height: Int
    private let rate: Double
    private let writer: OpaquePointer
    private var isFinished = false

    /// Creates the file, replacing an existing one.
    package init(path: String, format: VideoFormat) throws(VideoError) {
        guard !path.utf8.contains(0) else {
            throw VideoError(kind: .io, path: path, reason: "is not a valid file name")
        }
        func whole(_ number: Int) -> Int32 { Int32(clamping: number) }
        var writer: OpaquePointer?
        var encoder = [CChar](repeating: 0, count: 32)
        let threads = whole(min(Processors.count, 4))
        try VideoCall.check(path) { message in
            cvv_writer_open(
                path, whole(format.width), whole(format.height), whole(format.rate.numerator),
                whole(format.rate.denominator), whole(format.pixelAspect.numerator),
                whole(format.pixelAspect.denominator), threads, &writer, &encoder, message)
        }
        guard let writer else {
            throw VideoError(kind: .io, path: path, reason: "cannot be created")
        }
        self.path = path
        self.writer = writer
        self.encoder = String(decoding: encoder.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        width = format.width
        height = format.height
        rate = format.rate.value
    }

    deinit {
        cvv_writer_close(writer)
        if !isFinished { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Adds a frame. It must be 32BGRA and have the size of the video.
    ///
    /// - Parameter time: The presentation time in seconds; rounded to the frame rate, and later than that of the
    ///   previous frame.
    package func add(_ frame: CVPixelBuffer, time: Double) throws(VideoError) {
        guard CVPixelBufferGetPixelFormatType(frame) == kCVPixelFormatType_32BGRA,
            CVPixelBufferGetWidth(frame) == width, CVPixelBufferGetHeight(frame) == height
        else {
            throw VideoError(kind: .unsupported, path: path, reason: "takes 32BGRA frames of \(width)×\(height) only")
        }
        CVPixelBufferLockBaseAddress(frame, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
        guard let pixels = CVPixelBufferGetBaseAddress(frame) else {
            throw VideoError(kind: .outOfMemory, path: path, reason: "a buffer has no address")
        }
        try VideoCall.check(path) { message in
            cvv_writer_add(
                writer, tick(time), pixels.assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRow(frame),
                message)
        }
    }

    private func tick(_ time: Double) -> Int64 { Int64(exactly: (time * rate).rounded()) ?? 0 }

    /// Ends the video. Until then it cannot be played.
    package func finish() throws(VideoError) {
        guard !isFinished else { return }
        try VideoCall.check(path) { message in cvv_writer_finish(writer, message) }
        isFinished = true
    }
}
