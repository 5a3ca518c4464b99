import Foundation

/// An image in memory: one plane or several, each with its own row stride.
public typealias CVPixelBuffer = CVImageBuffer
/// An image in memory.
public typealias CVImageBuffer = CVBuffer

/// An image in memory, with its format and the attachments that describe its colours.
///
/// Created by `CVPixelBufferCreate` and related functions and read through the functions of the same prefix, as in Core
/// Video. The row stride may exceed width × pixel size. Two references are equal if they are the same buffer.
public final class CVBuffer: @unchecked Sendable {
    // Unchecked: the pixels belong to the holder of the lock of `CVPixelBufferLockBaseAddress`, which the caller must
    // respect as on Apple's systems; all other mutable state is behind `state`.

    package struct Plane: Sendable {
        package let width: Int
        package let height: Int
        package let rowBytes: Int
        package let memory: PixelMemory
        package let offset: Int

        package var address: UnsafeMutableRawPointer { memory.address + offset }
    }

    package let width: Int
    package let height: Int
    package let format: OSType
    package let layout: PixelFormatLayout
    package let planes: [Plane]

    private struct State {
        var locks = 0
        var attachments = Attachments()
    }
    private let mutex = NSLock()
    private var state = State()

    package init(width: Int, height: Int, format: OSType, layout: PixelFormatLayout, planes: [Plane]) {
        self.width = width
        self.height = height
        self.format = format
        self.layout = layout
        self.planes = planes
    }

    package func lock() { mutex.withLock { state.locks += 1 } }

    /// Returns false if the buffer was not locked.
    package func unlock() -> Bool {
        mutex.withLock {
            guard state.locks > 0 else { return false }
            state.locks -= 1
            return true
        }
    }

    /// Reads or changes the attachments.
    func withAttachments<Result>(_ body: (inout Attachments) -> Result) -> Result {
        mutex.withLock { body(&state.attachments) }
    }

    func attachment(_ key: String) -> Any? { withAttachments { $0[key]?.value } }
}

extension CVBuffer: Hashable {
    /// Returns whether both are the same buffer.
    public static func == (left: CVBuffer, right: CVBuffer) -> Bool { left === right }

    /// Feeds the buffer's identity to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The use of the pixels while a buffer is locked.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The bits, as in Core Video.
    public let rawValue: UInt64
    /// Flags from their bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// The pixels will only be read. Accepted; there is no other copy that would need an update.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}
