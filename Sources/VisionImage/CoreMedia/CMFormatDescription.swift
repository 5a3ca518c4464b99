public import Foundation

/// The result code of a function; 0 is success.
public typealias OSStatus = Int32
/// Success.
public let noErr: OSStatus = 0
/// Four characters as a number.
public typealias FourCharCode = UInt32
/// A kind of media as four characters.
public typealias CMMediaType = FourCharCode
/// Video.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// A pixel format or codec as four characters.
public typealias CMVideoCodecType = FourCharCode

/// The size and the pixel format of a frame.
public typealias CMVideoFormatDescription = CMFormatDescription

/// The size and the pixel format of a frame. Other media have no description here.
public final class CMFormatDescription: Sendable, Hashable {
    /// The size in pixels.
    public let dimensions: CMVideoDimensions
    let format: OSType

    init(_ dimensions: CMVideoDimensions, _ format: OSType) {
        self.dimensions = dimensions
        self.format = format
    }

    convenience init(_ buffer: CVImageBuffer) {
        // Sides are at most 2^20.
        self.init(CMVideoDimensions(width: Int32(buffer.width), height: Int32(buffer.height)), buffer.format)
    }

    /// Whether both describe the same size and format.
    public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
        left.dimensions == right.dimensions && left.format == right.format
    }

    /// Feeds the size and the format to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dimensions)
        hasher.combine(format)
    }
}

/// The size of a video frame in pixels.
public struct CMVideoDimensions: Sendable, Hashable {
    /// The number of pixels in a row.
    public var width: Int32
    /// The number of rows.
    public var height: Int32

    /// Creates an empty size.
    public init() { (width, height) = (0, 0) }

    /// Creates a size.
    public init(width: Int32, height: Int32) { (self.width, self.height) = (width, height) }
}

/// Returns the size in pixels.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions {
    videoDesc.dimensions
}

/// Returns the size in pixels. Pixels are square and nothing is cropped, so both options have no effect.
public func CMVideoFormatDescriptionGetPresentationDimensions(
    _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
    CGSize(width: Int(videoDesc.dimensions.width), height: Int(videoDesc.dimensions.height))
}

/// Returns `kCMMediaType_Video`.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { kCMMediaType_Video }

/// Returns the pixel format.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.format }

/// Creates the description of a frame.
///
/// - Parameters:
///   - allocator: Ignored.
///   - formatDescriptionOut: Receives the description.
/// - Returns: `noErr`.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(imageBuffer)
    return noErr
}

/// Creates a description. The sides of a frame are at least 1: other numbers give
/// `kCMFormatDescriptionError_InvalidParameter`.
///
/// - Parameters:
///   - allocator, extensions: Ignored.
///   - codecType: A pixel format.
@discardableResult
public func CMVideoFormatDescriptionCreate(
    allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    guard width > 0, height > 0 else { return kCMFormatDescriptionError_InvalidParameter }
    formatDescriptionOut.pointee = CMFormatDescription(CMVideoDimensions(width: width, height: height), codecType)
    return noErr
}

/// An argument is out of range.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// Whether the description is that of the frame.
public func CMVideoFormatDescriptionMatchesImageBuffer(
    _ desc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
    desc == CMFormatDescription(imageBuffer)
}
