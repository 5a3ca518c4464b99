import CVisionBarcode
import Foundation
import VisionImage

/// The modules of a barcode.
struct CodeDrawing {
    enum Kind: String { case qr = "QRCode", aztec = "Aztec", pdf417 = "PDF417", code128 = "Code128" }

    private let width: Int
    private let height: Int
    /// 0 for dark, 255 for light; rows from the top.
    private let modules: [UInt8]

    /// More than any code holds: longer messages are not tried.
    private static let longestMessage = 8192
    private static let capacity = 1 << 20

    /// Draws a code; nil if the message does not fit or has letters that the code lacks.
    ///
    /// - Parameters:
    ///   - message: UTF-8; other bytes count as ISO Latin 1.
    ///   - level: Of error correction, as the library counts it; -1 for its default.
    ///   - margin: Light modules on each side.
    init?(_ kind: Kind, _ message: Data, level: Int, margin: Int) {
        guard !message.isEmpty, message.count <= Self.longestMessage,
            let text = String(data: message, encoding: .utf8) ?? String(data: message, encoding: .isoLatin1),
            !text.utf8.contains(0)
        else { return nil }
        var (columns, rows): (Int32, Int32) = (0, 0)
        var modules = [UInt8](repeating: 255, count: Self.capacity)
        let isLatin = text.unicodeScalars.allSatisfy { $0.value < 256 }
        let count = cvb_write(
            kind.rawValue, text, isLatin, Int32(level), Int32(margin), &modules, modules.count, &columns, &rows)
        guard count > 0, count <= modules.count, count == Int(columns) * Int(rows) else { return nil }
        (width, height) = (Int(columns), Int(rows))
        self.modules = Array(modules.prefix(count))
    }

    /// One pixel a module.
    func image() -> FloatImage? {
        try? FloatImage(bounds: PixelRect(x: 0, y: 0, width: width, height: height)) { x, y in
            pixel(modules[(height - 1 - y) * width + x])
        }
    }

    /// The bars of the first row with a height and light space at the sides.
    func bars(height: Int, quiet: Int) -> FloatImage? {
        try? FloatImage(bounds: PixelRect(x: 0, y: 0, width: width + 2 * quiet, height: height)) { x, _ in
            let column = x - quiet
            return pixel(modules.indices.contains(column) && column < width ? modules[column] : 255)
        }
    }

    private func pixel(_ module: UInt8) -> FloatImage.Pixel {
        let grey = Float(module) / 255
        return FloatImage.Pixel(grey, grey, grey, 1)
    }
}
