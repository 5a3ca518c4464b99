import CVisionFilm
import Foundation
import Vision
import VisionImage

/// Reads the frames of a film of the local disk, upright, in constant memory.
///
/// Frames come as 420v or 420f, which is what nearly all films hold and what the algorithms need the brightness of;
/// other layouts are converted to that. Not for several threads at once.
final class FilmReader: FrameSource {
    /// Twice the pixels of 8K, checked before memory is taken.
    static let defaultPixelLimit = 1 << 26

    let path: String
    let format: FilmFormat
    /// FFmpeg's name of the codec.
    let codec: String
    private let isFullRange: Bool
    private let isBT709: Bool
    private let reader: OpaquePointer
    private var position = 0

    /// Opens the film and decodes its first frame.
    ///
    /// - Throws: `FilmError` when it is no film, cannot be decoded, or its frames have more than `pixelLimit` pixels.
    init(path: String, pixelLimit: Int = min(FilmReader.defaultPixelLimit, ImageLimits.maximumPixelCount)) throws {
        do {
            // FFmpeg would wait for ever for a pipe that nobody writes to.
            _ = try RegularFile(path: path)
        } catch {
            throw FilmError(kind: .io, path: path, reason: error.reason)
        }
        var reader: OpaquePointer?
        var film = cvf_film()
        // Decoding runs beside the analysis; more threads than this only hold more frames.
        let threads = Int32(min(Processors.count, 4))
        try FilmCall.check(path) { message in
            cvf_reader_open(path, Int64(pixelLimit), threads, &reader, &film, message)
        }
        guard let reader else {
            throw FilmError(kind: .io, path: path, reason: "cannot be opened")
        }
        self.path = path
        self.reader = reader
        isFullRange = film.full_range != 0
        isBT709 = film.bt709 != 0
        codec = withUnsafeBytes(of: &film.codec) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let hasRate = film.rate_numerator > 0 && film.rate_denominator > 0
        format = FilmFormat(
            width: Int(film.width), height: Int(film.height),
            rate: hasRate ? Ratio(Int(film.rate_numerator), Int(film.rate_denominator)) : Ratio(25, 1),
            pixelAspect: Ratio(Int(film.aspect_numerator), Int(film.aspect_denominator)),
            statedFrameCount: film.frame_count > 0 ? Int(film.frame_count) : nil)
    }

    deinit { cvf_reader_close(reader) }

    var warnings: [String] {
        let count = cvf_reader_damaged_packets(reader)
        return count == 0 ? [] : ["\(path): \(count) damaged packets; the frames they hold may be wrong or missing"]
    }

    func skip() throws -> Bool {
        var status = CVF_OK
        try FilmCall.check(path) { message in
            status = cvf_reader_next(reader, message)
            return status == CVF_END ? CVF_OK : status
        }
        guard status == CVF_OK else { return false }
        position += 1
        return true
    }

    /// Films without times of their own are taken to be even.
    var currentTime: Double {
        let time = cvf_reader_time(reader)
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
        else { throw FilmError(kind: .outOfMemory, path: path, reason: "a buffer has no address") }
        try FilmCall.check(path) { message in
            cvf_reader_copy_420(
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
            throw FilmError(kind: .outOfMemory, path: path, reason: "a buffer has no address")
        }
        try FilmCall.check(path) { message in
            cvf_reader_copy_bgra(
                reader, pixels.assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRow(buffer), message)
        }
        return buffer
    }
}

/// Turns the status and message of a C call into a `FilmError`.
enum FilmCall {
    static func check(_ path: String, _ call: (UnsafeMutablePointer<CChar>) -> cvf_status) throws {
        var message = [CChar](repeating: 0, count: Int(CVF_MESSAGE_SIZE))
        let status = message.withUnsafeMutableBufferPointer { buffer in
            // A buffer of that many elements has an address.
            buffer.baseAddress.map(call) ?? CVF_NO_MEMORY
        }
        guard status != CVF_OK else { return }
        let kind: FilmError.Kind =
            switch status {
            case CVF_NOT_A_FILM: .notAFilm
            case CVF_UNSUPPORTED, CVF_NO_ENCODER: .unsupported
            case CVF_TOO_LARGE: .tooLarge
            case CVF_DAMAGED, CVF_END: .damaged
            case CVF_NO_MEMORY: .outOfMemory
            default: .io
            }
        let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        throw FilmError(kind: kind, path: path, reason: reason)
    }
}
