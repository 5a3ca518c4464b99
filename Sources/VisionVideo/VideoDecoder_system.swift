import CVisionVideo
package import VisionImage
import VisionThreads
import VisionFiles

/// How a decoder opens its source.
package struct DecoderOptions: Sendable {
    /// The most pixels of a frame.
    package var pixelLimit: Int
    /// The longest time to open the source and to wait for a frame, from a millisecond to a year; nil for no limit.
    /// Files have none.
    package let timeout: Duration?
    /// The size asked of a camera in pixels; nil for what it has.
    package var deviceSize: (width: Int, height: Int)?
    /// The frame rate asked of a camera.
    package var deviceRate: Double?

    package init(
        pixelLimit: Int = min(VideoDecoder.defaultPixelLimit, ImageLimits.maximumPixelCount),
        timeout: Duration? = .seconds(10)
    ) {
        self.pixelLimit = pixelLimit
        self.timeout = timeout.map { min(max($0, .milliseconds(1)), .seconds(365 * 86_400)) }
    }
}

/// Decodes the frames of a video, upright, in constant memory. Calls block.
///
/// Frames are 420v or 420f, which nearly all videos use and whose luma plane the algorithms need; other pixel formats
/// are converted. Not thread-safe.
package final class VideoDecoder {
    /// Twice the pixels of 8K, checked before memory is allocated.
    package static let defaultPixelLimit = 1 << 26

    /// The path, or the address without a password.
    package let path: String
    package let format: VideoFormat
    /// The name of the codec in FFmpeg.
    package var codec: String { format.codec }
    private let isFullRange: Bool
    private let isBT709: Bool
    private let reader: OpaquePointer
    // It must live as long as `reader`.
    private let cancellation: VideoCancellation
    private var position = 0

    /// Opens a video file and decodes its first frame. See `init(_:options:cancellation:)`.
    package convenience init(path: String, options: DecoderOptions = DecoderOptions()) throws(VideoError) {
        // Not through a URL, which would change a name such as "http://…".
        try self.init(path, file: path, .file(URL(fileURLWithPath: path)), options, VideoCancellation())
    }

    /// Opens a video and decodes its first frame.
    ///
    /// - Throws: `VideoError` when the source is not a video, cannot be decoded, has frames of more pixels than the
    ///   limit, or sends nothing in time.
    package convenience init(
        _ source: VideoSource, options: DecoderOptions = DecoderOptions(),
        cancellation: VideoCancellation = VideoCancellation()
    ) throws(VideoError) {
        let name = source.description
        var file: String?
        if case .file(let url) = source {
            guard url.isFileURL else { throw VideoError(kind: .io, path: name, reason: "is not the URL of a file") }
            file = url.path
        }
        try self.init(name, file: file, source, options, cancellation)
    }

    private init(
        _ path: String, file: String?, _ source: VideoSource, _ options: DecoderOptions,
        _ cancellation: VideoCancellation
    ) throws(VideoError) {
        let request = try OpenRequest(source, file: file, name: path, options, cancellation)
        defer { request.removeCopy() }
        var reader: OpaquePointer?
        var video = cvv_video()
        try VideoCall.check(path) { message in
            request.withSource { cvv_reader_open($0, cancellation.pointer, &reader, &video, message) }
        }
        guard let reader else {
            throw VideoError(kind: .io, path: path, reason: "cannot be opened")
        }
        self.path = path
        self.reader = reader
        self.cancellation = cancellation
        isFullRange = video.full_range != 0
        isBT709 = video.bt709 != 0
        let hasRate = video.rate_numerator > 0 && video.rate_denominator > 0
        format = VideoFormat(
            width: Int(video.width), height: Int(video.height),
            rate: hasRate ? Ratio(Int(video.rate_numerator), Int(video.rate_denominator)) : Ratio(25, 1),
            pixelAspect: Ratio(Int(video.aspect_numerator), Int(video.aspect_denominator)),
            statedFrameCount: video.frame_count > 0 ? Int(video.frame_count) : nil,
            rotation: 90 * Int(video.quarter_turns),
            codec: withUnsafeBytes(of: &video.codec) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }

    deinit { cvv_reader_close(reader) }

    /// Problems that did not end the video, to be shown to the user.
    package var warnings: [String] {
        let count = cvv_reader_damaged_packets(reader)
        return count == 0 ? [] : ["\(path): \(count) damaged packets; the frames they hold may be wrong or missing"]
    }

    /// Skips a frame without converting it to a buffer. Returns false after the last one.
    package func skip() throws(VideoError) -> Bool {
        var status = CVV_OK
        try VideoCall.check(path) { message in
            status = cvv_reader_next(reader, message)
            return status == CVV_END ? CVV_OK : status
        }
        guard status == CVV_OK else { return false }
        position += 1
        return true
    }

    /// The presentation time of the frame that `next` returned last, in seconds from the first frame. Videos without
    /// timestamps are taken to have a constant frame rate.
    package var currentTime: Double {
        let time = cvv_reader_time(reader)
        return time.isFinite ? time : Double(position - 1) / format.rate.value
    }

    /// Returns the next frame, upright; nil after the last.
    package func next() throws(VideoError) -> CVPixelBuffer? {
        guard try skip() else { return nil }
        let buffer = try CVPixelBuffer.make(
            width: format.width, height: format.height,
            format: isFullRange
                ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            path: path)
        let matrix = isBT709 ? kCVImageBufferYCbCrMatrix_ITU_R_709_2 : kCVImageBufferYCbCrMatrix_ITU_R_601_4
        CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0),
            let chroma = CVPixelBufferGetBaseAddressOfPlane(buffer, 1)
        else { throw VideoError(kind: .outOfMemory, path: path, reason: "a buffer has no address") }
        try VideoCall.check(path) { message in
            cvv_reader_copy_420(
                reader, luma.assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRowOfPlane(buffer, 0),
                chroma.assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRowOfPlane(buffer, 1), message)
        }
        return buffer
    }

    /// Returns the frame that `next` returned last, as 32BGRA pixels that the caller may draw on.
    package func currentFrameForDrawing() throws(VideoError) -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(
            width: format.width, height: format.height, format: kCVPixelFormatType_32BGRA, path: path)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let pixels = CVPixelBufferGetBaseAddress(buffer) else {
            throw VideoError(kind: .outOfMemory, path: path, reason: "a buffer has no address")
        }
        try VideoCall.check(path) { message in
            cvv_reader_copy_bgra(
                reader, pixels.assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRow(buffer), message)
        }
        return buffer
    }
}

