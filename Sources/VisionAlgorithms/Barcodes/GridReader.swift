import Foundation
import VisionImage

/// Reads QR codes and Data Matrix symbols in strong perspective or on a bent surface.
///
/// The library samples its grid with one homography from a few points. Here a grid is fitted to all edges between
/// modules (`GridFit`), and the modules are drawn as a new image, upright and black on white.
struct GridReader {
    struct Finding {
        var codes: [FoundBarcode] = []
        var views = 0
        var pixels = 0
    }

    let image: Raster
    /// The map from pixels of the image to those of the image that it is a part of.
    let map: CGAffineTransform
    let formats: BarcodeFormats
    var scales = PatternScales.all

    private static let mostTriples = 4
    private static let mostSymbols = 4
    /// The number of pixels after which no other grid is given to the library.
    private static let pixelLimit = 3_000_000
    /// The side of a drawn module in pixels, and the margin in modules.
    private static let (module, margin) = (3, 4)

    /// Returns the codes with their corners in pixels of the image that it is a part of.
    func read() throws -> Finding {
        var finding = Finding()
        guard !formats.isDisjoint(with: [.qr, .dataMatrix]), min(image.width, image.height) >= 16 else {
            return finding
        }
        for scale in scales.factors(width: image.width, height: image.height) where finding.codes.isEmpty {
            let width = max(1, Int((Double(image.width) * scale).rounded()))
            let height = max(1, Int((Double(image.height) * scale).rounded()))
            let pixels =
                width == image.width && height == image.height
                ? image : try image.resized(width: width, height: height, filter: .antialiasedBilinear)
            let growth = CGAffineTransform(
                a: Double(image.width) / Double(width), b: 0, c: 0, d: Double(image.height) / Double(height), tx: 0,
                ty: 0)
            try read(ContrastField(of: pixels), growth.concatenating(map), &finding)
        }
        return finding
    }

    private func read(_ field: ContrastField, _ map: CGAffineTransform, _ finding: inout Finding) throws {
        if formats.contains(.qr) {
            for triple in QRGrid.find(among: FinderPattern.find(in: field), most: Self.mostTriples) {
                try read(triple.fitted(in: field), .qr, in: field, map, isInverted: triple.isInverted, &finding) {
                    QRGrid.repair(&$0, side: $1)
                }
            }
        }
        if formats.contains(.dataMatrix) {
            for symbol in DataMatrixGrid.find(in: field, most: Self.mostSymbols) where finding.codes.isEmpty {
                try read(symbol.fitted(in: field), .dataMatrix, in: field, map, isInverted: false, &finding) {
                    DataMatrixGrid.repair(&$0, columns: $1)
                }
            }
        }
    }

    /// Returns the code of the first readable grid; the first grid is also tried with distortion.
    private func read(
        _ grids: [GridFit], _ format: BarcodeFormats, in field: ContrastField, _ map: CGAffineTransform,
        isInverted: Bool, _ finding: inout Finding, repair: (inout [Bool], Int) -> Void
    ) throws {
        guard let first = grids.first else { return }
        var bent = first
        for _ in 0..<3 { bent.fitBend(in: field) }
        for grid in [first, bent] + grids.dropFirst() where finding.pixels < Self.pixelLimit {
            var dark = grid.modules(in: field, isInverted: isInverted)
            repair(&dark, grid.columns)
            let view = try GridFit.drawn(dark, columns: grid.columns, module: Self.module, margin: Self.margin)
            finding.views += 1
            finding.pixels += view.width * view.height
            var options = BarcodeReader.Options(formats: format)
            options.shrinks = false
            options.rotates = false
            let codes = try BarcodeReader.codes(in: view, options)
            guard codes.isEmpty else {
                for code in codes {
                    var placed = code
                    placed.corners = code.corners.map { corner in
                        let position = corner / Double(Self.module) - Double(Self.margin)
                        let pixel = grid.pixel(position.x, position.y)
                        let point = CGPoint(x: pixel.x + 0.5, y: pixel.y + 0.5).applying(map)
                        return SIMD2(Double(point.x), Double(point.y))
                    }
                    placed.isInverted = isInverted
                    if !finding.codes.contains(where: { $0.isSameCode(as: placed) }) { finding.codes.append(placed) }
                }
                return
            }
        }
    }
}
