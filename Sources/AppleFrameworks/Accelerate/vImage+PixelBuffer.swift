import Foundation
import VisionImage

/// The components of a `vImage.PixelBuffer` and how they lie in memory.
public protocol PixelFormat {
    /// The type of a component.
    associatedtype ComponentType: BitwiseCopyable
    /// The number of planes.
    static var planeCount: Int { get }
    /// The number of components of a pixel in a plane.
    static var channelsPerPlane: Int { get }
}

extension PixelFormat {
    fileprivate static var pixelBytes: Int { channelsPerPlane * MemoryLayout<ComponentType>.size }
}

/// A format of one plane.
public protocol SinglePlanePixelFormat: PixelFormat {}
/// A format of several planes of one component each.
public protocol MultiplePlanePixelFormat: PixelFormat {
    /// The format of a plane.
    associatedtype PlanarPixelFormat: SinglePlanePixelFormat
}

extension SinglePlanePixelFormat {
    /// 1.
    public static var planeCount: Int { 1 }
}

extension MultiplePlanePixelFormat {
    /// 1.
    public static var channelsPerPlane: Int { 1 }
}

extension vImage {
    /// Bytes of one component.
    public struct Planar8: SinglePlanePixelFormat {
        /// Bytes.
        public typealias ComponentType = UInt8
        /// 1.
        public static let channelsPerPlane = 1
    }

    /// Floats of one component.
    public struct PlanarF: SinglePlanePixelFormat {
        /// Floats.
        public typealias ComponentType = Float
        /// 1.
        public static let channelsPerPlane = 1
    }

    /// Bytes of three components beside each other.
    public struct Interleaved8x3: SinglePlanePixelFormat {
        /// Bytes.
        public typealias ComponentType = UInt8
        /// 3.
        public static let channelsPerPlane = 3
    }

    /// Bytes of four components beside each other.
    public struct Interleaved8x4: SinglePlanePixelFormat {
        /// Bytes.
        public typealias ComponentType = UInt8
        /// 4.
        public static let channelsPerPlane = 4
    }

    /// Floats of three components beside each other.
    public struct InterleavedFx3: SinglePlanePixelFormat {
        /// Floats.
        public typealias ComponentType = Float
        /// 3.
        public static let channelsPerPlane = 3
    }

    /// Floats of four components beside each other.
    public struct InterleavedFx4: SinglePlanePixelFormat {
        /// Floats.
        public typealias ComponentType = Float
        /// 4.
        public static let channelsPerPlane = 4
    }

    /// Three planes of bytes.
    public struct Planar8x3: MultiplePlanePixelFormat {
        /// Bytes.
        public typealias ComponentType = UInt8
        /// A plane.
        public typealias PlanarPixelFormat = Planar8
        /// 3.
        public static let planeCount = 3
    }

    /// Three planes of floats.
    public struct PlanarFx3: MultiplePlanePixelFormat {
        /// Floats.
        public typealias ComponentType = Float
        /// A plane.
        public typealias PlanarPixelFormat = PlanarF
        /// 3.
        public static let planeCount = 3
    }

    /// A size in whole pixels.
    public struct Size: Hashable, Sendable {
        /// The number of pixels in a row.
        public var width: Int
        /// The number of rows.
        public var height: Int

        /// - Parameters:
        ///   - width: The number of pixels in a row.
        ///   - height: The number of rows.
        public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// The order of a pixel's components.
    public enum ChannelOrdering: Sendable {
        /// Alpha first.
        case ARGB
        /// Alpha last.
        case RGBA
    }

    /// An image in memory whose format is part of its type. Copies share the memory. Sizes must be positive, and those
    /// of the buffers of a conversion the same: others are programming errors.
    public struct PixelBuffer<Format: PixelFormat> {
        fileprivate let planes: [vImage_Buffer]
        /// Keeps the memory; nil for that of the caller.
        private let owner: AnyObject?

        /// The number of pixels in a row.
        public var width: Int { planes.first.map { Int($0.width) } ?? 0 }
        /// The number of rows.
        public var height: Int { planes.first.map { Int($0.height) } ?? 0 }
        /// The width and the height.
        public var size: Size { Size(width: width, height: height) }
        /// The number of components of a pixel.
        public var channelCount: Int { Format.planeCount * Format.channelsPerPlane }

        fileprivate init(planes: [vImage_Buffer], owner: AnyObject?) { (self.planes, self.owner) = (planes, owner) }

