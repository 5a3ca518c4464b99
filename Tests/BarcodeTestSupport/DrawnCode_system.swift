import CVisionBarcode

/// A code, module by module, as ZXing-C++ writes it.
public struct DrawnCode: Sendable {
    /// Modules along a row.
    public let width: Int
    /// Rows of modules.
    public let height: Int
    /// True where a module is dark; rows from the top.
    public let modules: [Bool]

    /// Which code is meant, in the library's words.
    public enum Kind: String, Sendable {
        case qr = "QRCode"
        case aztec = "Aztec"
        case dataMatrix = "DataMatrix"
        case pdf417 = "PDF417"
        case ean13 = "EAN-13"
        case ean8 = "EAN-8"
        case upca = "UPC-A"
        case upce = "UPC-E"
        case code128 = "Code128"
        case code39 = "Code39"
        case code93 = "Code93"
        case itf = "ITF"
        case codabar = "Codabar"
    }

    /// The library does not draw that text as that kind.
    public struct Refused: Error {}

    /// Modules that are drawn elsewhere.
    init(width: Int, height: Int, modules: [Bool]) {
        (self.width, self.height, self.modules) = (width, height, modules)
    }

    /// Linear barcodes are `barHeight` modules high.
    public init(_ kind: Kind, _ text: String, level: Int = -1, barHeight: Int = 30) throws {
        var (width, height): (Int32, Int32) = (0, 0)
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = bytes.withUnsafeMutableBufferPointer {
            cvb_write(kind.rawValue, text, false, Int32(level), 0, $0.baseAddress, $0.count, &width, &height)
        }
        guard count > 0, count <= bytes.count, width > 0, height > 0 else { throw Refused() }
        var dark = bytes.prefix(count).map { $0 == 0 }
        // The writer leaves a quiet zone at some codes, whatever the margin.
        var columns = Int(width)
        let used = (0..<columns).filter { column in
            stride(from: column, to: dark.count, by: columns).contains { dark[$0] }
        }
        if let first = used.first, let last = used.last, first > 0 || last < columns - 1 {
            dark = dark.enumerated().filter { (first...last).contains($0.offset % columns) }.map(\.element)
            columns = last - first + 1
        }
        if height == 1 {
            modules = (0..<barHeight).flatMap { _ in dark }
            self.height = barHeight
        } else {
            modules = dark
            self.height = Int(height)
        }
        self.width = columns
    }

    /// Whether the place, in modules from the top left of the code, is dark; light beyond the code.
    public func isDark(_ x: Double, _ y: Double) -> Bool {
        let (column, row) = (x.rounded(.down), y.rounded(.down))
        guard column >= 0, row >= 0, column < Double(width), row < Double(height) else { return false }
        return modules[Int(row) * width + Int(column)]
    }
}