/// Converts the status and message of a C call to a `VideoError`.
enum VideoCall {
    static func check(_ path: String, _ call: (UnsafeMutablePointer<CChar>) -> cvv_status) throws(VideoError) {
        var message = [CChar](repeating: 0, count: Int(CVV_MESSAGE_SIZE))
        let status = message.withUnsafeMutableBufferPointer { buffer in
            // A buffer with elements has an address.
            buffer.baseAddress.map(call) ?? CVV_NO_MEMORY
        }
        guard status != CVV_OK else { return }
        let kind: VideoError.Kind =
            switch status {
            case CVV_NOT_A_VIDEO: .notAVideo
            case CVV_UNSUPPORTED, CVV_NO_ENCODER: .unsupported
            case CVV_TOO_LARGE: .tooLarge
            case CVV_DAMAGED, CVV_END: .damaged
            case CVV_NO_MEMORY: .outOfMemory
            case CVV_NO_LIBRARY: .noVideoSupport
            case CVV_TIMEOUT: .timeout
            case CVV_CANCELLED: .cancelled
            default: .io
            }
        let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw VideoError(kind: kind, path: path, reason: reason)
    }
}

extension CVPixelBuffer {
    /// Creates a buffer of zeros.
    package static func make(
        width: Int, height: Int, format: OSType, path: String
    ) throws(VideoError) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
        guard status == kCVReturnSuccess, let buffer else {
            throw VideoError(
                kind: .outOfMemory, path: path, reason: "cannot make a buffer of \(width)×\(height) pixels (\(status))")
        }
        return buffer
    }
}
