import Foundation
package import VisionImage

/// Finds the barcodes of an image: ZXing-C++ on the image and, where that finds nothing, on views of it that make blurred,
/// small, inverted, slanted and unevenly lit codes readable.
///
/// Lines are read one by one and put together here (`LineVotes`): the library ends the process when it meets two equal
/// codes of lines in an image (an assertion of `Result::operator==` in Debian's 1.4), and a line alone cannot do that.
package struct BarcodeScanner: Sendable {
    private let image: Raster
    private let formats: BarcodeFormats
    private let threads: Int
    private let readsAddOns: Bool

    /// - Precondition: the image is `grey8`.
    package init(image: Raster, formats: BarcodeFormats, readsAddOns: Bool = false, threads: Int) {
        precondition(image.format == .grey8)
        self.image = image
        self.formats = formats
        self.readsAddOns = readsAddOns
        self.threads = max(1, threads)
    }

    /// The codes, in the order in which they were found; each once.
    ///
    /// - Parameters:
    ///   - stageLimit: how many stages of `BarcodePlan` at most.
    ///   - check: throws to stop; called between looks, on any thread.
    package func codes(
        stageLimit: Int = .max, check: @escaping @Sendable () throws -> Void = {}
    ) throws -> [FoundBarcode] {
        guard image.width <= BarcodeReader.longestSide, image.height <= BarcodeReader.longestSide else {
            throw BarcodeError.tooLarge(
                width: image.width, height: image.height, limit: BarcodeReader.longestSide)
        }
        var matrix: [FoundBarcode] = []
        var stacked: [FoundBarcode] = []
        var votes = LineVotes()
        let stages = BarcodePlan.stages(for: formats, width: image.width, height: image.height).prefix(stageLimit)
        var texture: BarcodeTexture?
        var hasLines = false
        for (number, wanted) in stages.enumerated() {
            // Altered views are looked at only where the picture has the texture of a code.
            if number > 0, texture == nil { texture = try BarcodeTexture(of: image) }
            let stage = wanted.filter { look in
                guard let texture else { return true }
                return look.kind == .matrix
                    ? texture.squares >= BarcodePlan.leastSquares(forStage: number) : texture.hasBars || hasLines
            }
            for finding in try look(stage, check) {
                switch finding.look.kind {
                case .matrix: merge(finding.placed, into: &matrix)
                case .stacked: merge(finding.placed, into: &stacked)
                case .rows:
                    votes.add(
                        finding.found, map: finding.map, isPlain: finding.look.view.isPlain,
                        isInverted: finding.look.view.isInverted)
                }
            }
            let lines = votes.codes(isLast: number == stages.count - 1)
            // Rows that were read and not believed yet are evidence enough.
            hasLines = hasLines || !lines.areSettled || !lines.believed.isEmpty
            let rows = stacked.filter { code in
                !lines.believed.contains { $0.format == code.format && $0.text == code.text }
            }
            if (!matrix.isEmpty || !lines.believed.isEmpty || !rows.isEmpty) && lines.areSettled
                || number == stages.count - 1
            {
                let all = votes.codes(isLast: true).believed
                return matrix + all + rows.filter { code in !all.contains { $0.box.overlaps(code.box) } }
            }
        }
        return matrix
    }

    // MARK: - Looks

    private struct Finding: Sendable {
        let look: BarcodePlan.Look
        let map: CGAffineTransform
        var found: [FoundBarcode]

        /// The codes with their corners in pixels of the image.
        var placed: [FoundBarcode] {
            found.map { code in
                var placed = code
                placed.corners = code.corners.map {
                    let point = CGPoint(x: $0.x, y: $0.y).applying(map)
                    return SIMD2(Double(point.x), Double(point.y))
                }
                placed.isInverted = look.view.isInverted
                return placed
            }
        }
    }

    /// All looks of a stage, by as many threads as there may be; in the order of the stage.
    private func look(_ stage: [BarcodePlan.Look], _ check: @escaping @Sendable () throws -> Void) throws -> [Finding] {
        guard threads > 1, stage.count > 1 else {
            return try stage.map {
                try check()
                return try look($0)
            }
        }
        let outcomes = Locked([Result<Finding, any Error>?](repeating: nil, count: stage.count))
        let next = Locked(0)
        Helpers(most: min(threads, stage.count) - 1, for: .parts).run { _ in
            while true {
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard index < stage.count else { return }
                let outcome = Result {
                    try check()
                    return try look(stage[index])
                }
                outcomes.withLock { $0[index] = outcome }
            }
        }
        return try outcomes.withLock { $0 }.compactMap { try $0?.get() }
    }

    private func look(_ look: BarcodePlan.Look) throws -> Finding {
        let (pixels, map) = try look.view.make(of: image)
        var options: BarcodeReader.Options
        switch look.kind {
        case .matrix:
            options = .init(formats: formats.intersection(.matrix))
            return Finding(look: look, map: map, found: try BarcodeReader.codes(in: pixels, options))
        case .rows:
            options = .init(formats: formats.intersection(.lines))
            options.addOns = readsAddOns
            return Finding(
                look: look, map: map.translatedRows(by: pixels.rowStep),
                found: try BarcodeReader.codesAlongRows(of: pixels.withRows(every: pixels.rowStep), options))
        case .stacked:
            options = .init(formats: formats.intersection(.dataBars))
            options.mostCodes = 1
            options.minimumLines = 1
            options.shrinks = false
            return Finding(look: look, map: map, found: try confirmed(in: pixels, options))
        }
    }

    /// What is read in the image and in a copy of it of another size: one line of a code is weak evidence.
    private func confirmed(in pixels: Raster, _ options: BarcodeReader.Options) throws -> [FoundBarcode] {
        guard let first = try BarcodeReader.codes(in: pixels, options).first else { return [] }
        for scale in [2.0, 1.5, 3, 0.75] {
            let (copy, _) = try BarcodeView(scaleX: scale, scaleY: scale).make(of: pixels)
            if try BarcodeReader.codes(in: copy, options).contains(where: { $0.bytes == first.bytes }) {
                return [first]
            }
        }
        return []
    }

    private func merge(_ found: [FoundBarcode], into codes: inout [FoundBarcode]) {
        for var code in found {
            // The library does not say where a MaxiCode is; it reads those that are all there is.
            if code.format == .maxiCode {
                let (right, bottom) = (Double(image.width), Double(image.height))
                code.corners = [SIMD2(0, 0), SIMD2(right, 0), SIMD2(right, bottom), SIMD2(0, bottom)]
            }
            if !codes.contains(where: { $0.isSameCode(as: code) }) { codes.append(code.withArea()) }
        }
    }
}

