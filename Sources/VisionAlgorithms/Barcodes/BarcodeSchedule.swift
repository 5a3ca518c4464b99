import Foundation
import VisionImage

/// The passes of each stage for one image, selected by its texture and by the remaining limits of `BarcodePlan`.
struct BarcodeSchedule {
    /// Pixels that views are made of: the image, or a part of a large one.
    struct Part: Sendable {
        var image: Raster
        /// From its pixels to the image's.
        var map = CGAffineTransform.identity
        /// The pixels are the image's own.
        var isUnaltered = true
    }

    struct Job: Sendable {
        var pass: BarcodePlan.Pass
        var part: Part
    }

    /// The parts of an image that is not small.
    private struct Parts {
        /// Parts with the texture of 2-D barcodes, and those in which it is clear.
        var matrix: [Part]
        var clearMatrix: [Part]
        /// Parts with linear barcodes, and the direction of their rows.
        var linear: [(part: Part, rows: BarcodePlan.Rows)]
    }

    static let stageCount = 4
    /// The largest slant of bars, in degrees, with which the rows of the image are read without rotation.
    private static let uprightAngle = 3.0

    private let image: Raster
    private let formats: BarcodeFormats
    private let isSmall: Bool
    private let isLarge: Bool
    private var texture: BarcodeTexture?
    private var parts: Parts?
    /// A reduced copy of a large image for the search for texture and patterns.
    private var reducedImage: Raster?
    /// The pixels that remain of `BarcodePlan.laterLimit`.
    private var left: (matrix: Int, linear: Int)
    /// The views and pixels that were scheduled so far.
    private(set) var work = BarcodeWork()

    /// - Precondition: the image is `grey8`.
    init(image: Raster, formats: BarcodeFormats) {
        self.image = image
        self.formats = formats
        isSmall = image.width * image.height <= BarcodePlan.smallImage
        isLarge = image.width * image.height > BarcodePlan.largeImage
        left = BarcodePlan.laterLimit(width: image.width, height: image.height)
    }

    /// The scales at which the parts are searched for patterns.
    var patternScales: PatternScales { isSmall ? .all : isLarge ? .one : .reduced }

    /// Returns the jobs of a stage; to be called once for each stage, in order.
    ///
    /// - Parameter hasLines: Whether rows of a linear barcode were read, even if too few to report it.
    /// - Throws: `ImageError` where there is no memory.
    mutating func stage(_ number: Int, hasLines: Bool) throws -> [Job] {
        let jobs = isSmall ? try smallStage(number, hasLines: hasLines) : try partStage(number, hasLines: hasLines)
        for job in jobs {
            work.views += 1
            work.pixels += job.pass.pixels(width: job.part.image.width, height: job.part.image.height)
        }
        return jobs
    }

    /// The parts that have the texture of 2-D barcodes.
    mutating func matrixParts() throws -> [Part] {
        if !isSmall {
            return try findParts().matrix
        }
        let texture = try self.texture ?? BarcodeTexture(of: image)
        self.texture = texture
        return texture.squares > .none ? [Part(image: image)] : []
    }

    /// A part that is searched for bull's-eyes, of which codes and at which scales.
    struct BullsEyePart {
        var part: Part
        var formats: BarcodeFormats
        var scales: PatternScales
    }

    /// Returns the parts that are searched for bull's-eyes: a large image is reduced as a whole. Hexagons are no
    /// texture of squares, so that MaxiCodes are looked for everywhere.
    mutating func bullsEyeParts() throws -> [BullsEyePart] {
        let both = formats.intersection([.aztec, .maxiCode])
        if isSmall { return [BullsEyePart(part: Part(image: image), formats: both, scales: .all)] }
        if isLarge {
            let reduced = try findReducedImage()
            let part = Part(image: reduced, map: growth(of: reduced), isUnaltered: false)
            return [BullsEyePart(part: part, formats: both, scales: .asIs)]
        }
        return try matrixParts().map {
            BullsEyePart(part: $0, formats: both.intersection(.aztec), scales: patternScales)
        } + [BullsEyePart(part: Part(image: image), formats: both.intersection(.maxiCode), scales: .asIs)]
    }

