import Foundation
package import VisionImage
import VisionThreads

/// The cost of reading an image: the number of views given to the library, and of their pixels.
package struct BarcodeWork: Equatable, Sendable {
    package var views = 0
    package var pixels = 0
}

/// Finds the barcodes of an image: ZXing-C++ on the image and, where that finds nothing, on views of it that make
/// blurred, small, inverted, slanted and unevenly lit codes readable.
///
/// Rows are read one by one and combined here (`ScanLineVotes`): the library ends the process when it meets two equal
/// linear barcodes in an image (an assertion of `Result::operator==` in Debian's 1.4), and a row alone cannot do that.
package struct BarcodeScanner: Sendable {
    private let image: Raster
    private let formats: BarcodeFormats
    private let threads: Int
    private let readsAddOns: Bool
    private let copies = ResizedCopies()

    /// - Precondition: the image is `grey8`.
    package init(image: Raster, formats: BarcodeFormats, readsAddOns: Bool = false, threads: Int) {
        precondition(image.format == .grey8)
        self.image = image
        self.formats = formats
        self.readsAddOns = readsAddOns
        self.threads = max(1, threads)
    }

    /// Returns the codes in the order in which they were found, each once.
    ///
    /// - Parameters:
    ///   - stageLimit: The maximum number of stages of `BarcodePlan`.
    ///   - check: Throws to stop; called between views, on any thread.
    package func codes(
        stageLimit: Int = .max, check: @escaping @Sendable () throws -> Void = {}
    ) throws -> [FoundBarcode] {
        try read(stageLimit: stageLimit, check: check).codes
    }

    /// Returns the codes as `codes` does, and the cost of finding them.
    package func read(
        stageLimit: Int = .max, check: @escaping @Sendable () throws -> Void = {}
    ) throws -> (codes: [FoundBarcode], work: BarcodeWork) {
        guard image.width <= BarcodeReader.longestSide, image.height <= BarcodeReader.longestSide else {
            throw BarcodeError.tooLarge(
                width: image.width, height: image.height, limit: BarcodeReader.longestSide)
        }
        var matrix: [FoundBarcode] = []
        var stacked: [FoundBarcode] = []
        var votes = ScanLineVotes()
        var schedule = BarcodeSchedule(image: image, formats: formats)
        let count = min(stageLimit, BarcodeSchedule.stageCount)
        var hasLines = false
        for number in 0..<count {
            let isLast = number == count - 1
            if number == 1 {
                // The unaltered image shows no code: codes with a bull's-eye are read around it.
                try check()
                for search in try schedule.bullsEyeParts() {
                    let finding = try BullsEyeReader(
                        image: search.part.image, map: search.part.map, formats: search.formats, scales: search.scales
                    ).read()
                    merge(finding.codes, into: &matrix)
                    schedule.count(views: finding.views, pixels: finding.pixels)
                }
                // Then codes whose grid has to be fitted.
                for part in matrix.isEmpty ? try schedule.matrixParts() : [] {
                    try check()
                    let finding = try GridReader(
                        image: part.image, map: part.map, formats: formats, scales: schedule.patternScales
                    ).read()
                    merge(finding.codes, into: &matrix)
                    schedule.count(views: finding.views, pixels: finding.pixels)
                }
            }
            for finding in try run(schedule.stage(number, hasLines: hasLines), check) {
                switch finding.pass.kind {
                case .matrix: merge(finding.placed, into: &matrix)
                case .stacked: merge(finding.placed, into: &stacked)
                case .rows:
                    votes.add(
                        finding.found, map: finding.map, isPlain: finding.isPlain,
                        isInverted: finding.pass.view.isInverted)
                }
            }
            let lines = votes.codes(isLast: isLast)
            // Rows without enough votes are still evidence of a linear barcode.
            hasLines = hasLines || !lines.areSettled || !lines.accepted.isEmpty
            let rows = stacked.filter { code in
                !lines.accepted.contains { $0.format == code.format && $0.text == code.text }
            }
            if (!matrix.isEmpty || !lines.accepted.isEmpty || !rows.isEmpty) && lines.areSettled || isLast {
                let all = votes.codes(isLast: true).accepted
                let codes = matrix + all + rows.filter { code in !all.contains { $0.box.overlaps(code.box) } }
                return (codes, schedule.work)
            }
        }
        return (matrix, schedule.work)
    }

    // MARK: - Views

    private struct Finding: Sendable {
        let pass: BarcodePlan.Pass
        /// The map from pixels of the view to those of the image.
        let map: CGAffineTransform
        /// Whether the view has the image's own pixels.
        let isPlain: Bool
        var found: [FoundBarcode]

        /// The codes with their corners in pixels of the image.
        var placed: [FoundBarcode] {
            found.map { code in
                var placed = code
                placed.corners = code.corners.map {
                    let point = CGPoint(x: $0.x, y: $0.y).applying(map)
                    return SIMD2(Double(point.x), Double(point.y))
                }
                placed.isInverted = pass.view.isInverted
                return placed
            }
        }
    }

    /// Reads all views of a stage in parallel, and returns the results in the order of the stage.
    private func run(_ stage: [BarcodeSchedule.Job], _ check: @escaping @Sendable () throws -> Void) throws
        -> [Finding]
    {
        guard threads > 1, stage.count > 1 else {
            return try stage.map {
                try check()
                return try run($0)
            }
        }
        let outcomes = Locked([Result<Finding, any Error>?](repeating: nil, count: stage.count))
        let next = Locked(0)
        ThreadTeam(maximumCount: min(threads, stage.count) - 1, for: .parts).run { _ in
            while true {
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard index < stage.count else { return }
                let outcome = Result {
                    try check()
                    return try run(stage[index])
                }
                outcomes.withLock { $0[index] = outcome }
            }
        }
        return try outcomes.withLock { $0 }.compactMap { try $0?.get() }
    }

    private func run(_ job: BarcodeSchedule.Job) throws -> Finding {
        let pass = job.pass
        let (pixels, viewMap) = try pass.view.make(of: job.part.image, sharing: copies)
        let map = viewMap.concatenating(job.part.map)
        let isPlain = job.part.isUnaltered && pass.view.isPlain && pass.threshold == .valley
        let formats = formats.intersection(pass.formats)
        var options: BarcodeReader.Options
        switch pass.kind {
        case .matrix:
            options = .init(formats: formats.intersection(.matrix))
            options.shrinks = pass.shrinks
            // The limit is lower because there are many altered views.
            if !pass.view.isPlain { options.mostFinderPatterns /= 2 }
            return Finding(
                pass: pass, map: map, isPlain: isPlain, found: try BarcodeReader.codes(in: pixels, options))
        case .rows:
            options = .init(formats: formats.intersection(.linear))
            options.addOns = readsAddOns
            options.rowThreshold = pass.threshold
            let step = pass.rowStep(width: pixels.width, height: pixels.height)
            return Finding(
                pass: pass, map: map.translatedRows(by: step), isPlain: isPlain,
                found: try BarcodeReader.codesAlongRows(of: pixels.withRows(every: step), options))
        case .stacked:
            options = .init(formats: formats.intersection(.dataBars))
            options.mostCodes = 1
            options.minimumLines = 1
            options.shrinks = false
            return Finding(pass: pass, map: map, isPlain: isPlain, found: try confirmed(in: pixels, options))
        }
    }

    /// Returns a code that is read in the image and in a copy of another size: one scan line is weak evidence.
    private func confirmed(in pixels: Raster, _ options: BarcodeReader.Options) throws -> [FoundBarcode] {
        guard let first = try BarcodeReader.codes(in: pixels, options).first else { return [] }
        for scale in [2.0, 1.5, 3, 0.75] {
            let view = BarcodeView(scaleX: scale, scaleY: scale)
            let size = view.size(width: pixels.width, height: pixels.height)
            guard max(size.width, size.height) <= BarcodeReader.longestSide else { continue }
            let (copy, _) = try view.make(of: pixels)
            if try BarcodeReader.codes(in: copy, options).contains(where: { $0.bytes == first.bytes }) {
                return [first]
            }
        }
        return []
    }

    private func merge(_ found: [FoundBarcode], into codes: inout [FoundBarcode]) {
        for var code in found {
            // The library does not return the position of a MaxiCode; it reads codes that fill the image.
            if code.format == .maxiCode, code.hasNoArea {
                let (right, bottom) = (Double(image.width), Double(image.height))
                code.corners = [SIMD2(0, 0), SIMD2(right, 0), SIMD2(right, bottom), SIMD2(0, bottom)]
            }
            if !codes.contains(where: { $0.isSameCode(as: code) }) { codes.append(code.withArea()) }
        }
    }
}

extension Raster {
    /// Returns every `step`-th row, starting at half a step.
    fileprivate func withRows(every step: Int) -> Raster {
        guard step > 1 else { return self }
        return Raster(
            width: width, height: (height - step / 2 - 1) / step + 1, format: format, rowBytes: rowBytes * step,
            memory: memory, offset: offset + step / 2 * rowBytes)
    }
}

extension CGAffineTransform {
    /// Returns the map for an image with every `step`-th row, starting at half a step.
    fileprivate func translatedRows(by step: Int) -> CGAffineTransform {
        guard step > 1 else { return self }
        // The centre of row r of the selection is that of row r * step + step / 2 of the image.
        let first = Double(step / 2) + 0.5 - Double(step) / 2
        return CGAffineTransform(a: 1, b: 0, c: 0, d: Double(step), tx: 0, ty: first).concatenating(self)
    }
}

extension FoundBarcode {
    fileprivate var hasNoArea: Bool {
        let (a, b) = (corners[2] - corners[0], corners[3] - corners[1])
        return abs(a.x * b.y - a.y * b.x) < 1
    }

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
