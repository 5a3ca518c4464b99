import Foundation
import VisionImage

/// Reads Aztec codes around their bull's-eyes.
///
/// The library expects an Aztec code in the centre of its image and extrapolates the perspective of a few modules. So
/// the grid of each bull's-eye in the image is extended outwards (`ModulePlane`), and its modules are drawn as a new
/// image, upright and black on white.
struct BullsEyeReader {
    let image: Raster
    /// The map from pixels of the image to those of the image that it is a part of.
    var map = CGAffineTransform.identity
    let formats: BarcodeFormats
    var scales = PatternScales.all

    /// The largest radius of an Aztec code, of a compact one and of a rune, in modules.
    private static let aztecReach = 75
    private static let compactReaches = [13, 5]

    /// The maximum number of pixels that are read for one bull's-eye; for the limits of the whole.
    struct Finding {
        var codes: [FoundBarcode]
        var views: Int
        var pixels: Int
    }

    /// Returns the codes with their corners in pixels of the image that it is a part of.
    func read() throws -> Finding {
        var finding = Finding(codes: [], views: 0, pixels: 0)
        guard formats.contains(.aztec), min(image.width, image.height) >= 16 else { return finding }
        for scale in scales.factors(width: image.width, height: image.height) where finding.codes.isEmpty {
            let (width, height) = (
                max(1, Int((Double(image.width) * scale).rounded())),
                max(1, Int((Double(image.height) * scale).rounded()))
            )
            let pixels =
                width == image.width && height == image.height
                ? image : try image.resized(width: width, height: height, filter: .antialiasedBilinear)
            let map = CGAffineTransform(
                a: Double(image.width) / Double(width), b: 0, c: 0, d: Double(image.height) / Double(height), tx: 0,
                ty: 0
            ).concatenating(map)
            let field = try ContrastField(of: pixels)
            for eye in BullsEye.find(in: field) {
                let count = finding.codes.count
                try readAztec(eye, in: field, map, &finding)
                if finding.codes.count == count { readRune(eye, in: field, map, &finding) }
            }
        }
        return finding
    }

    /// Reads the core of the code as a rune, which the library does not support.
    private func readRune(
        _ eye: BullsEye, in field: ContrastField, _ map: CGAffineTransform, _ finding: inout Finding
    ) {
        var grid = ModulePlane(centre: eye.centre, along: eye.along, down: eye.down)
        _ = grid.grow(in: field, from: BullsEye.reach, certain: AztecRune.reach, to: AztecRune.reach)
        guard
            let rune = AztecRune.value({ grid.isDark($0, $1, in: field, isInverted: eye.hasLightMiddle) })
        else { return }
        let text = (rune.value < 10 ? "00" : rune.value < 100 ? "0" : "") + String(rune.value)
        let half = Double(AztecRune.reach) + 0.5
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)].map { x, y in
            let pixel = grid.pixel(x, y)
            let point = CGPoint(x: pixel.x + 0.5, y: pixel.y + 0.5).applying(map)
            return SIMD2(Double(point.x), Double(point.y))
        }
        finding.codes.append(
            FoundBarcode(
                format: .aztec, corners: (0..<4).map { corners[($0 + rune.turns) % 4] }, text: text,
                bytes: Array(text.utf8), codewords: [], errorCorrection: "", identifier: "]zC", content: .text,
                isMirrored: false, isInverted: eye.hasLightMiddle, lineCount: 0))
    }

    private func readAztec(
        _ eye: BullsEye, in field: ContrastField, _ map: CGAffineTransform, _ finding: inout Finding
    ) throws {
        var grid = ModulePlane(centre: eye.centre, along: eye.along, down: eye.down)
        let found = grid.grow(in: field, from: BullsEye.reach, certain: 7, to: Self.aztecReach)
        let (module, margin) = (4, 3)
        for reach in [found] + Self.compactReaches.filter({ $0 < found }) {
            let view = try grid.drawn(
                from: field, reach: reach, module: module, margin: margin, isInverted: eye.hasLightMiddle)
            finding.views += 1
            finding.pixels += view.width * view.height
            var options = BarcodeReader.Options(formats: .aztec)
            options.shrinks = false
            let codes = try BarcodeReader.codes(in: view, options)
            guard codes.isEmpty else {
                let middle = Double(reach) + 0.5 + Double(margin)
                finding.codes += codes.map { code in
                    var placed = code
                    placed.corners = code.corners.map { corner in
                        let pixel = grid.pixel(corner.x / Double(module) - middle, corner.y / Double(module) - middle)
                        let point = CGPoint(x: pixel.x + 0.5, y: pixel.y + 0.5).applying(map)
                        return SIMD2(Double(point.x), Double(point.y))
                    }
                    placed.isInverted = eye.hasLightMiddle
                    return placed
                }
                return
            }
        }
    }
}
