import Foundation

/// What a Core Video function says of its success.
public typealias CVReturn = Int32
/// It worked.
public let kCVReturnSuccess: CVReturn = 0
/// It failed for a reason that has no code of its own.
public let kCVReturnError: CVReturn = -6660
/// An argument is outside its range.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// There is no memory for it.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The pixel format is not one that this package knows.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is zero, negative or too large.
public let kCVReturnInvalidSize: CVReturn = -6681

/// Attribute: rows are to start at multiples of this many bytes (a power of two).
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// Attribute: the buffer can become a CGImage. All can; accepted and ignored.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Attribute: a CGContext can draw into the buffer. Accepted and ignored.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// Attribute: memory to be shared between processes. Accepted and ignored.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// Attribute: use by Metal. Accepted and ignored.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
/// Attribute: the width of the image.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// Attribute: the height of the image.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// Attribute: the pixel format.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"

/// Called when a buffer made of the caller's bytes is released: the caller's pointer and the address of the bytes.
public typealias CVPixelBufferReleaseBytesCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

/// Sides beyond this are refused before any product of them is formed.
private let longestSide = 1 << 20

/// Makes a pixel buffer of zeros.
///
/// - Parameters:
///   - allocator: ignored.
///   - width: pixels a row, at least 1.
///   - height: rows, at least 1.
///   - pixelFormatType: one of the `kCVPixelFormatType_…` constants.
///   - pixelBufferAttributes: `kCVPixelBufferBytesPerRowAlignmentKey` has an effect; the others are accepted.
///   - pixelBufferOut: receives the buffer; left alone on failure.
/// - Returns: `kCVReturnSuccess`, or what is wrong.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let layout = PixelFormatLayout(pixelFormatType) else { return kCVReturnInvalidPixelFormat }
    guard (1...longestSide).contains(width), (1...longestSide).contains(height) else { return kCVReturnInvalidSize }
    let wanted = pixelBufferAttributes?[kCVPixelBufferBytesPerRowAlignmentKey]
    let alignment = (wanted as? Int) ?? (wanted as? NSNumber)?.intValue ?? PixelMemory.alignment
    guard alignment > 0, alignment <= 4096, alignment.nonzeroBitCount == 1 else { return kCVReturnInvalidArgument }

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
    guard let memory = PixelMemory(count: total) else { return kCVReturnAllocationFailed }
    memset(memory.address, 0, total)
    pixelBufferOut.pointee = CVBuffer(
        width: width, height: height, format: pixelFormatType, layout: layout,
        planes: sizes.map {
            CVBuffer.Plane(
                width: $0.width, height: $0.height, rowBytes: $0.rowBytes, memory: memory, offset: $0.offset)
        })
    return kCVReturnSuccess
}

/// Makes a pixel buffer of bytes that the caller owns, without copying them.
///
/// The bytes must stay valid until `releaseCallback` is called, which happens when the last user lets go.
///
/// - Parameters:
///   - baseAddress: the first byte of the top row.
///   - bytesPerRow: at least width × pixel size; rows of floats must begin at multiples of the float's size.
/// - Returns: `kCVReturnSuccess`, or what is wrong. Planar formats are refused: use
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
        // Floats are read as such: every row must begin where one may lie.
        let size = format.bytesPerPixel
        guard bytesPerRow % size == 0, Int(bitPattern: baseAddress) % size == 0 else { return kCVReturnInvalidArgument }
    }
    // The last row need not be padded to the distance between rows.
    let memory = PixelMemory(borrowing: baseAddress, count: (height - 1) * bytesPerRow + packed) {
        releaseCallback?(releaseRefCon, baseAddress)
    }
    pixelBufferOut.pointee = CVBuffer(
        width: width, height: height, format: pixelFormatType, layout: layout,
        planes: [CVBuffer.Plane(width: width, height: height, rowBytes: bytesPerRow, memory: memory, offset: 0)])
    return kCVReturnSuccess
}

/// Called when a planar buffer made of the caller's bytes is released: the caller's pointer, the data block, its size,
/// the number of planes and their addresses.
public typealias CVPixelBufferReleasePlanarBytesCallback = (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Void

/// Makes a planar pixel buffer of bytes that the caller owns, without copying them.
///
/// - Parameters:
///   - dataPtr: the block that holds the planes, or nil; only handed back to the callback.
///   - numberOfPlanes: must be the format's.
///   - planeBaseAddress, planeWidth, planeHeight, planeBytesPerRow: one entry a plane; the sizes must be the format's.
/// - Returns: `kCVReturnSuccess`, or what is wrong.
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
    // One owner for all planes: the callback must run once, after the last of them is let go.
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

/// Gives planar memory back when the last plane lets go. Without a `release` (the buffer was never made) it does nothing.
private final class PlanarOwner {
    var release: (() -> Void)?
    deinit { release?() }
}
