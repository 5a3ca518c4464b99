import CVisionVideo
import Vision
import VisionThreads
import VisionFiles

/// Reads the frames of a local video file, upright, in constant memory.
///
/// Frames are 420v or 420f, which nearly all videos use and whose luma plane the algorithms need; other pixel formats
/// are converted. Not thread-safe.
final class VideoReader: FrameSource {
    /// Twice the pixels of 8K, checked before memory is allocated.
    static let defaultPixelLimit = 1 << 26

    let path: String
    let format: VideoFormat
    /// The name of the codec in FFmpeg.
    let codec: String
    private let isFullRange: Bool
    private let isBT709: Bool
    private let reader: OpaquePointer
    private var position = 0

    /// Opens the video and decodes its first frame.
    ///
    /// - Throws: `VideoError` when the file is not a video, cannot be decoded, or has frames of more than `pixelLimit`
    ///   pixels.
    init(path: String, pixelLimit: Int = min(VideoReader.defaultPixelLimit, ImageLimits.maximumPixelCount)) throws {
        do {
            // FFmpeg would wait forever for a pipe without a writer.
            _ = try RegularFile(path: path)
        } catch {
            throw VideoError(kind: .io, path: path, reason: error.reason)
        }
        var reader: OpaquePointer?
        var video = cvv_video()
        // Decoding runs in parallel with the analysis; more threads only buffer more frames.
        let threads = Int32(min(Processors.count, 4))
        try VideoCall.check(path) { message in
            cvv_reader_open(path, Int64(pixelLimit), threads, &reader, &video, message)
        }
        guard let reader else {
            throw VideoError(kind: .io, path: path, reason: "cannot be opened")
        }
        self.path = path
        self.reader = reader
        isFullRange = video.full_range != 0
        isBT709 = video.bt709 != 0
        codec = withUnsafeBytes(of: &video.codec) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let hasRate = video.rate_numerator > 0 && video.rate_denominator > 0
        format = VideoFormat(
            width: Int(video.width), height: Int(video.height),
            rate: hasRate ? Ratio(Int(video.rate_numerator), Int(video.rate_denominator)) : Ratio(25, 1),
            pixelAspect: Ratio(Int(video.aspect_numerator), Int(video.aspect_denominator)),
            statedFrameCount: video.frame_count > 0 ? Int(video.frame_count) : nil)
    }

    deinit { cvv_reader_close(reader) }

    var warnings: [String] {
        let count = cvv_reader_damaged_packets(reader)
        return count == 0 ? [] : ["\(path): \(count) damaged packets; the frames they hold may be wrong or missing"]
    }

    func skip() throws -> Bool {
        var status = CVV_OK
        try VideoCall.check(path) { message in
            status = cvv_reader_next(reader, message)
            return status == CVV_END ? CVV_OK : status
        }
        guard status == CVV_OK else { return false }
        position += 1
        return true
    }

    /// Videos without timestamps are taken to have a constant frame rate.
    var currentTime: Double {
        let time = cvv_reader_time(reader)
        return time.isFinite ? time : Double(position - 1) / format.rate.value
    }

    func next() throws -> CVPixelBuffer? {
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

    func currentFrameForDrawing() throws -> CVPixelBuffer {
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
    static func check(_ path: String, _ call: (UnsafeMutablePointer<CChar>) -> cvv_status) throws {
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
            default: .io
            }
        let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw VideoError(kind: kind, path: path, reason: reason)
    }
}
