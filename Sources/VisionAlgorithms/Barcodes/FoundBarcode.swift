import VisionImage

/// A barcode as it was read, before any symbology's conventions.
package struct FoundBarcode: Hashable, Sendable {
    /// The kind of the content, as the library reports it.
    package enum Content: Hashable, Sendable {
        case text, binary, mixed, gs1, iso15434, unknownECI
    }

    /// One format.
    package var format: BarcodeFormats
    /// Top left, top right, bottom right, bottom left in the code's own orientation, in pixels from the top left of the
    /// image. The quadrilateral has an area.
    package var corners: [SIMD2<Double>]
    package var text: String
    /// The two or five digits beside an EAN or UPC code, where they were asked for and are there; else empty.
    package var supplement = ""
    /// The encoded bytes, before a character set is applied.
    package var bytes: [UInt8]
    /// For 2-D barcodes: the codewords after error correction, packed; empty where they are not known.
    package var codewords: [UInt8]
    /// The level of error correction as the library names it.
    package var errorCorrection: String
    /// The symbology identifier of ISO 15424, as "]Q1".
    package var identifier: String
    package var content: Content
    package var isMirrored: Bool
    /// Light on dark.
    package var isInverted: Bool
    /// The number of scan lines with the same content in all views; 0 for 2-D barcodes.
    package var lineCount: Int

    /// The smallest upright box around the corners.
    var box: PixelRegion {
        var (low, high) = (corners[0], corners[0])
        for corner in corners {
            low = pointwiseMin(low, corner)
            high = pointwiseMax(high, corner)
        }
        return PixelRegion(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// The width to the height, as the code stands.
    package var aspect: Double {
        func length(_ a: Int, _ b: Int) -> Double {
            let side = corners[a] - corners[b]
            return (side * side).sum().squareRoot()
        }
        return (length(1, 0) + length(2, 3)) / max(1e-9, length(3, 0) + length(2, 1))
    }

    var centre: SIMD2<Double> { corners.reduce(.zero, +) / 4 }

    /// Whether both are readings of one code: the same content, and the centre of one within the other.
    func isSameCode(as other: FoundBarcode) -> Bool {
        format == other.format && bytes == other.bytes && (box.holds(other.centre) || other.box.holds(centre))
    }
}

extension PixelRegion {
    func holds(_ point: SIMD2<Double>) -> Bool {
        point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height
    }

    func overlaps(_ other: PixelRegion) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}

/// What can go wrong while barcodes are read.
package enum BarcodeError: Error, Equatable {
    /// The image is larger than the reader counts.
    case tooLarge(width: Int, height: Int, limit: Int)
    case outOfMemory
    /// The library gave up on an image.
    case failed
}
