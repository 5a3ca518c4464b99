/// An EAN-13 as bars, for images with a code in them.
struct EAN13 {
    /// The 95 modules, true where dark.
    let modules: [Bool]

    /// - Parameter digits: the first twelve; the check digit is computed.
    init(_ digits: [Int]) {
        precondition(digits.count == 12 && digits.allSatisfy { (0...9).contains($0) })
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        let all = digits + [(10 - sum % 10) % 10]
        // Seven modules a digit; those of the other sets are the complement and its mirror image.
        let odd = [0x0D, 0x19, 0x13, 0x3D, 0x23, 0x31, 0x2F, 0x3B, 0x37, 0x0B]
        // Which of the six digits on the left are written in the even set, by the first digit.
        let even = [0x00, 0x0B, 0x0D, 0x0E, 0x13, 0x19, 0x1C, 0x15, 0x16, 0x1A]
        func bits(_ pattern: Int, reversed: Bool = false) -> [Bool] {
            (0..<7).map { pattern >> (reversed ? $0 : 6 - $0) & 1 == 1 }
        }
        var modules = [true, false, true]
        for digit in 1...6 {
            let pattern = odd[all[digit]]
            modules += even[all[0]] >> (6 - digit) & 1 == 1 ? bits(pattern ^ 0x7F, reversed: true) : bits(pattern)
        }
        modules += [false, true, false, true, false]
        for digit in 7...12 { modules += bits(odd[all[digit]] ^ 0x7F) }
        self.modules = modules + [true, false, true]
    }

    /// Draws the code into the centre of an image, with its quiet zone.
    func draw(in image: inout RGBImage, moduleWidth: Int) {
        let (width, height) = ((modules.count + 20) * moduleWidth, 50 * moduleWidth)
        let (left, top) = ((image.width - width) / 2, (image.height - height) / 2)
        precondition(left >= 0 && top >= 0)
        for y in top..<top + height {
            for x in 0..<width {
                let module = x / moduleWidth - 10
                let value: UInt8 = modules.indices.contains(module) && modules[module] ? 25 : 230
                let offset = (y * image.width + left + x) * 3
                for channel in 0..<3 { image.pixels[offset + channel] = value }
            }
        }
    }
}
