import Foundation

/// An image in memory: one plane or several, each with its own distance between rows.
public typealias CVPixelBuffer = CVImageBuffer
/// An image in memory.
public typealias CVImageBuffer = CVBuffer

/// An image in memory, with its format and the attachments that describe its colours.
///
/// Made by `CVPixelBufferCreate` and its relatives and read through the functions of the same prefix, as in Core Video.
/// Rows may be further apart than width × pixel size. Two references are equal when they are the same buffer.
public final class CVBuffer: @unchecked Sendable {
    // Unchecked: the pixels belong to whoever holds the lock of `CVPixelBufferLockBaseAddress`, which is the caller's
    // promise as on Apple's systems; everything else that changes is behind `state`.

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
        var attachments: [String: Any] = [:]
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

    /// False when the buffer was not locked.
    package func unlock() -> Bool {
        mutex.withLock {
            guard state.locks > 0 else { return false }
            state.locks -= 1
            return true
        }
    }

    package func attachment(_ key: String) -> Any? { mutex.withLock { state.attachments[key] } }

    package func setAttachment(_ key: String, _ value: Any?) { mutex.withLock { state.attachments[key] = value } }
}

extension CVBuffer: Hashable {
    /// Whether both are the same buffer.
    public static func == (left: CVBuffer, right: CVBuffer) -> Bool { left === right }

    /// Feeds the buffer's identity to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// How pixels will be used while a buffer is locked.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The bits, as in Core Video.
    public let rawValue: UInt64
    /// Flags from their bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// The pixels will only be read. Accepted; there is no copy of them elsewhere to be brought up to date.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}
