import Foundation
import VisionImage

extension FilterDefinition {
    /// An image of a code, dark on light, one pixel a module.
    private static func code(
        _ name: String, _ inputs: [(String, Standard)],
        _ draw: @escaping @Sendable (_ message: Data, FilterValues) -> FloatImage?
    ) -> FilterDefinition {
        FilterDefinition(name, kCICategoryGenerator, [("inputMessage", .none)] + inputs) { values in
            guard let message = values.data("inputMessage"), let pixels = draw(message, values) else { return nil }
            return CIImage(PixelsRecipe(pixels: pixels), extent: pixels.bounds.cgRect)
        }
    }

    /// The library's levels of error correction of a QR code.
    private static let levels = ["L": 1, "M": 3, "Q": 5, "H": 7]

    static let generators: [FilterDefinition] = [
        FilterDefinition("CIConstantColorGenerator", kCICategoryGenerator, [(kCIInputColorKey, .colour(.red))]) {
            CIImage(ConstantRecipe(pixel: $0.colour(kCIInputColorKey)), extent: .infinite)
        },
        code("CIQRCodeGenerator", [("inputCorrectionLevel", .text("M"))]) { message, values in
            guard let level = levels[values.text("inputCorrectionLevel")?.uppercased() ?? "M"] else { return nil }
            return CodeDrawing(.qr, message, level: level, margin: 1)?.image()
        },
        code("CIAztecCodeGenerator", [("inputCorrectionLevel", .number(23))]) { message, values in
            // The library takes eighths of the whole.
            let share = values.number("inputCorrectionLevel", 5...95) / 100
            return CodeDrawing(.aztec, message, level: max(1, min(7, Int((share * 8).rounded(.up)))), margin: 0)?
                .image()
        },
        code("CIPDF417BarcodeGenerator", [("inputCorrectionLevel", .number(2))]) { message, values in
            let level = Int(values.number("inputCorrectionLevel", 0...8))
            return CodeDrawing(.pdf417, message, level: level, margin: 2)?.image()
        },
        code(
            "CICode128BarcodeGenerator", [("inputQuietSpace", .number(10)), ("inputBarcodeHeight", .number(32))]
        ) { message, values in
            let (quiet, height) = (
                values.number("inputQuietSpace", 0...1000), values.number("inputBarcodeHeight", 1...1e4)
            )
            guard message.allSatisfy({ $0 < 128 }) else { return nil }
            return CodeDrawing(.code128, message, level: -1, margin: 0)?.bars(height: Int(height), quiet: Int(quiet))
        },
    ]
}