    /// Returns the map from pixels of a copy to those of the image.
    private func growth(of copy: Raster) -> CGAffineTransform {
        CGAffineTransform(
            a: Double(image.width) / Double(copy.width), b: 0, c: 0, d: Double(image.height) / Double(copy.height),
            tx: 0, ty: 0)
    }

    /// Adds the cost of reading outside the stages.
    mutating func count(views: Int, pixels: Int) {
        work.views += views
        work.pixels += pixels
    }

    private mutating func smallStage(_ number: Int, hasLines: Bool) throws -> [Job] {
        let part = Part(image: image)
        let passes = BarcodePlan.stages(for: formats, width: image.width, height: image.height)[number]
        if number == 0 { return jobs(passes, of: part) }
        let texture = try self.texture ?? BarcodeTexture(of: image)
        self.texture = texture
        let selected = passes.filter { pass in
            pass.kind == .matrix
                ? texture.squares >= BarcodePlan.leastSquares(forStage: number) : texture.hasBars || hasLines
        }
        return affordable(jobs(selected, of: part))
    }

    private mutating func partStage(_ number: Int, hasLines: Bool) throws -> [Job] {
        var jobs: [Job] = []
        let (width, height) = (image.width, image.height)
        if number == 0, !isLarge {
            return self.jobs(BarcodePlan.stages(for: formats, width: width, height: height)[0], of: Part(image: image))
        }
        let parts = try findParts()
        if number == 0 {
            let hasBands = !parts.linear.isEmpty
            jobs = self.jobs(
                BarcodePlan.wholeStage(for: formats, width: width, height: height, hasBands: hasBands),
                of: Part(image: image))
            let third = try image.resized(
                width: max(1, width / 3), height: max(1, height / 3), filter: .antialiasedBilinear)
            jobs += self.jobs(
                BarcodePlan.thirdStage(for: formats, hasBands: hasBands),
                of: Part(image: third, map: growth(of: third), isUnaltered: false))
        }
        var later: [Job] = []
        for part in number < 2 ? parts.matrix : parts.clearMatrix {
            let passes = BarcodePlan.stages(
                for: formats.intersection(.matrix), width: part.image.width, height: part.image.height)[number]
            // The unaltered view was read as part of the whole image.
            later += self.jobs(number == 0 && part.isUnaltered ? Array(passes.dropFirst()) : passes, of: part)
        }
        var lineParts = parts.linear
        if hasLines, lineParts.isEmpty || !isLarge {
            lineParts = [(try reduced(PixelRegion(width: image.width, height: image.height)), .both)]
        }
        if number > 0 {
            for (part, rows) in lineParts {
                var passes = BarcodePlan.stages(
                    for: formats.intersection(.linear), width: part.image.width, height: part.image.height,
                    rows: rows)[number]
                if isLarge {
                    // The part was rotated already.
                    if rows != .both, !hasLines { passes.removeAll { $0.view.turn != 0 } }
                    for index in passes.indices { passes[index].mostRows = BarcodePlan.mostRowsOfPart }
                }
                later += self.jobs(passes, of: part)
            }
        }
        return jobs + affordable(later)
    }

    private func jobs(_ passes: [BarcodePlan.Pass], of part: Part) -> [Job] {
        passes.filter { $0.isWorthwhile(width: part.image.width, height: part.image.height) }
            .map { Job(pass: $0, part: part) }
    }

    /// Returns the first jobs that the limits allow.
    private mutating func affordable(_ jobs: [Job]) -> [Job] {
        jobs.filter { job in
            let pixels = job.pass.pixels(width: job.part.image.width, height: job.part.image.height)
            if job.pass.kind == .matrix {
                left.matrix -= pixels
                return left.matrix >= 0
            }
            left.linear -= pixels
            return left.linear >= 0
        }
    }

