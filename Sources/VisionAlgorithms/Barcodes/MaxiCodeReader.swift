import Foundation
import VisionImage

/// Reads MaxiCodes around their bull's-eyes, in any rotation and perspective. The library reads those that fill the
/// image and are upright, so it is given a drawing of the modules.
enum MaxiCodeReader {
    /// The side of a module in the drawing.
    private static let side = 4

    /// Returns the codes with their corners in pixels of the field.
    static func codes(in field: ContrastField) throws -> [FoundBarcode] {
        var codes: [FoundBarcode] = []
        for target in RingTarget.find(in: field) {
            search: for plane in HexagonPlane.planes(around: target, in: field) {
                for sixths in 0..<6 {
                    let turned = plane.turned(by: sixths, in: field)
                    guard var code = try code(of: turned, in: field) else { continue }
                    code.isInverted = target.hasDarkMiddle
                    codes.append(code)
                    break search
                }
            }
        }
        return codes
    }

    private static func code(of plane: HexagonPlane, in field: ContrastField) throws -> FoundBarcode? {
        var options = BarcodeReader.Options(formats: .maxiCode)
        (options.rotates, options.shrinks) = (false, false)
        guard var code = try BarcodeReader.codes(drawn: drawing(of: plane, in: field), options).first else {
            return nil
        }
        code.corners = plane.corners.map { $0 + 0.5 }
        return code
    }

    /// Squares for modules, in rows that are shifted by half a module in turns. Two corners of the first and the last
    /// module are dark, so that the library sees how large the code is; it looks at the middles of modules.
    private static func drawing(of plane: HexagonPlane, in field: ContrastField) throws -> Raster {
        let (width, height) = (HexagonPlane.columns * side, HexagonPlane.rows * side)
        return try Raster(width: width, height: height, format: .grey8) { target, rowBytes in
            func fill(_ x: Int, _ y: Int, _ count: Int, _ value: UInt8) {
                (target + y * rowBytes + x).initializeMemory(as: UInt8.self, repeating: value, count: count)
            }
            for y in 0..<height { fill(0, y, width, 255) }
            for row in 0..<HexagonPlane.rows {
                for column in 0..<HexagonPlane.columns where plane.isDark(row: row, column: column, in: field) {
                    let first = column * side + (row % 2 == 0 ? 0 : side / 2)
                    for y in (row * side)..<((row + 1) * side) { fill(first, y, min(side, width - first), 0) }
                }
            }
            fill(0, 0, 1, 0)
            fill(width - 1, height - 1, 1, 0)
        }
    }
}
