import VisionImage
import VisionThreads

/// Resized and transposed copies of images, which several views are made of: most differ in their sharpening alone.
final class ResizedCopies: Sendable {
    struct Key: Hashable, Sendable {
        private var memory: ObjectIdentifier
        private var offset, rowBytes, width, height: Int
        private var columns, rows: Int
        private var isTransposed: Bool

        init(of image: Raster, columns: Int, rows: Int, isTransposed: Bool) {
            memory = ObjectIdentifier(image.memory)
            (offset, rowBytes) = (image.offset, image.rowBytes)
            (width, height) = (image.width, image.height)
            (self.columns, self.rows, self.isTransposed) = (columns, rows, isTransposed)
        }

        /// Whether the copy is the image itself.
        var isUnaltered: Bool { columns == width && rows == height && !isTransposed }

        /// Returns a new copy.
        func made(of image: Raster) throws -> Raster {
            var pixels = image
            if columns != width || rows != height {
                pixels = try image.resized(width: columns, height: rows, filter: .antialiasedBilinear)
            }
            return isTransposed ? try pixels.oriented(.leftMirrored) : pixels
        }
    }

    /// The maximum number of pixels of all copies.
    private static let pixelLimit = 8_000_000

    private struct Copies {
        /// With the image, so that no other one gets its memory.
        var images: [Key: (image: Raster, copy: Raster)] = [:]
        var pixels = 0
    }

    private let copies = Locked(Copies())

    /// Returns the copy of an image; threads that need it at the same time may make it more than once.
    func copy(_ key: Key, of image: Raster) throws -> Raster {
        if key.isUnaltered { return image }
        if let known = copies.withLock({ $0.images[key]?.copy }) { return known }
        let copy = try key.made(of: image)
        copies.withLock { copies in
            guard copies.images[key] == nil, copies.pixels + copy.width * copy.height <= Self.pixelLimit else { return }
            copies.pixels += copy.width * copy.height
            copies.images[key] = (image, copy)
        }
        return copy
    }
}