extension BarcodeView {
    /// The image's own pixels.
    fileprivate var isPlain: Bool {
        scaleX == 1 && scaleY == 1 && turn == 0 && contrast == nil && !isInverted && margin == 0
    }
}

extension Raster {
    /// The most rows of an image that are looked at one by one.
    private static let mostRows = 512

    fileprivate var rowStep: Int { max(1, height / Self.mostRows) }

    /// Every so many of the rows, from half a step on.
    fileprivate func withRows(every step: Int) -> Raster {
        guard step > 1 else { return self }
        return Raster(
            width: width, height: (height - step / 2 - 1) / step + 1, format: format, rowBytes: rowBytes * step,
            memory: memory, offset: offset + step / 2 * rowBytes)
    }
}

extension CGAffineTransform {
    /// From every so many of the rows, from half a step on, to what all rows map to.
    fileprivate func translatedRows(by step: Int) -> CGAffineTransform {
        guard step > 1 else { return self }
        // The middle of row r of the few is that of row r * step + step / 2 of all.
        let first = Double(step / 2) + 0.5 - Double(step) / 2
        return CGAffineTransform(a: 1, b: 0, c: 0, d: Double(step), tx: 0, ty: first).concatenating(self)
    }
}

extension FoundBarcode {
    /// The same code, its quadrilateral at least a pixel high.
    fileprivate func withArea() -> FoundBarcode {
        let (along, down) = (corners[1] - corners[0], corners[3] - corners[0])
        guard abs(along.x * down.y - along.y * down.x) < 1 else { return self }
        var code = self
        let length = max(1e-9, (along * along).sum().squareRoot())
        let half = length < 1 ? SIMD2(0, 0.5) : SIMD2(-along.y, along.x) / length / 2
        code.corners = [corners[0] - half, corners[1] - half, corners[2] + half, corners[3] + half]
        if length < 1 {
            code.corners[0].x -= 0.5
            code.corners[3].x -= 0.5
            code.corners[1].x += 0.5
            code.corners[2].x += 0.5
        }
        return code
    }
}
