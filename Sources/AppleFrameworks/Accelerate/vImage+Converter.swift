public import Foundation
import VisionImage

/// A conversion between two layouts of pixels.
public final class vImageConverter: Sendable {
    private let source, target: BitmapLayout
    private let order: (from: CGBitmapInfo, to: CGBitmapInfo)
    private let spaces: (from: CGColorSpace, to: CGColorSpace)
    private let background: [CGFloat]

    /// The format has a layout that is not supported where this is nil.
    fileprivate init?(_ source: vImage_CGImageFormat, _ target: vImage_CGImageFormat, background: [CGFloat]) {
        guard let from = source.layout, let to = target.layout else { return nil }
        (self.source, self.target) = (from, to)
        order = (source.bitmapInfo, target.bitmapInfo)
        spaces = (source.space, target.space)
        self.background = background
    }

    /// Creates a conversion.
    ///
    /// - Throws: `vImage.Error.invalidImageFormat` for layouts that are not supported.
    public static func make(
        sourceFormat: vImage_CGImageFormat, destinationFormat: vImage_CGImageFormat,
        flags: vImage.Options = .noFlags
    ) throws -> vImageConverter {
        guard let converter = vImageConverter(sourceFormat, destinationFormat, background: [0, 0, 0]) else {
            throw vImage.Error.invalidImageFormat
        }
        return converter
    }

    /// Writes the pixels of a buffer to another one, in its layout.
    ///
    /// - Throws: `vImage.Error`.
    public func convert(
        source: vImage_Buffer, destination: inout vImage_Buffer, flags: vImage.Options = .noFlags
    ) throws {
        let status = convert(source, destination)
        if status != kvImageNoError { throw vImage.Error(rawValue: status) ?? .invalidParameter }
    }

    /// Whether the layouts differ.
    fileprivate var isNeeded: Bool {
        source.bytesPerPixel != target.bytesPerPixel || order.from != order.to || spaces.from.model != spaces.to.model
    }

    fileprivate func convert(_ input: vImage_Buffer, _ output: vImage_Buffer) -> vImage_Error {
        let size = source.bytesPerPixel
        if let error = input.error(bytesPerPixel: size) ?? output.error(bytesPerPixel: target.bytesPerPixel) {
            return error
        }
        guard input.width >= output.width, input.height >= output.height else {
            return kvImageRoiLargerThanInputBuffer
        }
        // As an image of the source's layout, which knows how to become one of the target's.
        let (width, height) = (Int(output.width), Int(output.height))
        let bytes = (0..<height).reduce(into: Data(capacity: width * height * size)) { data, row in
            data.append(input.row(row), count: width * size)
        }
        guard let provider = CGDataProvider(data: bytes),
            let image = CGImage(
                width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 8 * size, bytesPerRow: width * size,
                space: spaces.from, bitmapInfo: order.from, provider: provider, decode: nil, shouldInterpolate: false,
                intent: .defaultIntent)
        else { return kvImageInvalidImageFormat }
        var (buffer, format) = (
            output,
            vImage_CGImageFormat(
                bitsPerComponent: 8, bitsPerPixel: UInt32(8 * target.bytesPerPixel),
                colorSpace: .passUnretained(spaces.to), bitmapInfo: order.to)
        )
        return vImageBuffer_InitWithCGImage(
            &buffer, &format, background, image, vImage_Flags(kvImageNoAllocate))
    }
}

/// Creates a conversion between two layouts; nil, with the reason in `error`, for layouts that are not supported.
///
/// - Parameters:
///   - backgroundColor: Red, green and blue under transparent pixels where the target has no alpha; nil for black.
///   - error: May be nil.
public func vImageConverter_CreateWithCGImageFormat(
    _ srcFormat: UnsafePointer<vImage_CGImageFormat>, _ destFormat: UnsafePointer<vImage_CGImageFormat>,
    _ backgroundColor: UnsafePointer<CGFloat>?, _ flags: vImage_Flags, _ error: UnsafeMutablePointer<vImage_Error>?
) -> Unmanaged<vImageConverter>! {
    let background = (0..<3).map { backgroundColor?[$0] ?? 0 }
    let converter = vImageConverter(srcFormat.pointee, destFormat.pointee, background: background)
    error?.pointee = converter == nil ? kvImageInvalidImageFormat : kvImageNoError
    return converter.map { Unmanaged.passRetained($0) }
}

/// Returns `kvImageNoError` where both layouts are the same, so that there is nothing to be converted;
/// `kvImageOutOfPlaceOperationRequired` otherwise.
public func vImageConverter_MustOperateOutOfPlace(
    _ converter: vImageConverter, _ srcs: UnsafePointer<vImage_Buffer>?, _ dests: UnsafePointer<vImage_Buffer>?,
    _ flags: vImage_Flags
) -> vImage_Error {
    converter.isNeeded ? kvImageOutOfPlaceOperationRequired : kvImageNoError
}

/// Writes the pixels of a buffer to another one in the layout of a conversion. They must not share memory.
@discardableResult
public func vImageConvert_AnyToAny(
    _ converter: vImageConverter, _ srcs: UnsafePointer<vImage_Buffer>, _ dests: UnsafePointer<vImage_Buffer>,
    _ tempBuffer: UnsafeMutableRawPointer?, _ flags: vImage_Flags
) -> vImage_Error {
    converter.convert(srcs.pointee, dests.pointee)
}
