import CZlib

enum Inflate {
    /// The largest compression ratio of deflate: a larger claimed size is rejected before memory is allocated.
    private static let largestRatio = 1032

    /// Returns the bytes of a raw deflate stream.
    ///
    /// - Parameter count: The exact number of bytes of the result.
    /// - Throws: `WeightFileError` when the stream is damaged, ends early or gives another count.
    static func bytes(of stream: ArraySlice<UInt8>, count: Int) throws -> [UInt8] {
        let wrong = WeightFileError(.damaged, "a compressed file in the archive is damaged")
        guard count >= 0, count / largestRatio <= stream.count, let size = uInt(exactly: count),
            let streamSize = uInt(exactly: stream.count)
        else { throw wrong }
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, written in
            stream.withUnsafeBufferPointer { input in
                var state = z_stream()
                let stateSize = Int32(MemoryLayout<z_stream>.size)
                guard inflateInit2_(&state, -MAX_WBITS, zlibVersion(), stateSize) == Z_OK else { return }
                defer { inflateEnd(&state) }
                // zlib never writes to its input; its older declarations lack `const`.
                state.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                state.avail_in = streamSize
                // zlib needs an address for an empty file as well.
                var nothing: UInt8 = 0
                withUnsafeMutablePointer(to: &nothing) { nothing in
                    state.next_out = output.baseAddress ?? nothing
                    state.avail_out = size
                    result = inflate(&state, Z_FINISH) == Z_STREAM_END ? Int(size - state.avail_out) : -1
                }
            }
            written = max(0, result)
        }
        guard result == count else { throw wrong }
        return bytes
    }

    /// CRC-32 as zip archives use it.
    static func crc32(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
    }
}
