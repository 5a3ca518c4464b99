import Foundation

/// The result code of a Core Video function.
public typealias CVReturn = Int32
/// Success.
public let kCVReturnSuccess: CVReturn = 0
/// An error without a code of its own.
public let kCVReturnError: CVReturn = -6660
/// An argument is out of range.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// Memory is short.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is zero, negative or too large.
public let kCVReturnInvalidSize: CVReturn = -6681

/// Attribute: the alignment of rows in bytes (a power of two).
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// Attribute: the buffer can become a CGImage. All can; accepted and ignored.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Attribute: a CGContext can draw into the buffer. Accepted and ignored.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// Attribute: memory shared between processes. Accepted and ignored.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// Attribute: use by Metal. Accepted and ignored.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
/// Attribute: the width of the image.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// Attribute: the height of the image.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// Attribute: the pixel format.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"

/// Called when a buffer of the caller's bytes is released, with the caller's pointer and the address of the bytes.
public typealias CVPixelBufferReleaseBytesCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// Larger sides are refused before they are multiplied.
private let longestSide = 1 << 20

/// Creates a pixel buffer of zeros.
///
/// - Parameters:
///   - allocator: Ignored.
///   - width: The number of pixels in a row, at least 1.
///   - height: The number of rows, at least 1.
///   - pixelFormatType: One of the `kCVPixelFormatType_…` constants.
///   - pixelBufferAttributes: `kCVPixelBufferBytesPerRowAlignmentKey` has an effect; the others are accepted.
///   - pixelBufferOut: Receives the buffer; not changed on failure.
/// - Returns: `kCVReturnSuccess`, or an error code.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    let geometry: PixelBufferGeometry
    switch PixelBufferGeometry.make(width, height, pixelFormatType, pixelBufferAttributes) {
    case .success(let made): geometry = made
    case .failure(let error): return error.code
    }
    guard let memory = PixelMemory(count: geometry.byteCount) else { return kCVReturnAllocationFailed }
    pixelBufferOut.pointee = geometry.buffer(in: memory)
    return kCVReturnSuccess
}

/// Where the planes of a buffer lie in one block of memory.
struct PixelBufferGeometry: Sendable {
    struct Failure: Error { let code: CVReturn }

    let width: Int
    let height: Int
    let format: OSType
    let layout: PixelFormatLayout
    let planes: [(width: Int, height: Int, rowBytes: Int, offset: Int)]
    /// The bytes of all planes.
    let byteCount: Int

    static func make(
        _ width: Int, _ height: Int, _ format: OSType, _ attributes: CFDictionary?
    ) -> Result<PixelBufferGeometry, Failure> {
        guard let layout = PixelFormatLayout(format) else {
            return .failure(Failure(code: kCVReturnInvalidPixelFormat))
        }
        guard (1...longestSide).contains(width), (1...longestSide).contains(height) else {
            return .failure(Failure(code: kCVReturnInvalidSize))
        }
        let wanted = attributes?[kCVPixelBufferBytesPerRowAlignmentKey]
        let alignment = (wanted as? Int) ?? (wanted as? NSNumber)?.intValue ?? PixelMemory.alignment
        guard alignment > 0, alignment <= 4096, alignment.nonzeroBitCount == 1 else {
            return .failure(Failure(code: kCVReturnInvalidArgument))
        }
        var sizes: [(width: Int, height: Int, rowBytes: Int, offset: Int)] = []
        var total = 0
        for plane in layout.planes {
            let planeWidth = (width + plane.subsampling - 1) / plane.subsampling
            let planeHeight = (height + plane.subsampling - 1) / plane.subsampling
            let rowBytes = (planeWidth * plane.bytesPerElement + alignment - 1) / alignment * alignment
            sizes.append((planeWidth, planeHeight, rowBytes, total))
            // Planes start on cache lines whatever the row alignment.
            let (lines, mask) = (rowBytes * planeHeight, PixelMemory.alignment - 1)
            total += (lines + mask) & ~mask
        }
        return .success(
            PixelBufferGeometry(
                width: width, height: height, format: format, layout: layout, planes: sizes, byteCount: total))
    }

    /// A buffer of zeros in memory of at least `byteCount` bytes.
    func buffer(in memory: PixelMemory) -> CVBuffer {
        memset(memory.address, 0, byteCount)
        return CVBuffer(
            width: width, height: height, format: format, layout: layout,
            planes: planes.map {
                CVBuffer.Plane(
                    width: $0.width, height: $0.height, rowBytes: $0.rowBytes, memory: memory, offset: $0.offset)
            })
    }
}

