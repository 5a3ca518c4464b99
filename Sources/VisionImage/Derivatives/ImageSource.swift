package import Foundation
import VisionThreads

/// One image of a handler, with the caches of everything derived from it.
///
/// A derivative has one parent, determined by its own properties and not by what happens to be cached. So a request
/// gives the same bits whichever requests ran before or beside it:
///
///     stored pixels → region resampled, stored layout → colour converted and rotated upright → floats
///
/// Each step is cached under its own key and shared by all derivatives that pass through it.
package final class ImageSource: Sendable {
    private enum Origin: Sendable {
        case pixelBuffer(CVPixelBuffer)
        case image(CGImage)
        case ciImage(CIImage)
        case url(URL)
        case data(Data)
    }

    private enum Key: Hashable, Sendable {
        /// The stored pixels as a raster of this format: decoded at 1 / `reduction` of the size, converted or rendered.
        case stored(Raster.Format, reduction: Int)
        /// A region of the stored pixels, resampled in their own layout.
        case resampled(PixelRegion, width: Int, height: Int, filter: ResizeFilter, format: Raster.Format)
        case derivative(Derivative)
    }

    /// The capacity for the derivatives of one handler: about three frames of 8K video in colour.
    package static let defaultByteLimit = 256 << 20

    private let origin: Origin
    private let explicitOrientation: CGImagePropertyOrientation?
    private let opened = Locked<StoredImage?>(nil)
    private let cache: OnceCache<Key, Raster>
    /// The results that requests have computed from the image.
    package let results = ImageResults()

    private init(_ origin: Origin, _ orientation: CGImagePropertyOrientation?, _ byteLimit: Int) {
        self.origin = origin
        explicitOrientation = orientation
        cache = OnceCache(byteLimit: byteLimit) { $0.memory.ownedBytes }
    }

    /// - Parameter orientation: nil to take the image as upright.
    package convenience init(
        pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation? = nil, byteLimit: Int = defaultByteLimit
    ) {
        self.init(.pixelBuffer(pixelBuffer), orientation, byteLimit)
    }

    /// - Parameter orientation: nil to take the image as upright.
    package convenience init(
        cgImage: CGImage, orientation: CGImagePropertyOrientation? = nil, byteLimit: Int = defaultByteLimit
    ) {
        self.init(.image(cgImage), orientation, byteLimit)
    }

    /// - Parameter orientation: nil to take the image as upright.
    package convenience init(
        ciImage: CIImage, orientation: CGImagePropertyOrientation? = nil, byteLimit: Int = defaultByteLimit
    ) {
        self.init(.ciImage(ciImage), orientation, byteLimit)
    }

    /// - Parameter orientation: nil to take what the file says.
    package convenience init(
        url: URL, orientation: CGImagePropertyOrientation? = nil, byteLimit: Int = defaultByteLimit
    ) {
        self.init(.url(url), orientation, byteLimit)
    }

    /// - Parameter orientation: nil to take what the bytes say.
    package convenience init(
        data: Data, orientation: CGImagePropertyOrientation? = nil, byteLimit: Int = defaultByteLimit
    ) {
        self.init(.data(data), orientation, byteLimit)
    }

    /// The size of the upright image in pixels. Opens the image, but decodes nothing.
    package func uprightSize() throws -> (width: Int, height: Int) {
        let image = try open()
        return (image.uprightWidth, image.uprightHeight)
    }

    /// The counters of the cache.
    package var statistics: CacheStatistics { cache.statistics }

    private func open() throws -> StoredImage {
        try opened.withLock { opened in
            if let opened { return opened }
            let image: StoredImage =
                switch origin {
                case .pixelBuffer(let buffer): StoredImage(pixelBuffer: buffer, orientation: explicitOrientation)
                case .image(let image): StoredImage(image: image, orientation: explicitOrientation)
                case .ciImage(let image): try StoredImage(ciImage: image, orientation: explicitOrientation)
                case .url(let url):
                    StoredImage(encoded: try EncodedImage(contentsOf: url), orientation: explicitOrientation)
                case .data(let data):
                    StoredImage(encoded: try EncodedImage(data: data), orientation: explicitOrientation)
                }
            opened = image
            return image
        }
    }

    /// Returns the whole upright image at full size in grey.
    package func fullSizeGrey() throws -> Raster {
        let (width, height) = try uprightSize()
        return try derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .grey8))
    }

    private static var noImage: ImageError { .unsupportedFormat("buffers of two components hold no image") }

    /// The byte layout in which parts of the image cost least: the stored one if there is one.
    package func cheapestByteFormat() throws -> Raster.Format {
        switch try open().pixels {
        case .raster(let raster):
            switch raster.format {
            case .greyFloat, .greyHalf, .planarRGBFloat: return .grey8
            default: return raster.format
            }
        case .yCbCr: return .rgb8
        case .encoded(let file): return file.isGrey ? .grey8 : .rgb8
        case .recipe: return .bgra8
        case .none: throw Self.noImage
        }
    }

    /// Returns the derivative, cached.
    ///
    /// - Throws: `ImageError` if the image cannot be read, or the region or size are out of range.
    package func derivative(_ derivative: Derivative) throws -> Raster {
        let image = try open()
        let wanted = try resolved(derivative, in: image)
        return try cache.value(for: .derivative(wanted)) { try make(wanted, from: image) }
    }

    /// Returns the derivative with its region limited to the image and cropped to the aspect ratio if its fit requires
    /// that.
    private func resolved(_ derivative: Derivative, in image: StoredImage) throws -> Derivative {
        var wanted = derivative
        let (width, height) = (Double(image.uprightWidth), Double(image.uprightHeight))
        let region = wanted.region
        let slack = 1e-6 * max(width, height)
        guard region.isFinite, region.width > 0, region.height > 0, region.x >= -slack, region.y >= -slack,
            region.x + region.width <= width + slack, region.y + region.height <= height + slack
        else {
            throw ImageError.invalidArgument("the region does not lie within the image")
        }
        guard wanted.width > 0, wanted.height > 0 else {
            throw ImageError.invalidArgument("a derivative must have at least one pixel")
        }
        try ImageLimits.check(width: wanted.width, height: wanted.height)
        wanted.region = region.clamped(toWidth: image.uprightWidth, height: image.uprightHeight)
        if wanted.fit == .centerCrop {
            wanted.region = wanted.region.centreCropped(toAspectOf: wanted.width, wanted.height)
            wanted.fit = .fill
        }
        return wanted
    }

    private func make(_ wanted: Derivative, from image: StoredImage) throws -> Raster {
        switch wanted.format {
        case .greyFloat, .planarRGBFloat:
            var bytes = wanted
            bytes.format = wanted.format == .greyFloat ? .grey8 : .rgb8
            (bytes.scale, bytes.bias) = (.one, .zero)
            return try derivative(bytes).normalised(to: wanted.format, scale: wanted.scale, bias: wanted.bias)
        default: break
        }
        if wanted.fit == .fit { return try letterboxed(wanted) }

        let region = image.orientation.storedRegion(
            of: wanted.region, storedWidth: Double(image.width), storedHeight: Double(image.height))
        let swaps = image.orientation.swapsAxes
        let (width, height) = swaps ? (wanted.height, wanted.width) : (wanted.width, wanted.height)
        let cut: Raster
        if let (x, y) = wholePixelOrigin(of: region, width: width, height: height) {
            let stored = try storedRaster(of: image, grey: wanted.format == .grey8, reduction: 1)
            cut = stored.cropped(x: x, y: y, width: width, height: height)
        } else {
            cut = try resampled(region, width: width, height: height, wanted, image)
        }
        return try cut.converted(to: wanted.format).oriented(image.orientation)
    }

    /// Returns the top left corner of a region that can be cropped without resampling; nil if it must be resampled.
    private func wholePixelOrigin(of region: PixelRegion, width: Int, height: Int) -> (x: Int, y: Int)? {
        guard region.width == Double(width), region.height == Double(height),
            let x = Int(exactly: region.x), let y = Int(exactly: region.y)
        else { return nil }
        return (x, y)
    }

    private func resampled(
        _ region: PixelRegion, width: Int, height: Int, _ wanted: Derivative, _ image: StoredImage
    ) throws -> Raster {
        let reduction = self.reduction(of: region, toWidth: width, height: height, image)
        let stored = try storedRaster(of: image, grey: wanted.format == .grey8, reduction: reduction)
        let key = Key.resampled(
            region, width: width, height: height, filter: wanted.filter, format: stored.format)
        return try cache.value(for: key) {
            // A reduced decode rounds its size up: scale the region by the actual size.
            let part = region.scaled(from: (image.width, image.height), to: (stored.width, stored.height))
            return try stored.resized(width: width, height: height, filter: wanted.filter, region: part)
        }
    }

    /// Returns the factor by which a file may be decoded smaller. The result is at least twice the wanted size where
    /// possible, so that the resampling filter, not the decoder, determines the quality.
    private func reduction(of region: PixelRegion, toWidth width: Int, height: Int, _ image: StoredImage) -> Int {
        guard case .encoded = image.pixels else { return 1 }
        let spare = min(region.width / Double(width), region.height / Double(height)) / 2
        return spare >= 8 ? 8 : spare >= 4 ? 4 : spare >= 2 ? 2 : 1
    }

    private func storedRaster(of image: StoredImage, grey: Bool, reduction: Int) throws -> Raster {
        switch image.pixels {
        case .raster(let raster):
            guard raster.format == .greyFloat || raster.format == .greyHalf else { return raster }
            return try cache.value(for: .stored(.grey8, reduction: 1)) { try raster.converted(to: .grey8) }
        case .yCbCr(let buffer):
            if grey, let luma = buffer.fullRangeLuma { return luma }
            let format: Raster.Format = grey ? .grey8 : .rgb8
            return try cache.value(for: .stored(format, reduction: 1)) { try Raster(buffer, as: format) }
        case .none: throw Self.noImage
        case .recipe(let recipe):
            return try cache.value(for: .stored(.bgra8, reduction: 1)) { try recipe.rendered() }
        case .encoded(let file):
            let format: Raster.Format = file.isGrey ? .grey8 : .rgb8
            return try cache.value(for: .stored(format, reduction: reduction)) {
                try file.decode(
                    to: format, minimumWidth: (image.width + reduction - 1) / reduction,
                    minimumHeight: (image.height + reduction - 1) / reduction)
            }
        }
    }

    /// Fits the whole region, uniformly scaled, into the middle of a black canvas.
    private func letterboxed(_ wanted: Derivative) throws -> Raster {
        let target = wanted.placement.target
        var inner = wanted
        inner.fit = .fill
        inner.width = Int(target.width)
        inner.height = Int(target.height)
        return try derivative(inner).padded(
            toWidth: wanted.width, height: wanted.height, x: Int(target.x), y: Int(target.y))
    }
}
