public import Foundation
import VisionThreads

// The names of Core Foundation that user code needs to create pixel buffers and read images. They are aliases of Swift
// types, so that the usual casts (`attributes as CFDictionary`, `url as CFURL`) compile and cost nothing.

/// A dictionary of Core Foundation: keys are usually strings.
public typealias CFDictionary = [AnyHashable: Any]
/// A string of Core Foundation.
public typealias CFString = String
/// Bytes of Core Foundation.
public typealias CFData = Data
/// A URL of Core Foundation.
public typealias CFURL = URL
/// A boolean of Core Foundation.
public typealias CFBoolean = Bool
/// A list of Core Foundation.
public typealias CFArray = [Any]
/// A number of Core Foundation.
public typealias CFNumber = NSNumber
/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject
/// A position or a count.
public typealias CFIndex = Int
/// A span of time in seconds.
public typealias CFTimeInterval = Double
/// A point in time: seconds since 1 January 2001, 0:00 UTC.
public typealias CFAbsoluteTime = CFTimeInterval
/// A four-character code.
public typealias OSType = UInt32

/// True, as Core Foundation names it.
public let kCFBooleanTrue: CFBoolean! = true
/// False, as Core Foundation names it.
public let kCFBooleanFalse: CFBoolean! = false

/// Returns the current time by the system's clock, which may be set back.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Returns the number of bytes.
public func CFDataGetLength(_ theData: CFData) -> CFIndex { theData.count }

/// Returns the address of the bytes, which is valid as long as the data is referenced and not changed. Data
/// of up to 15 bytes has them at no address of its own: they are copied, and a copy of each different value is kept as
/// long as the process runs.
public func CFDataGetBytePtr(_ theData: CFData) -> UnsafePointer<UInt8>! { StableBytes.address(of: theData) }

/// Addresses of the bytes of data.
private enum StableBytes {
    /// `Data` keeps so few bytes in itself, where they have no address of their own.
    private static let longestInline = 15
    /// Copies of such data, which are kept.
    private static let copies = Locked<[Data: UnsafePointer<UInt8>]>([:])

    static func address(of data: Data) -> UnsafePointer<UInt8>? {
        guard data.count <= longestInline else {
            return data.withUnsafeBytes { $0.bindMemory(to: UInt8.self).baseAddress }
        }
        return copies.withLock { copies in
            if let known = copies[data] { return known }
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: longestInline)
            copy.initialize(repeating: 0, count: longestInline)
            data.copyBytes(to: copy, count: data.count)
            copies[data] = UnsafePointer(copy)
            return UnsafePointer(copy)
        }
    }
}

/// Returns empty data that can grow. The capacity is only a hint, and ignored.
public func CFDataCreateMutable(_ allocator: CFAllocator?, _ capacity: CFIndex) -> CFMutableData! { NSMutableData() }

/// Copies bytes; nil for a negative length.
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex) -> CFData! {
    guard length > 0, let bytes else { return length == 0 ? Data() : nil }
    return Data(bytes: bytes, count: length)
}

/// Returns the number of elements.
public func CFArrayGetCount(_ theArray: CFArray) -> CFIndex { theArray.count }

/// Returns the number of entries.
public func CFDictionaryGetCount(_ theDict: CFDictionary) -> CFIndex { theDict.count }

/// Chooses the allocator on Apple's systems. Here there is only one: pass `kCFAllocatorDefault`.
public final class CFAllocator: Sendable {
    private init() {}
}

/// The only allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

/// Runs the closure. There is no pool to drain: objects are released with their last reference.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
