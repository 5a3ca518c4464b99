// Fuzzes the search of text lines in the map of a text network, and of characters in an image. Built and run by
// Scripts/fuzz.sh.

import FuzzedImages
import VisionAlgorithms
import VisionImage

/// Makes a map and an image of the bytes: noise, stripes, boards, NaNs. The text lines and characters found must be
/// finite, and not more than the limits.
private func check(_ bytes: [UInt8]) throws {
    guard bytes.count >= 8 else { return }
    let width = 1 + Int(bytes[0]), height = 1 + Int(bytes[1])
    let body = bytes[8...]
    func byte(_ index: Int) -> UInt8 {
        body.isEmpty ? 0 : body[body.startIndex + index % body.count]
    }
    let values = (0..<width * height).map { index -> Float in
        switch bytes[2] % 4 {
        // Any pattern of bits: infinities, NaNs, subnormal numbers.
        case 0: Float(bitPattern: UInt32(byte(index)) << 24 | UInt32(byte(index + 1)) << 16 | UInt32(byte(index + 2)))
        case 1: (index / Int(1 + bytes[3] % 16) + index / width / Int(1 + bytes[4] % 16)) % 2 == 0 ? 1 : 0
        default: Float(byte(index)) / 255
        }
    }
    let map = TextMap(width: width, height: height, values: values)
    let found = TextLineFinder().lines(in: map)
    let lines = TextOrder.sorted(TextLineMerging().merged(found.lines))
    precondition(lines.count <= 2_000)
    let grey = try greyImage(width: width, height: height) { byte($0 + 1) }
    // The image may differ from the map in size and shape.
    let region = PixelRegion(
        x: Double(bytes[5]), y: 0, width: Double(width) * (1 + Double(bytes[6])) / 16, height: Double(height))
    let finder = TextCharacterFinder(TextPyramid(grey, region: region))
    for line in lines.prefix(20) + found.tooTall.prefix(2) {
        precondition(line.box.quad.isFinite && (0...1).contains(line.score))
        for character in try finder.characters(of: line.box) {
            precondition(character.quad.isFinite && character.length > 0 && character.height > 0)
        }
    }
}

fuzz { try check($0) }
