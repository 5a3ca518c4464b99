import Foundation

/// A series of UUIDs of which only the first costs a call of the system's random number generator: the others count up
/// from it.
struct UUIDSeries {
    private var bytes = UUID().uuid
    private var count: UInt32 = 0

    mutating func next() -> UUID {
        defer { count &+= 1 }
        var next = bytes
        withUnsafeMutableBytes(of: &next) { bytes in
            let tail = bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
            bytes.storeBytes(of: tail &+ count, toByteOffset: 12, as: UInt32.self)
        }
        return UUID(uuid: next)
    }
}
