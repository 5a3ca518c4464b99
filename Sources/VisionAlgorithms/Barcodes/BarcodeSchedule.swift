import Foundation
import VisionImage

/// What is read in each stage of one image, by what its texture promises and by what is left of the bounds of
/// `BarcodePlan`.
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
        var look: BarcodePlan.Look
        var part: Part
    }

    /// The parts of an image that is not small.
    private struct Parts {
        /// What has the texture of 2-D barcodes, and what has it beyond doubt.
        var matrix: [Part]
        var clearMatrix: [Part]
        /// Parts with linear barcodes, and the direction of their rows.
        var lines: [(part: Part, rows: BarcodePlan.Rows)]
    }

    static let stageCount = 4
    /// How many degrees bars may be slanted for their rows to be those of the image.
    private static let uprightAngle = 3.0

    private let image: Raster
    private let formats: BarcodeFormats
    private let isSmall: Bool
    private let isLarge: Bool
    private var texture: BarcodeTexture?
    private var parts: Parts?
    /// A smaller copy of a large image, in which texture and patterns are looked for.
    private var reducedImage: Raster?
    private var left: (matrix: Int, lines: Int)
    /// What was scheduled so far.
    private(set) var work = BarcodeWork()

    /// - Precondition: the image is `grey8`.
    init(image: Raster, formats: BarcodeFormats) {
        self.image = image
        self.formats = formats
        isSmall = image.width * image.height <= BarcodePlan.smallImage
        isLarge = image.width * image.height > BarcodePlan.largeImage
        left = BarcodePlan.laterLimit(width: image.width, height: image.height)
    }

    /// The sizes at which its parts are searched for patterns.
    var patternScales: PatternScales { isSmall ? .all : isLarge ? .one : .reduced }

    /// What is read in a stage; to be asked once for each, in their order.
    ///
    /// - Parameter hasLines: rows of a linear barcode were read, though too few to believe them.
    /// - Throws: `ImageError` where there is no memory.
    mutating func stage(_ number: Int, hasLines: Bool) throws -> [Job] {
        let jobs = isSmall ? try smallStage(number, hasLines: hasLines) : try partStage(number, hasLines: hasLines)
        for job in jobs {
            work.views += 1
            work.pixels += job.look.pixels(width: job.part.image.width, height: job.part.image.height)
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

    /// What is searched for bull's-eyes, and at which sizes: all of a large image, made smaller.
    mutating func bullsEyeParts() throws -> (parts: [Part], scales: PatternScales) {
        guard isLarge else { return (isSmall ? [Part(image: image)] : try matrixParts(), patternScales) }
        let reduced = try findReducedImage()
        return ([Part(image: reduced, map: growth(of: reduced), isUnaltered: false)], .asIs)
    }

    /// From pixels of a copy of the image to the image's.
    private func growth(of copy: Raster) -> CGAffineTransform {
        CGAffineTransform(
            a: Double(image.width) / Double(copy.width), b: 0, c: 0, d: Double(image.height) / Double(copy.height),
            tx: 0, ty: 0)
    }

    /// Adds what was read outside of the stages.
    mutating func count(views: Int, pixels: Int) {
        work.views += views
        work.pixels += pixels
    }

    private mutating func smallStage(_ number: Int, hasLines: Bool) throws -> [Job] {
        let part = Part(image: image)
        let looks = BarcodePlan.stages(for: formats, width: image.width, height: image.height)[number]
        if number == 0 { return jobs(looks, of: part) }
        let texture = try self.texture ?? BarcodeTexture(of: image)
        self.texture = texture
        let wanted = looks.filter { look in
            look.kind == .matrix
                ? texture.squares >= BarcodePlan.leastSquares(forStage: number) : texture.hasBars || hasLines
        }
        return affordable(jobs(wanted, of: part))
    }

    private mutating func partStage(_ number: Int, hasLines: Bool) throws -> [Job] {
        var jobs: [Job] = []
        let (width, height) = (image.width, image.height)
        if number == 0, !isLarge {
            return self.jobs(BarcodePlan.stages(for: formats, width: width, height: height)[0], of: Part(image: image))
        }
        let parts = try findParts()
        if number == 0 {
            let hasBands = !parts.lines.isEmpty
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
            let looks = BarcodePlan.stages(
                for: formats.intersection(.matrix), width: part.image.width, height: part.image.height)[number]
            // What the whole image shows is not read again.
            later += self.jobs(number == 0 && part.isUnaltered ? Array(looks.dropFirst()) : looks, of: part)
        }
        var lineParts = parts.lines
        if hasLines, lineParts.isEmpty || !isLarge {
            lineParts = [(try reduced(PixelRegion(width: image.width, height: image.height)), .both)]
        }
        if number > 0 {
            for (part, rows) in lineParts {
                later += self.jobs(
                    BarcodePlan.stages(
                        for: formats.intersection(.lines), width: part.image.width, height: part.image.height,
                        rows: rows)[number],
                    of: part)
            }
        }
        return jobs + affordable(later)
    }

    private func jobs(_ looks: [BarcodePlan.Look], of part: Part) -> [Job] {
        looks.filter { $0.isWorthwhile(width: part.image.width, height: part.image.height) }
            .map { Job(look: $0, part: part) }
    }

    /// The first ones for which enough is left.
    private mutating func affordable(_ jobs: [Job]) -> [Job] {
        jobs.filter { job in
            let pixels = job.look.pixels(width: job.part.image.width, height: job.part.image.height)
            if job.look.kind == .matrix {
                left.matrix -= pixels
                return left.matrix >= 0
            }
            left.lines -= pixels
            return left.lines >= 0
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
        var parts = Parts(matrix: [], clearMatrix: [], lines: [])
        if !formats.isDisjoint(with: .matrix) {
            parts.matrix = try regions.matrix.map(reduced)
            parts.clearMatrix = isLarge ? parts.matrix : try regions.clearMatrix.map(reduced)
        }
        if !formats.isDisjoint(with: .lines) { parts.lines = try regions.bands.map(upright) }
        self.parts = parts
        return parts
    }

    /// The part of the image around a band of bars, turned so that they stand upright, and the direction of its rows.
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
        let turned = try image.warped(by: map, width: size.width, height: size.height, border: .replicate)
        return (Part(image: turned, map: map, isUnaltered: false), .turned)
    }

    /// A part of the image, made smaller where it is large.
    private func reduced(_ region: PixelRegion) throws -> Part {
        let (left, top) = (Int(region.x), Int(region.y))
        let (right, bottom) = (
            min(image.width, Int((region.x + region.width).rounded(.up))),
            min(image.height, Int((region.y + region.height).rounded(.up)))
        )
        let crop = image.cropped(x: left, y: top, width: right - left, height: bottom - top)
        let scale = (BarcodePlan.partLimit(isLarge: isLarge) / Double(crop.width * crop.height)).squareRoot()
        let place = CGAffineTransform(translationX: CGFloat(left), y: CGFloat(top))
        guard scale < 1 else { return Part(image: crop, map: place) }
        let small = try crop.resized(
            width: max(1, Int((Double(crop.width) * scale).rounded())),
            height: max(1, Int((Double(crop.height) * scale).rounded())), filter: .antialiasedBilinear)
        let growth = CGAffineTransform(
            a: Double(crop.width) / Double(small.width), b: 0, c: 0, d: Double(crop.height) / Double(small.height),
            tx: 0, ty: 0)
        return Part(image: small, map: growth.concatenating(place), isUnaltered: false)
    }
}