/// Creates a pixel buffer of bytes that the caller owns, without copying them.
///
/// The bytes must stay valid until `releaseCallback` is called, when the last reference is released.
///
/// - Parameters:
///   - baseAddress: The address of the top row.
///   - bytesPerRow: At least width × pixel size; rows of floats must start at multiples of the float's size.
/// - Returns: `kCVReturnSuccess`, or an error code. Planar formats are refused: use
///   `CVPixelBufferCreateWithPlanarBytes`.
@discardableResult
public func CVPixelBufferCreateWithBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
    _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let layout = PixelFormatLayout(pixelFormatType), !layout.isPlanar else {
        return kCVReturnInvalidPixelFormat
    }
    guard (1...longestSide).contains(width), (1...longestSide).contains(height) else { return kCVReturnInvalidSize }
    let packed = width * layout.planes[0].bytesPerElement
    guard bytesPerRow >= packed, bytesPerRow < 1 << 32 else { return kCVReturnInvalidArgument }
    if case .raster(let format) = layout.kind, format == .greyFloat || format == .greyHalf {
        // Floats are read in place, so every row must be aligned for them.
        let size = format.bytesPerPixel
        guard bytesPerRow % size == 0, Int(bitPattern: baseAddress) % size == 0 else { return kCVReturnInvalidArgument }
    }
    if case .vectors = layout.kind {
        let size = layout.planes[0].bytesPerElement / 2
        guard bytesPerRow % size == 0, Int(bitPattern: baseAddress) % size == 0 else { return kCVReturnInvalidArgument }
    }
    // The last row need not be padded to the row stride.
    let memory = PixelMemory(borrowing: baseAddress, count: (height - 1) * bytesPerRow + packed) {
        releaseCallback?(releaseRefCon, baseAddress)
    }
    pixelBufferOut.pointee = CVBuffer(
        width: width, height: height, format: pixelFormatType, layout: layout,
        planes: [CVBuffer.Plane(width: width, height: height, rowBytes: bytesPerRow, memory: memory, offset: 0)])
    return kCVReturnSuccess
}

/// Called when a planar buffer of the caller's bytes is released, with the caller's pointer, the data block, its size,
/// the number of planes and their addresses.
public typealias CVPixelBufferReleasePlanarBytesCallback = (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Void

/// Creates a planar pixel buffer of bytes that the caller owns, without copying them.
///
/// - Parameters:
///   - dataPtr: The block that holds the planes, or nil; only passed to the callback.
///   - numberOfPlanes: Must be the format's.
///   - planeBaseAddress, planeWidth, planeHeight, planeBytesPerRow: One entry a plane; the sizes must be the format's.
/// - Returns: `kCVReturnSuccess`, or an error code.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
    _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ planeWidth: UnsafeMutablePointer<Int>,
    _ planeHeight: UnsafeMutablePointer<Int>, _ planeBytesPerRow: UnsafeMutablePointer<Int>,
    _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let layout = PixelFormatLayout(pixelFormatType), layout.isPlanar else { return kCVReturnInvalidPixelFormat }
    guard (1...longestSide).contains(width), (1...longestSide).contains(height) else { return kCVReturnInvalidSize }
    guard numberOfPlanes == layout.planes.count else { return kCVReturnInvalidArgument }
    var planes: [CVBuffer.Plane] = []
    // One owner for all planes: the callback must run once, after the last of them is released.
    let addresses = (0..<numberOfPlanes).map { planeBaseAddress[$0] }
    let owner = PlanarOwner()
    for (index, plane) in layout.planes.enumerated() {
        let wantedWidth = (width + plane.subsampling - 1) / plane.subsampling
        let wantedHeight = (height + plane.subsampling - 1) / plane.subsampling
        let rowBytes = planeBytesPerRow[index]
        guard let address = addresses[index], planeWidth[index] == wantedWidth, planeHeight[index] == wantedHeight,
            rowBytes >= wantedWidth * plane.bytesPerElement, rowBytes < 1 << 32
        else { return kCVReturnInvalidArgument }
        let count = (wantedHeight - 1) * rowBytes + wantedWidth * plane.bytesPerElement
        let memory = PixelMemory(borrowing: address, count: count) { withExtendedLifetime(owner) {} }
        planes.append(
            CVBuffer.Plane(width: wantedWidth, height: wantedHeight, rowBytes: rowBytes, memory: memory, offset: 0))
    }
    owner.release = {
        var list = addresses.map { UnsafeRawPointer($0) }
        releaseCallback?(releaseRefCon, dataPtr, dataSize, numberOfPlanes, &list)
    }
    pixelBufferOut.pointee = CVBuffer(
        width: width, height: height, format: pixelFormatType, layout: layout, planes: planes)
    return kCVReturnSuccess
}

/// Returns planar memory to its owner when the last plane is released. Does nothing without a `release` (the buffer was
/// never created).
private final class PlanarOwner {
    var release: (() -> Void)?
    deinit { release?() }
}
