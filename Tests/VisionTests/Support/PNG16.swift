import Foundation

/// Writes PNG files of 16 bits a pixel, without compression.
enum PNG16 {
    /// The values of the frame in the upper byte, other values in the lower one.
    static func file(_ frame: GreyFrame) -> Data {
        var rows: [UInt8] = []
        for row in 0..<frame.height {
            rows.append(0)
            for column in 0..<frame.width { rows += [frame[column, row], UInt8(truncatingIfNeeded: column &* 37)] }
        }
        let header = four(frame.width) + four(frame.height) + [16, 0, 0, 0, 0]
        return Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", stored(rows))
                + chunk("IEND", []))
    }

    private static func four(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + body
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return four(body.count) + content + four(Int(~sum))
    }

    /// A zlib stream of stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < bytes.count {
            let end = min(start + 65535, bytes.count)
            let count = end - start
            let sizes = [count & 255, count >> 8, ~count & 255, (~count >> 8) & 255]
            stream += [end == bytes.count ? 1 : 0] + sizes.map { UInt8($0) } + bytes[start..<end]
            start = end
        }
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return stream + four(b << 16 | a)
    }
}
