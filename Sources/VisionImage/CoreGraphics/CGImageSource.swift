/// An image in a file or in the bytes of one: JPEG, PNG, WebP, TIFF, HEIF or GIF. A source gives one image, the first.
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
