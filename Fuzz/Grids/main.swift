// Fuzzes the search for 2-D barcodes: finder patterns, borders, grids and their modules. Built and run by
// Scripts/fuzz.sh.

import FuzzedImages
import VisionAlgorithms
import VisionImage

/// Draws figures from the bytes: concentric squares of finder patterns, rings, borders of Data Matrix symbols, blocks
/// and noise, anywhere and of any size. The image must be searched without a trap, and the corners of what is found
/// must be finite.
private func check(_ bytes: [UInt8]) throws {
    guard bytes.count >= 4 else { return }
    let width = 1 + 3 * Int(bytes[0]), height = 1 + 3 * Int(bytes[1])
    var pixels = [UInt8](repeating: bytes[2], count: width * height)
    func fill(_ x: Int, _ y: Int, _ columns: Int, _ rows: Int, _ value: UInt8) {
        for row in max(0, y)..<max(0, y, min(height, y + rows)) {
            for column in max(0, x)..<max(0, x, min(width, x + columns)) { pixels[row * width + column] = value }
        }
    }
    // Five bytes a figure: its kind, its position, the size of a module, its colour.
    for start in stride(from: 4, to: min(bytes.count - 4, 4 + 5 * 40), by: 5) {
        let (x, y) = (3 * Int(bytes[start + 1]), 3 * Int(bytes[start + 2]))
        let (module, dark) = (1 + Int(bytes[start + 3] % 12), bytes[start + 4])
        switch bytes[start] % 6 {
        case 0, 1:
            // Squares of 7, 5 and 3 modules; of 11 and 9 as well where it is the centre of an Aztec code.
            let outermost = bytes[start] % 6 == 0 ? 3 : 5
            for ring in stride(from: outermost, through: 0, by: -1) {
                let side = (2 * ring + 1) * module
                let isDark = outermost == 3 ? ring != 2 : ring % 2 == 0
                fill(x - ring * module, y - ring * module, side, side, isDark ? dark : ~dark)
            }
        case 2:
            let count = 8 + Int(dark % 40)
            fill(x, y, module, count * module, 20)
            fill(x, y + (count - 1) * module, count * module, module, 20)
            for index in stride(from: 0, to: count, by: 2) {
                fill(x + index * module, y, module, module, 20)
                fill(x + (count - 1) * module, y + (index + 1) * module, module, module, 20)
            }
        case 3: fill(x, y, 4 * module, 4 * module, dark)
        case 4:
            // The rings of a MaxiCode, wider than high or higher than wide.
            let (half, stretch) = (5 * module, 4 + Int(dark % 8))
            for row in -half...half {
                for column in -half...half {
                    let (u, v) = (8 * column, (dark & 16 == 0 ? 8 : stretch) * row)
                    let ring = Int(Double(u * u + v * v).squareRoot()) / (6 * module)
                    if ring < 6 { fill(x + column, y + row, 1, 1, ring % 2 == 1 ? dark : ~dark) }
                }
            }
        default:
            var state = UInt32(dark) &* 2_654_435_761 &+ UInt32(start)
            for row in 0..<12 * module {
                for column in 0..<12 * module {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    fill(x + column, y + row, 1, 1, UInt8(state >> 24))
                }
            }
        }
    }
    let image = try greyImage(width: width, height: height) { pixels[$0] }
    let formats: [BarcodeFormats] = [.qr, .dataMatrix, .aztec, .maxiCode, [.qr, .dataMatrix, .aztec, .maxiCode]]
    for code in try BarcodeScanner(image: image, formats: formats[Int(bytes[3]) % 5], threads: 1).codes() {
        precondition(code.corners.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    }
}

fuzz { try check($0) }
