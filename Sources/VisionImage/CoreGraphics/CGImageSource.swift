public import Foundation

/// An image in a file or in the bytes of one: JPEG, PNG, WebP, TIFF, HEIF, AVIF or GIF, or the preview in a
/// camera's RAW file. A source gives one image, the first.
public final class CGImageSource: Sendable {
    package let image: EncodedImage

    package init(image: EncodedImage) { self.image = image }
}

/// Creates a source for a file; nil if it cannot be read or holds no image of a known format.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
    guard let image = try? EncodedImage(contentsOf: url) else { return nil }
    return CGImageSource(image: image)
}

/// Creates a source for the bytes of a file; nil if they hold no image of a known format.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
    guard let image = try? EncodedImage(data: data) else { return nil }
    return CGImageSource(image: image)
}

/// The number of images of the source: 1.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { 1 }

/// Decodes the image in the orientation in which it is stored; nil if it is damaged or `index` is not 0.
public func CGImageSourceCreateImageAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? {
    guard index == 0 else { return nil }
    let image = isrc.image
    guard let raster = try? image.decode(to: image.isGrey ? .grey8 : image.hasAlpha ? .rgba8 : .rgb8) else {
        return nil
    }
    return CGImage(raster: raster, alpha: image.hasAlpha && !image.isGrey ? .last : nil)
}

/// Makes a small version of the image: at most `kCGImageSourceThumbnailMaxPixelSize` pixels along the longer side, with
/// the same proportions, and never larger than the image.
///
/// Files are decoded at a reduced size where their format can. Thumbnails that a file holds are not used: without
/// `kCGImageSourceCreateThumbnailFromImageAlways` or `kCGImageSourceCreateThumbnailFromImageIfAbsent` there is none.
///
/// - Parameter options: The keys above, and `kCGImageSourceCreateThumbnailWithTransform`, which turns the result
///   upright.
/// - Returns: nil if the image is damaged, `index` is not 0, or the options ask for no thumbnail.
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
    func flag(_ key: CFString) -> Bool { options?[key] as? Bool ?? (options?[key] as? NSNumber)?.boolValue ?? false }
    guard index == 0,
        flag(kCGImageSourceCreateThumbnailFromImageAlways) || flag(kCGImageSourceCreateThumbnailFromImageIfAbsent)
    else { return nil }
    let image = isrc.image
    let longer = Double(max(image.width, image.height))
    let wanted = options?[kCGImageSourceThumbnailMaxPixelSize]
    let limit =
        (wanted as? Int).map(Double.init) ?? (wanted as? Double) ?? (wanted as? CGFloat).map(Double.init)
        ?? (wanted as? NSNumber)?.doubleValue ?? longer
    guard limit >= 1 else { return nil }
    let scale = min(1, limit / longer)
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
    let (width, height) = (side(image.width), side(image.height))
    let format: Raster.Format = image.isGrey ? .grey8 : image.hasAlpha ? .rgba8 : .rgb8
    guard
        let decoded = try? image.decode(to: format, minimumWidth: width, minimumHeight: height),
        let small = try? decoded.resized(width: width, height: height, filter: .antialiasedBilinear)
    else { return nil }
    var result = small
    if flag(kCGImageSourceCreateThumbnailWithTransform),
        let orientation = CGImagePropertyOrientation(rawValue: image.orientation)
    {
        guard let upright = try? small.oriented(orientation) else { return nil }
        result = upright
    }
    return CGImage(raster: result, alpha: format == .rgba8 ? .last : nil)
}

/// Key: the most pixels along the longer side of a thumbnail, a number.
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// Key: whether a thumbnail is made of the image, a Bool.
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
/// Key: whether a thumbnail is made of the image where the file has none, a Bool; here always.
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString = "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// Key: whether a thumbnail is turned upright, a Bool.
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
/// Key: whether decoded pixels are kept. Accepted; they are not.
public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
/// Key: whether the image is decoded at once. Accepted; it always is.
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"

/// Returns the properties of the image from its file: `kCGImagePropertyPixelWidth`, `…PixelHeight`, `…Orientation`,
/// `…Depth`, `…HasAlpha`. Nil if `index` is not 0.
public func CGImageSourceCopyPropertiesAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?)
    -> CFDictionary?
{
    index == 0 ? isrc.image.properties : nil
}

/// Key: the EXIF orientation, 1…8, as a UInt32.
public let kCGImagePropertyOrientation: CFString = "Orientation"
/// Key: the number of pixels in a row as stored, an Int.
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// Key: the number of rows as stored, an Int.
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
/// Key: the bits of a component in the file, an Int.
public let kCGImagePropertyDepth: CFString = "Depth"
/// Key: whether the image has alpha, a Bool.
public let kCGImagePropertyHasAlpha: CFString = "HasAlpha"

extension EncodedImage {
    package var properties: [String: Any] {
        [
            kCGImagePropertyPixelWidth: width,
            kCGImagePropertyPixelHeight: height,
            kCGImagePropertyOrientation: orientation,
            kCGImagePropertyDepth: bitsPerChannel,
            kCGImagePropertyHasAlpha: hasAlpha,
        ]
    }
}
