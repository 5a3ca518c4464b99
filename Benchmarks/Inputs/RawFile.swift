import Foundation

/// Frames as another program wrote them: a line of text "openvision-raw FORMAT WIDTH HEIGHT FRAMES", then the pixels of
/// all frames, rows without padding. FORMAT is grey8, rgb8, bgr8, bgra8 or greyfloat (32-bit, native byte order).
struct RawFile {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    let format: String
    let width: Int
    let height: Int
    let frames: [[UInt8]]

    init(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let newline = data.firstIndex(of: 10) else { throw Malformed(description: "\(path): no header line") }
        let words = String(decoding: data[..<newline], as: UTF8.self).split(separator: " ")
        let bytesPerPixel = ["grey8": 1, "rgb8": 3, "bgr8": 3, "bgra8": 4, "greyfloat": 4]
        guard words.count == 5, words[0] == "openvision-raw", let bytes = bytesPerPixel[String(words[1])],
            let width = Int(words[2]), let height = Int(words[3]), let count = Int(words[4]),
            (1...65536).contains(width), (1...65536).contains(height), (1...10_000).contains(count)
        else { throw Malformed(description: "\(path): header is not \"openvision-raw FORMAT WIDTH HEIGHT FRAMES\"") }
        let size = width * height * bytes
        guard data.count - newline - 1 == size * count else {
            throw Malformed(description: "\(path): \(data.count - newline - 1) bytes of pixels, not \(size * count)")
        }
        format = String(words[1])
        self.width = width
        self.height = height
        frames = (0..<count).map { frame in
            let start = newline + 1 + frame * size
            return [UInt8](data[start..<(start + size)])
        }
    }
}