        /// Allocates an image of zeros.
        public init(width: Int, height: Int, pixelFormat: Format.Type = Format.self) {
            precondition(width > 0 && height > 0 && width < 1 << 24 && height < 1 << 24, "The size is out of range.")
            let rowBytes = (width * Format.pixelBytes + 63) / 64 * 64
            let memory = NSMutableData(length: rowBytes * height * Format.planeCount) ?? NSMutableData()
            precondition(memory.length == rowBytes * height * Format.planeCount, "There is not enough memory.")
            let planes = (0..<Format.planeCount).map { plane in
                vImage_Buffer(
                    data: memory.mutableBytes + plane * rowBytes * height, height: vImagePixelCount(height),
                    width: vImagePixelCount(width), rowBytes: rowBytes)
            }
            self.init(planes: planes, owner: memory)
        }

        /// Allocates an image of zeros.
        public init(size: Size, pixelFormat: Format.Type = Format.self) {
            self.init(width: size.width, height: size.height)
        }

        /// Calls the closure with a plane.
        public func withUnsafePixelBuffer<Result>(
            at index: Int, _ body: (PixelBuffer<Format.PlanarPixelFormat>) throws -> Result
        ) rethrows -> Result where Format: MultiplePlanePixelFormat {
            try body(PixelBuffer<Format.PlanarPixelFormat>(planes: [planes[index]], owner: owner))
        }
    }
}

extension vImage.PixelBuffer where Format: SinglePlanePixelFormat {
    /// Creates an image of the caller's memory, which is not copied.
    public init(
        data: UnsafeMutableRawPointer, width: Int, height: Int, byteCountPerRow: Int,
        pixelFormat: Format.Type = Format.self
    ) {
        precondition(width > 0 && height > 0 && byteCountPerRow >= width * Format.pixelBytes, "Rows are too short.")
        self.init(
            planes: [
                vImage_Buffer(
                    data: data, height: vImagePixelCount(height), width: vImagePixelCount(width),
                    rowBytes: byteCountPerRow)
            ], owner: nil)
    }

    /// The distance of rows in bytes.
    public var byteCountPerRow: Int { planes[0].rowBytes }

    /// The components of all pixels, row by row.
    public var array: [Format.ComponentType] {
        (0..<height).flatMap { y in
            let row = UnsafeRawPointer(planes[0].row(y)).assumingMemoryBound(to: Format.ComponentType.self)
            return Array(UnsafeBufferPointer(start: row, count: width * Format.channelsPerPlane))
        }
    }

    /// Calls the closure with a description of the memory.
    public func withUnsafePointerToVImageBuffer<Result>(
        _ body: (UnsafePointer<vImage_Buffer>) throws -> Result
    ) rethrows -> Result {
        try withUnsafePointer(to: planes[0], body)
    }

    /// Calls the closure for each row with its components and those of another image of the same size.
    func forEachRow<Other: SinglePlanePixelFormat>(
        with other: vImage.PixelBuffer<Other>,
        _ body: (UnsafeMutablePointer<Format.ComponentType>, UnsafeMutablePointer<Other.ComponentType>) -> Void
    ) {
        precondition(width == other.width && height == other.height, "The images have different sizes.")
        for y in 0..<height {
            body(
                UnsafeMutableRawPointer(planes[0].row(y)).assumingMemoryBound(to: Format.ComponentType.self),
                UnsafeMutableRawPointer(other.planes[0].row(y)).assumingMemoryBound(to: Other.ComponentType.self))
        }
    }

    /// Writes 0…255 as 0…1.
    func writeFloats<Other: SinglePlanePixelFormat>(to other: vImage.PixelBuffer<Other>)
    where Format.ComponentType == UInt8, Other.ComponentType == Float {
        var (from, to) = (components(besides: other), other.components(besides: self))
        precondition(vImageConvert_Planar8toPlanarF(&from, &to, 1, 0, 0) == kvImageNoError, "The image is too wide.")
    }

    /// Writes 0…1 as 0…255, rounded and limited; NaN as 0.
    func writeBytes<Other: SinglePlanePixelFormat>(to other: vImage.PixelBuffer<Other>)
    where Format.ComponentType == Float, Other.ComponentType == UInt8 {
        var (from, to) = (components(besides: other), other.components(besides: self))
        precondition(vImageConvert_PlanarFtoPlanar8(&from, &to, 1, 0, 0) == kvImageNoError, "The image is too wide.")
    }

    /// The components as the pixels of one plane.
    private func components<Other>(besides other: vImage.PixelBuffer<Other>) -> vImage_Buffer {
        precondition(width == other.width && height == other.height, "The images have different sizes.")
        var plane = planes[0]
        plane.width *= vImagePixelCount(Format.channelsPerPlane)
        return plane
    }
}
