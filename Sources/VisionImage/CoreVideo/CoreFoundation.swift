public import Foundation

// Core Foundation's names as far as user code that makes pixel buffers and reads images needs them. The Swift types
// take their place, so that the usual casts (`attributes as CFDictionary`, `url as CFURL`) compile and cost nothing.

/// A dictionary of Core Foundation: keys are usually strings.
public typealias CFDictionary = [AnyHashable: Any]
/// A string of Core Foundation.
public typealias CFString = String
/// Bytes of Core Foundation.
public typealias CFData = Data
/// A URL of Core Foundation.
public typealias CFURL = URL
/// A truth value of Core Foundation.
public typealias CFBoolean = Bool
/// A four-character code.
public typealias OSType = UInt32

/// True, as Core Foundation names it.
public let kCFBooleanTrue: CFBoolean! = true
/// False, as Core Foundation names it.
public let kCFBooleanFalse: CFBoolean! = false

/// Chooses memory on Apple's systems. Here there is one allocator and nothing to choose: pass `kCFAllocatorDefault`.
public final class CFAllocator: Sendable {
    private init() {}
}

/// The one allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

/// Runs the closure. There is no pool to drain: objects are released when their last reference goes.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
