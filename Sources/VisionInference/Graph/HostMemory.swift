/// Copies bytes that do not overlap. Nothing else in the engine calls `copyMemory` (`Scripts/check-layers.py`).
///
/// Never inlined: where a function that throws ends in a copy or a fill, the optimiser of Swift 6.3.1 jumps to the C
/// library with the register of the error already overwritten, and the caller sees an error that nobody threw.
@inline(never)
package func copyBytes(_ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    target.copyMemory(from: source, byteCount: count)
}

/// Sets bytes to zero. Never inlined for the reason that `copyBytes` tells.
@inline(never)
func clearBytes(_ count: Int, at target: UnsafeMutableRawPointer) {
    target.initializeMemory(as: UInt8.self, repeating: 0, count: count)
}
