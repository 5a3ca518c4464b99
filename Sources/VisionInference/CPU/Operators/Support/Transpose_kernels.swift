internal import CVisionKernels

/// Transposes a block of 32-bit words; steps are in words. Columns of the source lie together.
func transposeBlock(
    _ target: UnsafeMutablePointer<UInt32>, _ targetRow: Int, _ source: UnsafePointer<UInt32>, _ sourceColumn: Int,
    rows: Int, columns: Int
) {
    // Bits of floats are only copied.
    let bytes = (UnsafeMutableRawPointer(target), UnsafeRawPointer(source))
    cvk_f32_transpose(
        bytes.0.assumingMemoryBound(to: Float.self), 4 * targetRow, bytes.1.assumingMemoryBound(to: Float.self),
        4 * sourceColumn, Int32(rows), Int32(columns))
}
