import Foundation
import VisionImage

/// Reads Aztec codes and MaxiCodes (`MaxiCodeReader`) around their bull's-eyes.
///
/// The library expects an Aztec code in the centre of its image and extrapolates the perspective of a few modules.
/// So the grid of each bull's-eye in the image is extended outwards (`ModulePlane`) as far as the code says that it
/// reaches, and its modules are decoded.
struct BullsEyeReader {
    let image: Raster
    /// The map from pixels of the image to those of the image that it is a part of.
    var map = CGAffineTransform.identity
    let formats: BarcodeFormats
    var scales = PatternScales.all

    /// The radius of the largest Aztec code, and of the part that says how large a code is, in modules.
    private static let largestReach = 75
    private static let coreReach = 7

    /// What was read, and the work that it took.
    struct Finding {
        var codes: [FoundBarcode]
        var views: Int
        var pixels: Int
    }

    /// Returns the codes with their corners in pixels of the image that it is a part of.
    func read() throws -> Finding {
        var finding = Finding(codes: [], views: 0, pixels: 0)
        guard !formats.isDisjoint(with: [.aztec, .maxiCode]), min(image.width, image.height) >= 16 else {
            return finding
        }
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
            for eye in formats.contains(.aztec) ? BullsEye.find(in: field) : [] {
                let count = finding.codes.count
                try readAztec(eye, in: field, map, &finding)
                if finding.codes.count == count { readRune(eye, in: field, map, &finding) }
            }
            if formats.contains(.maxiCode) { try readMaxiCodes(in: field, map, &finding) }
        }
        return finding
    }

    /// Returns a point of the field in pixels of the image.
    private static func placed(_ point: SIMD2<Double>, _ map: CGAffineTransform) -> SIMD2<Double> {
        let placed = CGPoint(x: point.x, y: point.y).applying(map)
        return SIMD2(Double(placed.x), Double(placed.y))
    }

    private func readMaxiCodes(in field: ContrastField, _ map: CGAffineTransform, _ finding: inout Finding) throws {
        for var code in try MaxiCodeReader.codes(in: field) {
            code.corners = code.corners.map { Self.placed($0, map) }
            finding.codes.append(code)
        }
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
            Self.placed(grid.pixel(x, y) + 0.5, map)
        }
        finding.codes.append(
            FoundBarcode(
                format: .aztec, corners: (0..<4).map { corners[($0 + rune.turns) % 4] }, text: text,
                bytes: Array(text.utf8), codewords: [], errorCorrection: "", identifier: "]zC", content: .text,
                isMirrored: false, isInverted: eye.hasLightMiddle, lineCount: 0))
    }

    /// Reads the code by the size that the modules around the bull's-eye say. Where they say nothing, they are sampled
    /// again after the grid was extended as far as it seems to reach.
    private func readAztec(
        _ eye: BullsEye, in field: ContrastField, _ map: CGAffineTransform, _ finding: inout Finding
    ) throws {
        var grid = ModulePlane(centre: eye.centre, along: eye.along, down: eye.down)
        var reach = Self.coreReach
        _ = grid.grow(in: field, from: BullsEye.reach, certain: reach, to: reach)
        var sides = try self.sides(of: grid, isInverted: eye.hasLightMiddle, in: field)
        if sides.isEmpty {
            reach = grid.grow(in: field, from: reach, certain: reach, to: Self.largestReach)
            sides = try self.sides(of: grid, isInverted: eye.hasLightMiddle, in: field)
        }
        for side in sides {
            finding.views += 1
            finding.pixels += side * side
            guard
                let code = try code(of: grid, reach: reach, side: side, isInverted: eye.hasLightMiddle, in: field, map)
            else { continue }
            finding.codes.append(code)
            return
        }
    }

    private func sides(of grid: ModulePlane, isInverted: Bool, in field: ContrastField) throws -> [Int] {
        let core = grid.modules(in: field, reach: Self.coreReach, isInverted: isInverted)
        return try BarcodeReader.aztecSides(around: core, side: 2 * Self.coreReach + 1)
    }

    /// Returns the code of a grid that was fitted up to a radius.
    private func code(
        of grid: ModulePlane, reach: Int, side: Int, isInverted: Bool, in field: ContrastField, _ map: CGAffineTransform
    ) throws -> FoundBarcode? {
        var grid = grid
        if side / 2 > reach { _ = grid.grow(in: field, from: reach, certain: side / 2, to: side / 2) }
        let modules = grid.modules(in: field, reach: side / 2, isInverted: isInverted)
        guard var code = try BarcodeReader.aztecCode(of: modules, side: side) else { return nil }
        code.corners = code.corners.map { corner in
            Self.placed(grid.pixel(corner.x - Double(side) / 2, corner.y - Double(side) / 2) + 0.5, map)
        }
        code.isInverted = isInverted
        return code
    }
}
