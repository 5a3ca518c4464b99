package import Foundation
import VisionFiles

/// An image file in memory whose headers have been read and whose pixels have not been decoded.
///
/// Reading the headers checks the size against a limit, so a too large image costs no memory.
///
/// Pixels are decoded as they are stored: `orientation` says how to rotate them, and `decode` does not. HEIF is the
/// exception: rotation is part of its image, so its decoder applies it and `orientation` is 1. Of a camera's RAW file
/// the image is the JPEG preview in it (`RawPreview`).
package struct EncodedImage: Sendable {
    package enum FileFormat: Hashable, Sendable {
        case jpeg, png, webP, tiff, gif
        /// HEIF with HEVC (HEIC).
        case heif
        /// HEIF with AV1.
        case avif
    }

    /// The colour model of the file's channels.
    package enum ChannelLayout: Hashable, Sendable {
        case grey
        /// Includes luma and chroma.
        case rgb
        case cmyk, palette
    }

    package let format: FileFormat
    /// The width as stored, before orientation.
    package let width: Int
    /// The height as stored, before orientation.
    package let height: Int
    /// The EXIF orientation, 1 to 8; 1 if the file has none or an invalid one.
    package let orientation: UInt32
    /// The bits of a channel as stored; decoding reduces 16 bits to 8.
    package let bitsPerChannel: Int
    package let channelLayout: ChannelLayout
    /// The number of stored channels, including alpha; 1 for a palette.
    package let channelCount: Int
    /// Whether pixels may be transparent, including palettes with transparent entries.
    package let hasAlpha: Bool

    /// Whether decoding to grey loses no colour.
    package var isGrey: Bool { channelLayout == .grey }

    let data: Data
    let header: ImageHeader

    /// Reads the headers of the image in `data`.
    ///
    /// - Parameter limit: The largest number of pixels.
    /// - Throws: `ImageError.tooManyPixels`, `.invalidImage` for data that is not an image, truncated or damaged, and
    ///   `.unsupportedFormat` for unsupported kinds of images.
    package init(data: Data, limit: Int = ImageLimits.maximumPixelCount) throws {
        let (data, header, orientation) = try Self.read(data, limit: limit)
        self.data = data
        self.header = header
        format = header.format
        width = header.width
        height = header.height
        self.orientation = orientation
        bitsPerChannel = header.bitsPerChannel
        channelLayout = header.channelLayout
        channelCount = header.channelCount
        hasAlpha = header.hasAlpha
    }

    /// Reads a file and the headers of the image in it.
    ///
    /// - Parameters:
    ///   - url: A file URL of a regular file.
    ///   - limit: The largest number of pixels. Files that are larger than such an image needs are not read.
    /// - Throws: `ImageError.io` if the file cannot be read, and errors of `init(data:limit:)`.
    package init(contentsOf url: URL, limit: Int = ImageLimits.maximumPixelCount) throws {
        try self.init(data: Self.read(url, limit: limit), limit: limit)
    }

    /// Decodes the pixels as stored, with 8 bits a channel.
    ///
    /// Alpha is straight in `bgra8` and `rgba8`. For `grey8` and `rgb8` the image is drawn over black, each colour
    /// times its alpha, like drawing into an opaque buffer.
    ///
    /// - Parameters:
    ///   - format: `grey8`, `rgb8`, `bgra8` or `rgba8`. Grey is the luma of BT.601, full range; from a JPEG it is the
    ///     stored luma.
    ///   - minimumWidth: Lets JPEG and WebP decode at a half, a quarter or an eighth of the size, as long as the result
    ///     is at least this wide. Without a minimum for either side the result has the stored size.
    ///   - minimumHeight: The same for the height.
    /// - Throws: `ImageError.invalidImage` if the data is truncated or damaged, `.unsupportedFormat` for other raster
    ///   formats, `.outOfMemory`.
    package func decode(
        to format: Raster.Format, minimumWidth: Int? = nil, minimumHeight: Int? = nil
    ) throws -> Raster {
        let size =
            minimumWidth == nil && minimumHeight == nil
            ? (width: width, height: height)
            : header.decodedSize(minimumWidth: minimumWidth ?? 1, minimumHeight: minimumHeight ?? 1)
        return try header.decode(data, to: format, width: size.width, height: size.height)
    }

    /// Returns the file that is decoded and its header: of a camera's RAW file the largest preview.
    private static func read(
        _ data: Data, limit: Int
    ) throws -> (data: Data, header: ImageHeader, orientation: UInt32) {
        guard case .raw(let previews) = RawPreview.find(in: data) else {
            let header = try ImageHeader(data: data, limit: limit)
            return (data, header, header.orientation)
        }
        var best: (range: Range<Int>, header: ImageHeader, orientation: UInt32)?
        var failure: (any Error)?
        for preview in previews {
            let start = data.startIndex + preview.range.lowerBound
            let range = start..<(start + preview.range.count)
            do {
                let header = try ImageHeader(data: data[range], limit: limit)
                // RAW pixels may be a JPEG too, a lossless one of more bits.
                guard header.format == .jpeg, header.bitsPerChannel == 8,
                    header.width * header.height > (best.map { $0.header.width * $0.header.height } ?? 0)
                else { continue }
                best = (range, header, header.orientation == 1 ? preview.orientation : header.orientation)
            } catch {
                failure = error
            }
        }
        guard let best else {
            if let error = failure as? ImageError, case .tooManyPixels = error { throw error }
            throw ImageError.unsupportedFormat(
                "a camera's RAW file without a JPEG preview; RAW pixels are not developed")
        }
        let side = max(best.header.width, best.header.height)
        guard side >= smallestPreview else {
            throw ImageError.unsupportedFormat(
                "a camera's RAW file with a preview of \(best.header.width) x \(best.header.height) pixels only; RAW "
                    + "pixels are not developed")
        }
        return (data.subdata(in: best.range), best.header, best.orientation)
    }

    /// The side from which on a preview stands for the photo; below, it is a thumbnail.
    private static let smallestPreview = 480

    private static func read(_ url: URL, limit: Int) throws -> Data {
        guard url.isFileURL else {
            throw ImageError.io("\(url.absoluteString) is not a file URL; load it and pass the data")
        }
        do {
            let file = try RegularFile(url)
            // Sixteen bytes a pixel is more than any supported format stores; the rest is for metadata.
            let most = limit.multipliedReportingOverflow(by: 16)
            if !most.overflow, file.size > max(most.partialValue, 256 << 20) {
                throw ImageError.io("\(url.path) has \(file.size) bytes, more than an image of \(limit) pixels needs")
            }
            // Not mapped: a file that shrinks under a map ends the process.
            return try file.contents()
        } catch let error as RegularFileError {
            throw ImageError.io(error.description)
        }
    }
}
