import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// Aztec runes, drawn here: the library neither writes nor reads them.
final class AztecRuneTests: XCTestCase {
    /// Whether a module is dark, counted from the middle, as ISO/IEC 24778 has it for the mode message of a value.
    private func isDark(_ x: Int, _ y: Int, bits: [Bool]) -> Bool {
        let ring = max(abs(x), abs(y))
        if ring < 5 { return ring % 2 == 0 }
        guard ring == 5 else { return false }
        switch (x, y) {
        case (-5, -5), (-5, -4), (-4, -5), (5, -5), (5, -4), (5, 4): return true
        case (-3...3, -5): return bits[x + 3]
        case (5, -3...3): return bits[7 + y + 3]
        case (-3...3, 5): return bits[14 + 3 - x]
        case (-5, -3...3): return bits[21 + 3 - y]
        default: return false
        }
    }

    /// A rune in the middle of an image: turned, seen at an angle, light on dark.
    private func image(_ bits: [Bool], scale: Double, turn: Double, tilt: Double, isInverted: Bool) throws -> Raster {
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        return try Raster(width: 240, height: 200, format: .grey8) { address, rowBytes in
            for y in 0..<200 {
                for x in 0..<240 {
                    var sum = 0.0
                    for sample in 0..<9 {
                        let px = Double(x) + (Double(sample % 3) + 0.5) / 3 - 120
                        let py = Double(y) + (Double(sample / 3) + 0.5) / 3 - 100
                        let (a, b) = ((c * px + s * py) / scale, (c * py - s * px) / scale)
                        let w = 1 - tilt * a
                        let (u, v) = (Int((a / w).rounded()), Int((b / w).rounded()))
                        sum += isDark(u, v, bits: bits) != isInverted ? 40 : 200
                    }
                    address.storeBytes(of: UInt8(sum / 9), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    private func bits(of value: UInt8) -> [Bool] {
        AztecRune.words(of: value).flatMap { word in (0..<4).map { word & (8 >> $0) != 0 } }
    }

    func testWordsAreDistinctAndChecked() {
        // Zero has no check words but zeros; every second bit is inverted.
        XCTAssertEqual(AztecRune.words(of: 0), [UInt8](repeating: 0b1010, count: 7))
        let all = (0...255).map { AztecRune.words(of: UInt8($0)) }
        for (index, words) in all.enumerated() {
            XCTAssertEqual(words.count, 7)
            for other in all[..<index] {
                XCTAssertGreaterThanOrEqual(zip(words, other).filter { $0 != $1 }.count, 6)
            }
        }
    }

    func testRunesAreRead() throws {
        for (value, text) in [(0, "000"), (7, "007"), (68, "068"), (223, "223"), (255, "255")] {
            for (turn, tilt, isInverted) in [(0.0, 0.0, false), (25, 0, true), (90, 0.01, false), (200, -0.01, false)] {
                let image = try image(
                    bits(of: UInt8(value)), scale: 8, turn: turn, tilt: tilt, isInverted: isInverted)
                let found = try BarcodeScanner(image: image, formats: .aztec, threads: 1).codes()
                XCTAssertEqual(found.map(\.text), [text], "\(turn)°, \(tilt)")
                XCTAssertEqual(found.first?.isInverted, isInverted)
                // The corner at the top left of the rune itself is the first one.
                guard let corner = found.first?.corners.first, tilt == 0 else { continue }
                let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
                XCTAssertEqual(corner.x, 120 + 44 * (s - c), accuracy: 3)
                XCTAssertEqual(corner.y, 100 - 44 * (s + c), accuracy: 3)
            }
        }
    }

    func testOneWrongWordIsCorrectedAndTwoAreRefused() throws {
        var damaged = bits(of: 170)
        damaged[9].toggle()
        damaged[10].toggle()
        func read(_ bits: [Bool]) throws -> [String] {
            let image = try image(bits, scale: 8, turn: 0, tilt: 0, isInverted: false)
            return try BarcodeScanner(image: image, formats: .aztec, threads: 1).codes().map(\.text)
        }
        XCTAssertEqual(try read(damaged), ["170"])
        damaged[20].toggle()
        // ZXing-C++ 2.3, which reads runes as well, does not refuse it.
        if BarcodeReader.givesCodewords { XCTAssertEqual(try read(damaged), []) }
        XCTAssertEqual(try read([Bool](repeating: false, count: 28)), [])
    }
}
