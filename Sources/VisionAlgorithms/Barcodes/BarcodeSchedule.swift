import Foundation
import VisionImage

/// What is read in each stage of one image, by what its texture promises and by what is left of the bounds of `BarcodePlan`.
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

    static let stageCount = 4

    private let image: Raster
    private let formats: BarcodeFormats
    let isLarge: Bool
    private var texture: BarcodeTexture?
    private var parts: (matrix: [Part], lines: [Part])?
    private var left: (matrix: Int, lines: Int)
    /// What was scheduled so far.
    private(set) var work = BarcodeWork()

    /// - Precondition: the image is `grey8`.
    init(image: Raster, formats: BarcodeFormats) {
        self.image = image
        self.formats = formats
        isLarge = image.width * image.height > BarcodePlan.largeImage
        left = BarcodePlan.laterLimit(isLarge: isLarge)
    }

    /// What is read in a stage; to be asked once for each, in their order.
    ///
    /// - Parameter hasLines: rows of a linear barcode were read, though too few to believe them.
    /// - Throws: `ImageError` where there is no memory.
    mutating func stage(_ number: Int, hasLines: Bool) throws -> [Job] {
        let jobs = isLarge ? try largeStage(number, hasLines: hasLines) : try smallStage(number, hasLines: hasLines)
        for job in jobs {
            work.views += 1
            work.pixels += job.look.pixels(width: job.part.image.width, height: job.part.image.height)
        }
        return jobs
    }

    /// The parts that have the texture of 2-D barcodes.
    mutating func matrixParts() throws -> [Part] {
        if isLarge {
            let parts = try self.parts ?? findParts()
            self.parts = parts
            return parts.matrix
        }
        let texture = try self.texture ?? BarcodeTexture(of: image)
        self.texture = texture
        return texture.squares > .none ? [Part(image: image)] : []
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

    private mutating func largeStage(_ number: Int, hasLines: Bool) throws -> [Job] {
        var whole: [Job] = []
        if number == 0 {
            whole = jobs(
                BarcodePlan.wholeStage(for: formats, width: image.width, height: image.height), of: Part(image: image))
        }
        let parts = try self.parts ?? findParts()
        self.parts = parts
        var later: [Job] = []
        for part in parts.matrix {
            let looks = BarcodePlan.stages(
                for: formats.intersection(.matrix), width: part.image.width, height: part.image.height)[number]
            // What the whole image shows is not read again.
            later += jobs(number == 0 && part.isUnaltered ? Array(looks.dropFirst()) : looks, of: part)
        }
        var lineParts = parts.lines
        if lineParts.isEmpty, hasLines {
            lineParts = [try reduced(PixelRegion(width: image.width, height: image.height))]
        }
        if number > 0 {
            for part in lineParts {
                later += jobs(
                    BarcodePlan.stages(
                        for: formats.intersection(.lines), width: part.image.width, height: part.image.height)[number],
                    of: part)
            }
        }
        return whole + affordable(later)
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

    private func findParts() throws -> (matrix: [Part], lines: [Part]) {
        let regions = try BarcodeRegions(of: image)
        return (
            formats.isDisjoint(with: .matrix) ? [] : try regions.matrix.map(reduced),
            formats.isDisjoint(with: .lines) ? [] : try regions.lines.map(reduced)
        )
    }

    /// A part of the image, made smaller where it is large.
    private func reduced(_ region: PixelRegion) throws -> Part {
        let (left, top) = (Int(region.x), Int(region.y))
        let (right, bottom) = (
            min(image.width, Int((region.x + region.width).rounded(.up))),
            min(image.height, Int((region.y + region.height).rounded(.up)))
        )
        let crop = image.cropped(x: left, y: top, width: right - left, height: bottom - top)
        let scale = (BarcodePlan.partLimit / Double(crop.width * crop.height)).squareRoot()
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
