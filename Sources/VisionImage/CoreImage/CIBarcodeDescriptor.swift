public import Foundation

/// The data for redrawing a 2-D barcode: an abstract base class.
public class CIBarcodeDescriptor: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked: subclasses have constants only.

    fileprivate override init() { super.init() }

    /// Returns the descriptor itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    fileprivate var values: [AnyHashable] { [] }

    /// Whether the other describes the same barcode.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CIBarcodeDescriptor else { return false }
        return type(of: self) == type(of: other) && values == other.values
    }

    /// Equal descriptors have equal hashes.
    public override var hash: Int { values.hashValue }
}

/// A QR code.
public final class CIQRCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// The error correction level: the share of the code that may be lost.
    public enum ErrorCorrectionLevel: Int, Sendable {
        /// About 7 %.
        case levelL = 76
        /// About 15 %.
        case levelM = 77
        /// About 25 %.
        case levelQ = 81
        /// About 30 %.
        case levelH = 72
    }

    /// The data codewords after error correction.
    public let errorCorrectedPayload: Data
    /// 1…40: (the number of modules along a side - 17) / 4.
    public let symbolVersion: Int
    /// 0…7.
    public let maskPattern: UInt8
    /// The level of error correction.
    public let errorCorrectionLevel: ErrorCorrectionLevel

    /// Creates a descriptor; nil for a version or mask that does not exist.
    public init?(
        payload errorCorrectedPayload: Data, symbolVersion: Int, maskPattern: UInt8,
        errorCorrectionLevel: ErrorCorrectionLevel
    ) {
        guard (1...40).contains(symbolVersion), maskPattern <= 7 else { return nil }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.symbolVersion = symbolVersion
        self.maskPattern = maskPattern
        self.errorCorrectionLevel = errorCorrectionLevel
        super.init()
    }

    fileprivate override var values: [AnyHashable] {
        [errorCorrectedPayload, symbolVersion, maskPattern, errorCorrectionLevel]
    }
}

/// An Aztec code.
public final class CIAztecCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// The data codewords after error correction.
    public let errorCorrectedPayload: Data
    /// Whether the code has the small finder.
    public let isCompact: Bool
    /// 1…32, at most 4 in a compact code.
    public let layerCount: Int
    /// The number of data codewords (not error correction), 1…2048.
    public let dataCodewordCount: Int

    /// Creates a descriptor; nil for numbers out of range.
    public init?(payload errorCorrectedPayload: Data, isCompact: Bool, layerCount: Int, dataCodewordCount: Int) {
        guard (1...(isCompact ? 4 : 32)).contains(layerCount), (1...2048).contains(dataCodewordCount) else {
            return nil
        }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.isCompact = isCompact
        self.layerCount = layerCount
        self.dataCodewordCount = dataCodewordCount
        super.init()
    }

    fileprivate override var values: [AnyHashable] {
        [errorCorrectedPayload, isCompact, layerCount, dataCodewordCount]
    }
}

/// A PDF417 barcode.
public final class CIPDF417CodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// The data codewords after error correction.
    public let errorCorrectedPayload: Data
    /// Whether the barcode lacks its right row indicators.
    public let isCompact: Bool
    /// 3…90.
    public let rowCount: Int
    /// 1…30, without the indicators.
    public let columnCount: Int

    /// Creates a descriptor; nil for numbers out of range.
    public init?(payload errorCorrectedPayload: Data, isCompact: Bool, rowCount: Int, columnCount: Int) {
        guard (3...90).contains(rowCount), (1...30).contains(columnCount) else { return nil }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.isCompact = isCompact
        self.rowCount = rowCount
        self.columnCount = columnCount
        super.init()
    }

    fileprivate override var values: [AnyHashable] { [errorCorrectedPayload, isCompact, rowCount, columnCount] }
}

/// A Data Matrix barcode.
public final class CIDataMatrixCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    /// The kind of error correction.
    public enum ECCVersion: Int, Sendable {
        /// ECC 000: none.
        case v000 = 0
        /// ECC 050.
        case v050 = 50
        /// ECC 080.
        case v080 = 80
        /// ECC 100.
        case v100 = 100
        /// ECC 140.
        case v140 = 140
        /// ECC 200: Reed-Solomon.
        case v200 = 200
    }

    /// The data codewords after error correction.
    public let errorCorrectedPayload: Data
    /// 8…144.
    public let rowCount: Int
    /// 10…144.
    public let columnCount: Int
    /// The kind of error correction.
    public let eccVersion: ECCVersion

    /// Creates a descriptor; nil for numbers out of range.
    public init?(payload errorCorrectedPayload: Data, rowCount: Int, columnCount: Int, eccVersion: ECCVersion) {
        guard (8...144).contains(rowCount), (8...144).contains(columnCount) else { return nil }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.rowCount = rowCount
        self.columnCount = columnCount
        self.eccVersion = eccVersion
        super.init()
    }

    fileprivate override var values: [AnyHashable] { [errorCorrectedPayload, rowCount, columnCount, eccVersion] }
}
