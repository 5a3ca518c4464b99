import CZlib

/// Unpacks a gzip stream piece by piece.
final class GzipStream {
    private let packed: [UInt8]
    private var state = z_stream()
    private var position = 0
    private var isAtEnd = false
    /// Bytes that may still come out of it.
    private var remaining: Int

    /// - Parameter limit: The most bytes that may be read.
    /// - Throws: `WeightFileError` where zlib has no memory.
    init(_ packed: [UInt8], limit: Int) throws {
        self.packed = packed
        remaining = limit
        // 16 more than the largest window: with the header of gzip.
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&state, MAX_WBITS + 16, zlibVersion(), size) == Z_OK else {
            throw WeightFileError(.damaged, "the archive cannot be unpacked")
        }
    }

    deinit { inflateEnd(&state) }

    /// Returns the next bytes.
    ///
    /// - Throws: `WeightFileError` when the stream is damaged or ends before them.
    func read(_ count: Int) throws -> [UInt8] {
        var failure: WeightFileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            do { try fill(buffer) } catch let error as WeightFileError { failure = error } catch {}
            written = failure == nil ? count : 0
        }
        if let failure { throw failure }
        return bytes
    }

    /// - Throws: `WeightFileError` when the stream is damaged or ends before them.
    func skip(_ count: Int) throws {
        var left = count
        while left > 0 {
            let step = min(left, 1 << 16)
            _ = try read(step)
            left -= step
        }
    }

    private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) throws {
        guard buffer.count <= remaining else {
            throw WeightFileError(.damaged, "the archive holds more than it may")
        }
        remaining -= buffer.count
        var done = 0
        while done < buffer.count {
            let before = done
            guard !isAtEnd, let base = buffer.baseAddress else { throw Self.cutOff }
            // Pieces that zlib's 32-bit counts can hold.
            let room = uInt(min(buffer.count - done, 1 << 24))
            let part = uInt(min(packed.count - position, 1 << 24))
            let result = packed.withUnsafeBufferPointer { input -> Int32 in
                // zlib never writes to its input; its older declarations lack `const`.
                state.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + position })
                state.avail_in = part
                state.next_out = base + done
                state.avail_out = room
                return inflate(&state, Z_NO_FLUSH)
            }
            position += Int(part - state.avail_in)
            done += Int(room - state.avail_out)
            isAtEnd = result == Z_STREAM_END
            guard result == Z_OK || result == Z_STREAM_END else { throw Self.cutOff }
            guard isAtEnd || done > before || state.avail_in < part else { throw Self.cutOff }
        }
    }

    private static let cutOff = WeightFileError(.damaged, "the archive is damaged or cut off")
}
