import CVisionDecode
package import Foundation

/// The header of an image file, in the form that the decoder needs again.
struct ImageHeader: Sendable {
    private let info: cvd_info
    let format: EncodedImage.FileFormat
    let channelLayout: EncodedImage.ChannelLayout

    var width: Int { Int(info.width) }
    var height: Int { Int(info.height) }
    var orientation: UInt32 { info.orientation }
    var bitsPerChannel: Int { Int(info.bits_per_channel) }
    var channelCount: Int { Int(info.channels) }
    var hasAlpha: Bool { info.has_alpha }

    init(data: Data, limit: Int) throws {
        var info = cvd_info()
        var message = cvd_message()
        let status = data.withUnsafeBytes { bytes in
            cvd_probe(bytes.baseAddress, bytes.count, UInt64(max(limit, 0)), &info, &message)
        }
        if status == CVD_TOO_LARGE, info.width > 0, info.height > 0 {
            throw ImageError.tooManyPixels(width: Int(info.width), height: Int(info.height), limit: limit)
        }
        try status.check(message, bytes: 0)
        format = try EncodedImage.FileFormat(info.format)
        channelLayout = EncodedImage.ChannelLayout(info.colour)
        self.info = info
    }

    /// Returns the size that `decode` gives for these minimum sides.
    func decodedSize(minimumWidth: Int, minimumHeight: Int) -> (width: Int, height: Int) {
        var info = info
        var width: UInt32 = 0
        var height: UInt32 = 0
        cvd_scaled_size(
            &info, UInt32(clamping: minimumWidth), UInt32(clamping: minimumHeight), &width, &height)
        return (Int(width), Int(height))
    }

    func decode(_ data: Data, to format: Raster.Format, width: Int, height: Int) throws -> Raster {
        let layout = try format.codedLayout
        return try Raster(width: width, height: height, format: format) { pixels, rowBytes in
            var info = info
            var message = cvd_message()
            let status = data.withUnsafeBytes { bytes in
                cvd_decode(
                    bytes.baseAddress, bytes.count, &info, layout, pixels, rowBytes, UInt32(width), UInt32(height),
                    &message)
            }
            try status.check(message, bytes: rowBytes * height)
        }
    }
}

extension EncodedImage.FileFormat {
    fileprivate init(_ format: cvd_format) throws {
        switch format {
        case CVD_FORMAT_JPEG: self = .jpeg
        case CVD_FORMAT_PNG: self = .png
        case CVD_FORMAT_WEBP: self = .webP
        case CVD_FORMAT_TIFF: self = .tiff
        case CVD_FORMAT_HEIF: self = .heif
        case CVD_FORMAT_AVIF: self = .avif
        case CVD_FORMAT_GIF: self = .gif
        default: throw ImageError.unsupportedFormat("image file format \(format.rawValue)")
        }
    }
}

extension EncodedImage.ChannelLayout {
    fileprivate init(_ colour: cvd_colour) {
        switch colour {
        case CVD_COLOUR_GREY: self = .grey
        case CVD_COLOUR_CMYK: self = .cmyk
        case CVD_COLOUR_PALETTE: self = .palette
        default: self = .rgb
        }
    }
}

extension Raster.Format {
    /// The C constant of a layout that images are decoded to and encoded from.
    fileprivate var codedLayout: cvd_layout {
        get throws {
            switch self {
            case .grey8: CVD_GREY8
            case .rgb8: CVD_RGB8
            case .bgra8: CVD_BGRA8
            case .rgba8: CVD_RGBA8
            default:
                throw ImageError.unsupportedFormat(
                    "image files are decoded to and encoded from grey8, rgb8, bgra8 and rgba8, not \(self)")
            }
        }
    }
}

extension cvd_status {
    fileprivate func check(_ message: cvd_message, bytes: Int) throws {
        if self == CVD_OK { return }
        let text = withUnsafeBytes(of: message.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch self {
        case CVD_NO_MEMORY: throw ImageError.outOfMemory(bytes: bytes)
        case CVD_UNSUPPORTED: throw ImageError.unsupportedFormat(text)
        default: throw ImageError.invalidImage(text)
        }
    }
}

extension Raster {
    /// Encodes this raster as JPEG with 4:2:0 chroma. Alpha is ignored.
    ///
    /// - Parameter quality: 0 to 1, on the scale of Core Image; 0.9 for files without visible loss.
    /// - Throws: `ImageError.unsupportedFormat` for raster formats other than `grey8`, `rgb8`, `bgra8` and `rgba8` and
    ///   for sides above 65500 pixels, `.invalidArgument` for a quality outside 0 to 1, `.outOfMemory`.
    package func encodedJPEG(quality: Double = 0.9) throws -> Data {
        guard (0...1).contains(quality) else {
            throw ImageError.invalidArgument("the quality of a JPEG must be between 0 and 1, not \(quality)")
        }
        return try encoded { pixels, layout, bytes, count, message in
            cvd_encode_jpeg(
                pixels, rowBytes, layout, UInt32(width), UInt32(height), Int32((quality * 100).rounded()), &bytes,
                &count,
                &message)
        }
    }

    /// Encodes this raster as PNG, without loss. `bgra8` and `rgba8` keep their alpha, which counts as straight.
    ///
    /// - Throws: `ImageError.unsupportedFormat` for raster formats other than `grey8`, `rgb8`, `bgra8` and `rgba8`,
    ///   `.outOfMemory`.
    package func encodedPNG() throws -> Data {
        try encoded { pixels, layout, bytes, count, message in
            cvd_encode_png(pixels, rowBytes, layout, UInt32(width), UInt32(height), &bytes, &count, &message)
        }
    }

    private func encoded(
        by encode: (UnsafeRawPointer, cvd_layout, inout UnsafeMutableRawPointer?, inout Int, inout cvd_message) ->
            cvd_status
    ) throws -> Data {
        let layout = try format.codedLayout
        guard width <= Int32.max, height <= Int32.max else {
            throw ImageError.unsupportedFormat("\(width) x \(height) pixels are more than image files hold")
        }
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        var message = cvd_message()
        let status = withUnsafePixels { encode($0, layout, &bytes, &count, &message) }
        try status.check(message, bytes: rowBytes * height)
        guard let bytes else { throw ImageError.outOfMemory(bytes: rowBytes * height) }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
