public import Foundation

/// Writes one image as JPEG, PNG or TIFF.
public final class CGImageDestination {
    fileprivate enum Target {
        case file(URL)
        case data(NSMutableData)
    }

    fileprivate enum Format {
        case jpeg, png, tiff

        init?(_ type: CFString) {
            switch type {
            case "public.jpeg": self = .jpeg
            case "public.png": self = .png
            case "public.tiff": self = .tiff
            default: return nil
            }
        }
    }

    fileprivate let target: Target
    fileprivate let format: Format
    fileprivate var image: (pixels: CGImage, quality: Double)?
    fileprivate var tiff = TIFFWriter()

    fileprivate init(_ target: Target, _ format: Format) {
        self.target = target
        self.format = format
    }
}

/// Mutable data.
public typealias CFMutableData = NSMutableData

/// Key: the quality of a JPEG, a Double from 0 to 1.
public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"

/// Creates a destination that writes a file. `type` is "public.jpeg", "public.png" or
/// "public.tiff"; nil for others.
public func CGImageDestinationCreateWithURL(_ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?)
    -> CGImageDestination?
{
    guard url.isFileURL, count == 1, let format = CGImageDestination.Format(type) else { return nil }
    return CGImageDestination(.file(url), format)
}

/// Creates a destination that appends to `data`. `type` is "public.jpeg", "public.png" or
/// "public.tiff"; nil for others.
public func CGImageDestinationCreateWithData(
    _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
    guard count == 1, let format = CGImageDestination.Format(type) else { return nil }
    return CGImageDestination(.data(data), format)
}

/// Sets the image to be written, replacing an earlier one. Reads `kCGImageDestinationLossyCompressionQuality` (default
/// 0.9), and for TIFF `kCGImagePropertyTIFFDictionary`, or its entries directly.
public func CGImageDestinationAddImage(_ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?) {
    let quality = properties?[kCGImageDestinationLossyCompressionQuality]
    idst.image = (image, (quality as? Double) ?? (quality as? NSNumber)?.doubleValue ?? 0.9)
    idst.tiff = TIFFWriter(properties?[kCGImagePropertyTIFFDictionary] as? CFDictionary ?? properties ?? [:])
}

/// Writes the image. Returns false if there is none, or if it cannot be encoded or written.
@discardableResult
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
    guard let image = idst.image else { return false }
    do {
        let stored = image.pixels.raster
        let alpha = image.pixels.alphaInfo
        let opaque = alpha == .none || alpha == .noneSkipFirst || alpha == .noneSkipLast
        let raster = try stored.format == .grey8 ? stored : stored.converted(to: opaque ? .rgb8 : .rgba8)
        let bytes: Data =
            switch idst.format {
            case .jpeg: try raster.encodedJPEG(quality: min(max(image.quality, 0), 1))
            case .png: try raster.encodedPNG()
            case .tiff: try idst.tiff.encoded(raster, isMultiplied: alpha.isMultiplied)
            }
        switch idst.target {
        case .file(let url): try bytes.write(to: url, options: .atomic)
        case .data(let data): data.append(bytes)
        }
        return true
    } catch {
        return false
    }
}

extension CGImageAlphaInfo {
    fileprivate var isMultiplied: Bool { self == .premultipliedFirst || self == .premultipliedLast }
}
