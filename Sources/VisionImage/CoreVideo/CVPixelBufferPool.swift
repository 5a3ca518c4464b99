import Foundation

/// Pool attribute: the number of free buffers whose memory is kept however long they are unused.
public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// Pool attribute: the seconds after which the memory of an unused buffer is freed; 1 by default, 0 for never.
public let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// Auxiliary attribute: the number of buffers beyond which none is made.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
/// Another buffer would exceed the threshold of the auxiliary attributes.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
/// The attributes of a pool make no buffers.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// The attributes of a pixel buffer are invalid or incomplete.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682

/// Which buffers a flush frees.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
    /// The bits, as in Core Video.
    public let rawValue: UInt64
    /// Flags from their bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// All free buffers, not only old ones.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Makes pixel buffers of one size and format in memory that it uses again when they are released.
///
/// Buffers begin with zeros, are independent of the pool once they are made, and may be made and released on any
/// thread.
public final class CVPixelBufferPool: @unchecked Sendable {
    // Unchecked: the attributes never change, and the free memory is behind `mutex`.

    let geometry: PixelBufferGeometry
    let attributes: CFDictionary
    let bufferAttributes: CFDictionary
    private let minimumCount: Int
    private let maximumAge: TimeInterval

    private let mutex = NSLock()
    private var free: [(memory: PixelMemory, since: ContinuousClock.Instant)] = []
    private var used = 0

    init(_ geometry: PixelBufferGeometry, attributes: CFDictionary, bufferAttributes: CFDictionary) {
        self.geometry = geometry
        self.attributes = attributes
        self.bufferAttributes = bufferAttributes
        let count = Self.number(attributes[kCVPixelBufferPoolMinimumBufferCountKey]) ?? 0
        minimumCount = Int(min(max(count, 0), 1e6))
        let age = Self.number(attributes[kCVPixelBufferPoolMaximumBufferAgeKey]) ?? 1
        maximumAge = age > 0 ? min(age, 1e9) : 1e9
    }

    private static func number(_ value: Any?) -> Double? {
        switch value {
        case let value as Int: Double(value)
        case let value as Double where value.isFinite: value
        case let value as NSNumber: value.doubleValue.isFinite ? value.doubleValue : nil
        default: nil
        }
    }

    /// Returns the memory of a buffer, which comes back when that is released.
    ///
    /// - Parameter limit: The most buffers that may be in use.
    private func memory(limit: Int?) -> Result<PixelMemory, PixelBufferGeometry.Failure> {
        let (isAllowed, kept) = mutex.withLock { () -> (Bool, PixelMemory?) in
            if let limit, used >= limit { return (false, nil) }
            used += 1
            return (true, free.popLast()?.memory)
        }
        guard isAllowed else { return .failure(.init(code: kCVReturnWouldExceedAllocationThreshold)) }
        guard let owned = kept ?? PixelMemory(count: geometry.byteCount) else {
            mutex.withLock { used -= 1 }
            return .failure(.init(code: kCVReturnAllocationFailed))
        }
        return .success(
            PixelMemory(borrowing: owned.address, count: owned.count) { [weak self] in
                // Holds `owned`: without a pool it is freed here.
                withExtendedLifetime(owned) { self?.take(owned) }
            })
    }

    private func take(_ memory: PixelMemory) {
        mutex.withLock {
            used -= 1
            free.append((memory, .now))
        }
        discard(all: false)
    }

    /// Frees memory that is unused for too long, or all of it.
    func discard(all: Bool) {
        let oldest = ContinuousClock.now - .seconds(maximumAge)
        // What is dropped is released outside of the lock.
        let dropped = mutex.withLock {
            let old = free
            let excess = max(0, free.count + used - minimumCount)
            // The longest unused come first.
            let count = all ? free.count : min(excess, free.prefix { $0.since < oldest }.count)
            free.removeFirst(count)
            return old.prefix(count)
        }
        withExtendedLifetime(dropped) {}
    }

    func makeBuffer(limit: Int?) -> Result<CVPixelBuffer, PixelBufferGeometry.Failure> {
        discard(all: false)
        return memory(limit: limit).map { geometry.buffer(in: $0) }
    }

    static func limit(_ attributes: CFDictionary?) -> Int? {
        number(attributes?[kCVPixelBufferPoolAllocationThresholdKey]).flatMap { Int(exactly: $0.rounded(.down)) }
    }

    static func geometry(_ attributes: CFDictionary) -> Result<PixelBufferGeometry, PixelBufferGeometry.Failure> {
        guard let width = number(attributes[kCVPixelBufferWidthKey]).flatMap({ Int(exactly: $0) }),
            let height = number(attributes[kCVPixelBufferHeightKey]).flatMap({ Int(exactly: $0) }),
            let format = (attributes[kCVPixelBufferPixelFormatTypeKey] as? OSType)
                ?? number(attributes[kCVPixelBufferPixelFormatTypeKey]).flatMap({ OSType(exactly: $0) })
        else { return .failure(.init(code: kCVReturnInvalidPixelBufferAttributes)) }
        return PixelBufferGeometry.make(width, height, format, attributes)
    }
}

/// Creates a pool.
///
/// - Parameters:
///   - allocator: Ignored.
///   - poolAttributes: The `kCVPixelBufferPool…` keys.
///   - pixelBufferAttributes: Width, height and pixel format, which are needed, and what `CVPixelBufferCreate` takes.
///   - poolOut: Receives the pool; not changed on failure.
/// - Returns: `kCVReturnSuccess`, or an error code.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    let attributes = pixelBufferAttributes ?? [:]
    switch CVPixelBufferPool.geometry(attributes) {
    case .success(let geometry):
        poolOut.pointee = CVPixelBufferPool(geometry, attributes: poolAttributes ?? [:], bufferAttributes: attributes)
        return kCVReturnSuccess
    case .failure(let error): return error.code
    }
}

/// Makes a buffer of zeros, in memory of a released one where there is such.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Makes a buffer, unless more than `kCVPixelBufferPoolAllocationThresholdKey` of the auxiliary attributes are in use.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    switch pixelBufferPool.makeBuffer(limit: CVPixelBufferPool.limit(auxAttributes)) {
    case .success(let buffer):
        pixelBufferOut.pointee = buffer
        return kCVReturnSuccess
    case .failure(let error): return error.code
    }
}

/// Frees the memory of buffers that are not in use: those of at least the maximum age, or all of them.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    pool.discard(all: options.contains(.excessBuffers))
}

/// Returns the attributes that the pool was created with.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.attributes }

/// Returns the attributes of the pool's buffers.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.bufferAttributes
}
