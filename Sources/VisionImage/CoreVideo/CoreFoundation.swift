public import Foundation

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
/// A four-character code.
public typealias OSType = UInt32

/// True, as Core Foundation names it.
public let kCFBooleanTrue: CFBoolean! = true
/// False, as Core Foundation names it.
public let kCFBooleanFalse: CFBoolean! = false

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
