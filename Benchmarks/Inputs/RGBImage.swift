/// A colour image: rows of R, G, B bytes without padding.
struct RGBImage {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height * 3)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The same image as grey bytes (BT.601 weights).
    var grey: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height) { grey, count in
            for index in 0..<(width * height) {
                let red = Int(pixels[3 * index])
                let green = Int(pixels[3 * index + 1])
                let blue = Int(pixels[3 * index + 2])
                grey[index] = UInt8((red * 4899 + green * 9617 + blue * 1868 + 8192) >> 14)
            }
            count = width * height
        }
    }

    /// The same image as B, G, R, 255 bytes.
    var bgra: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height * 4) { out, count in
            for index in 0..<(width * height) {
                out[4 * index] = pixels[3 * index + 2]
                out[4 * index + 1] = pixels[3 * index + 1]
                out[4 * index + 2] = pixels[3 * index]
                out[4 * index + 3] = 255
            }
            count = width * height * 4
        }
    }

    func cropped(x: Int, y: Int, width: Int, height: Int) -> RGBImage {
        var out: [UInt8] = []
        out.reserveCapacity(width * height * 3)
        for row in y..<(y + height) {
            let start = (row * self.width + x) * 3
            out.append(contentsOf: pixels[start..<(start + width * 3)])
        }
        return RGBImage(width: width, height: height, pixels: out)
    }
}
