import Foundation
package import VisionImage

/// The version, mask and format information of a QR code.
package struct QRFormat: Hashable, Sendable {
    /// 1…40.
    package var version: Int
    /// 0…7.
    package var mask: Int

    /// The number of modules along a side.
    package static func side(ofVersion version: Int) -> Int { 17 + 4 * version }

    /// Returns the version with a number of data codewords at a level of error correction ("L", "M", "Q", "H"); nil
    /// where there is none.
    package static func version(dataCodewords count: Int, level: String) -> Int? {
        guard let row = ["L", "M", "Q", "H"].firstIndex(of: level) else { return nil }
        return (1...40).first { dataCodewords(ofVersion: $0, level: row) == count }
    }

    /// Returns the number of data codewords (ISO/IEC 18004): the capacity without function patterns and error
    /// correction.
    static func dataCodewords(ofVersion version: Int, level: Int) -> Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let patterns = version / 7 + 2
            modules -= (25 * patterns - 10) * patterns - 55
            if version >= 7 { modules -= 36 }
        }
        return modules / 8 - correctionPerBlock[level][version - 1] * blocks[level][version - 1]
    }

    private static let correctionPerBlock: [[Int]] = [
        [
            7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
            28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        ],
        [
            13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
    ]

    private static let blocks: [[Int]] = [
        [
            1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17,
            18, 19, 19, 20, 21, 22, 24, 25,
        ],
        [
            1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
            31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
        ],
        [
            1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38,
            40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
        ],
        [
            1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45,
            48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
        ],
    ]

    /// The version and mask of a code that was read. The mask is read in the image from the format information
    /// beside the finder patterns; nil where that is not clear.
    ///
    /// - Precondition: the image is `grey8`, the one that the corners belong to.
    package init?(of code: FoundBarcode, in image: Raster) {
        precondition(image.format == .grey8)
        guard code.format == .qr, !code.isMirrored,
            let version = Self.version(dataCodewords: code.codewords.count, level: code.errorCorrection),
            let level = ["M", "L", "H", "Q"].firstIndex(of: code.errorCorrection),
            let grid = ModuleGrid(corners: code.corners, side: Self.side(ofVersion: version))
        else { return nil }
        let side = Self.side(ofVersion: version)
        // The outer rings of the finder patterns are dark, the rings around their centres are light.
        let dark = (0...6).map { grid.value(at: $0, 0, in: image) } + (0...6).map { grid.value(at: 0, $0, in: image) }
        let light = (1...5).map { grid.value(at: $0, 1, in: image) } + (1...5).map { grid.value(at: 1, $0, in: image) }
        let (black, white) = (dark.reduce(0, +) / Double(dark.count), light.reduce(0, +) / Double(light.count))
        guard abs(white - black) > 8 else { return nil }
        let threshold = (black + white) / 2
        func bit(_ x: Int, _ y: Int) -> Int { (grid.value(at: x, y, in: image) < threshold) == (black < white) ? 1 : 0 }
        // Both copies, from bit 14 to bit 0.
        let first = [
            (0, 8), (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (7, 8), (8, 8), (8, 7), (8, 5), (8, 4), (8, 3), (8, 2),
            (8, 1), (8, 0),
        ]
        let second =
            (0...6).map { (8, side - 1 - $0) } + (0...7).map { (side - 8 + $0, 8) }
        let bits = (first + second).map { bit($0.0, $0.1) }
        let errors = (0...7).map { mask in
            let word = Self.formatBits(level: level, mask: mask)
            return bits.enumerated().reduce(0) { $0 + (($1.element ^ (word >> (14 - $1.offset % 15))) & 1) }
        }
        let order = (0...7).sorted { (errors[$0], $0) < (errors[$1], $1) }
        guard errors[order[0]] <= 6, errors[order[0]] + 4 <= errors[order[1]] else { return nil }
        self.version = version
        mask = order[0]
    }

    /// The 15 bits of the format information: BCH(15, 5), masked.
    static func formatBits(level: Int, mask: Int) -> Int {
        let data = level << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        return (data << 10 | remainder) ^ 0x5412
    }
}

/// The positions of the modules of a square code in perspective.
private struct ModuleGrid {
    /// The map from the unit square: x = (a u + b v + c) / (g u + h v + 1), y = (d u + e v + f) / (g u + h v + 1).
    private let a, b, c, d, e, f, g, h: Double
    private let side: Int

    init?(corners: [SIMD2<Double>], side: Int) {
        let (p, q, r, s) = (corners[0], corners[1], corners[2], corners[3])
        let sum = p - q + r - s
        let (one, two) = (q - r, s - r)
        let area = one.x * two.y - two.x * one.y
        guard abs(area) > 1 else { return nil }
        g = (sum.x * two.y - two.x * sum.y) / area
        h = (one.x * sum.y - sum.x * one.y) / area
        (a, b, c) = (q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x)
        (d, e, f) = (q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y)
        self.side = side
    }

    /// Returns the grey value at the centre of a module, 255 beyond the image.
    func value(at column: Int, _ row: Int, in image: Raster) -> Double {
        let (u, v) = ((Double(column) + 0.5) / Double(side), (Double(row) + 0.5) / Double(side))
        let depth = g * u + h * v + 1
        let (x, y) = ((a * u + b * v + c) / depth, (d * u + e * v + f) / depth)
        guard x.isFinite, y.isFinite, x >= 0, y >= 0, x < Double(image.width), y < Double(image.height) else {
            return 255
        }
        return image.withUnsafePixels {
            Double($0.load(fromByteOffset: Int(y) * image.rowBytes + Int(x), as: UInt8.self))
        }
    }
}