    private mutating func findReducedImage() throws -> Raster {
        let reduced = try reducedImage ?? BarcodeRegions.reduced(image)
        reducedImage = reduced
        return reduced
    }

    private mutating func findParts() throws -> Parts {
        if let parts { return parts }
        let regions = try BarcodeRegions(of: image, reduced: findReducedImage(), isLarge: isLarge)
        var parts = Parts(matrix: [], clearMatrix: [], linear: [])
        if !formats.isDisjoint(with: .matrix) {
            parts.matrix = try regions.matrix.map(reduced)
            parts.clearMatrix = isLarge ? parts.matrix : try regions.clearMatrix.map(reduced)
        }
        if !formats.isDisjoint(with: .linear) { parts.linear = try regions.bands.map(upright) }
        self.parts = parts
        return parts
    }

    /// Returns the part of the image around a band of bars, rotated so that they are vertical, and the direction of its
    /// rows.
    private func upright(_ band: BarcodeRegions.Band) throws -> (Part, BarcodePlan.Rows) {
        let longest = 2 * max(band.halfSize.x, band.halfSize.y)
        let half = band.halfSize + SIMD2(0.3, 0.15) * longest + 4
        let turns = band.angle / (.pi / 2)
        if abs(turns - turns.rounded()) * 90 < Self.uprightAngle {
            // No pixel is altered.
            let isAlongRows = turns.rounded() == 0
            let (x, y) = isAlongRows ? (half.x, half.y) : (half.y, half.x)
            let (left, top) = (max(0, band.centre.x - x), max(0, band.centre.y - y))
            let region = PixelRegion(
                x: left, y: top, width: max(1, min(Double(image.width), band.centre.x + x) - left),
                height: max(1, min(Double(image.height), band.centre.y + y) - top))
            return (try reduced(region), isAlongRows ? .alongRows : .alongColumns)
        }
        let scale = min(1, (BarcodePlan.partLimit(isLarge: isLarge) / (4 * half.x * half.y)).squareRoot())
        let size = (width: max(1, Int(2 * half.x * scale)), height: max(1, Int(2 * half.y * scale)))
        let (c, s) = (cos(band.angle) / scale, sin(band.angle) / scale)
        let (x, y) = (Double(size.width) / 2, Double(size.height) / 2)
        let map = CGAffineTransform(
            a: c, b: s, c: -s, d: c, tx: band.centre.x - c * x + s * y, ty: band.centre.y - s * x - c * y)
        let rotated = try image.warped(by: map, width: size.width, height: size.height, border: .replicate)
        return (Part(image: rotated, map: map, isUnaltered: false), .rotated)
    }

    /// Returns a part of the image, reduced where it is large.
    private func reduced(_ region: PixelRegion) throws -> Part {
        let (left, top) = (Int(region.x), Int(region.y))
        let (right, bottom) = (
            min(image.width, Int((region.x + region.width).rounded(.up))),
            min(image.height, Int((region.y + region.height).rounded(.up)))
        )
        let crop = image.cropped(x: left, y: top, width: right - left, height: bottom - top)
        let scale = (BarcodePlan.partLimit(isLarge: isLarge) / Double(crop.width * crop.height)).squareRoot()
        let offset = CGAffineTransform(translationX: CGFloat(left), y: CGFloat(top))
        guard scale < 1 else { return Part(image: crop, map: offset) }
        let small = try crop.resized(
            width: max(1, Int((Double(crop.width) * scale).rounded())),
            height: max(1, Int((Double(crop.height) * scale).rounded())), filter: .antialiasedBilinear)
        let growth = CGAffineTransform(
            a: Double(crop.width) / Double(small.width), b: 0, c: 0, d: Double(crop.height) / Double(small.height),
            tx: 0, ty: 0)
        return Part(image: small, map: growth.concatenating(offset), isUnaltered: false)
    }
}
