import Foundation
package import VisionImage

/// Finds the translation between images of one size.
///
/// A whitened cross-correlation of the windowed images (Kuglin and Hines, 1975) gives a few places where the shift may
/// lie; the one at which the overlapping pixels agree best is refined by least squares over the overlap (Lucas and Kanade,
/// 1981), with brightness gain and offset free. Shifts up to half of the size are looked for.
///
/// Uses its work memory under a lock: one correlator serves one sequence, and nothing of an image's size is allocated
/// after the first frames.
package final class PhaseCorrelator: @unchecked Sendable {
    // Unchecked: `workspace` is used with its lock held only; all else is immutable.

    package let width: Int
    package let height: Int
    let workspace: CorrelationWorkspace

    /// - Throws: `RegistrationError.tooLarge`, `ImageError.outOfMemory`.
    package init(width: Int, height: Int) throws {
        precondition(width > 0 && height > 0)
        self.width = width
        self.height = height
        workspace = try CorrelationWorkspace(width: width, height: height)
    }

    /// What later calls of `translation` need of the image. Keeps the raster (not a copy).
    ///
    /// - Throws: `RegistrationError` for a raster of another size or format, `ImageError.outOfMemory`.
    package func spectrum(of raster: Raster) throws -> ImageSpectrum {
        guard raster.format == .grey8 else { throw RegistrationError.unsupportedFormat(raster.format) }
        guard raster.width == width, raster.height == height else {
            throw RegistrationError.differentSizes(
                reference: [width, height], floating: [raster.width, raster.height])
        }
        return try workspace.spectrum(of: raster)
    }

    /// The shift that moves `floating` onto `reference`. Images without a common shift, flat ones among them, give
    /// confidence 0 or close to it; the shift of flat ones is zero.
    ///
    /// - Throws: `RegistrationError.differentSizes` for spectra of other sizes than this correlator's.
    package func translation(reference: ImageSpectrum, floating: ImageSpectrum) throws -> Translation {
        for image in [reference.raster, floating.raster] where image.width != width || image.height != height {
            throw RegistrationError.differentSizes(
                reference: [reference.raster.width, reference.raster.height],
                floating: [floating.raster.width, floating.raster.height])
        }
        let peaks = workspace.peaks(reference: reference, floating: floating)
        guard let strongest = peaks.first else { return .none }
        if width * height <= Self.smallArea {
            // The highest whole pixel of a small image may be a neighbour of the right one: see all of them through.
            let all = peaks.map { refined(reference.raster, floating.raster, from: $0) }
            return all.max { $0.agreement < $1.agreement }?.translation ?? .none
        }
        var best: CorrelationPeak?
        var bestScore = 0.0
        for peak in peaks {
            let displacement = (x: Double(peak.x), y: Double(peak.y))
            guard let sums = sums(reference.raster, floating.raster, displacement, pixels: 1 << 14) else { continue }
            // Agreement counts for more than height: what stands still on the lens makes high peaks too.
            let score = sums.agreement * sums.agreement * Double(peak.value / strongest.value).squareRoot()
            if score > bestScore { (best, bestScore) = (peak, score) }
        }
        guard let best else { return .none }
        return refined(reference.raster, floating.raster, from: best).translation
    }

    private static let smallArea = 64 * 64

    /// Steps are scaled axis by axis with the slope that the step before has shown: the gradient filter takes the edges
    /// of fine texture for flatter than they are.
    private func refined(
        _ reference: Raster, _ floating: Raster, from start: CorrelationPeak
    ) -> (translation: Translation, agreement: Double) {
        var position = (x: Double(start.x), y: Double(start.y))
        var gain = (x: 0.8, y: 0.8)
        var taken = (x: 0.0, y: 0.0)
        var last = (x: 0.0, y: 0.0)
        var best = (x: position.x, y: position.y, correlation: -1.0, agreement: 0.0)
        var pixels = 1 << 14
        for turn in 0..<Self.turns {
            guard let sums = sums(reference, floating, position, pixels: pixels) else { break }
            let correlation = sums.correlation
            let step = sums.step
            if correlation > best.correlation - 1e-3 {
                best = (position.x, position.y, correlation, sums.agreement)
            }
            if turn > 0 {
                if abs(taken.x) > 1e-3 { gain.x = 1 / min(max((last.x - step.x) / taken.x, 0.5), 4) }
                if abs(taken.y) > 1e-3 { gain.y = 1 / min(max((last.y - step.y) / taken.y, 0.5), 4) }
            }
            taken = (min(max(gain.x * step.x, -0.75), 0.75), min(max(gain.y * step.y, -0.75), 0.75))
            last = step
            let next = (x: position.x + taken.x, y: position.y + taken.y)
            guard abs(next.x - Double(start.x)) < Self.reach, abs(next.y - Double(start.y)) < Self.reach else { break }
            position = next
            // A few pixels show the way; many are for the last digits.
            let near = pixels == 1 << 14 ? 0.03 : 1e-3
            guard abs(taken.x) < near, abs(taken.y) < near else { continue }
            best = (position.x, position.y, correlation, sums.agreement)
            if pixels == 1 << 16 { break }
            pixels = 1 << 16
        }
        guard best.correlation > 0 else { return (.none, 0) }
        // Exact for whole pixels, also where the steps have started from a neighbour.
        let whole = (x: best.x.rounded(), y: best.y.rounded())
        if whole != (best.x, best.y), abs(whole.x - best.x) < 0.01, abs(whole.y - best.y) < 0.01,
            let sums = sums(reference, floating, whole, pixels: 1 << 16), sums.values[13] == 0
        {
            best = (whole.x, whole.y, sums.correlation, sums.agreement)
        }
        let translation = Translation(
            dx: 0 - best.x, dy: 0 - best.y,
            confidence: confidence(correlation: best.correlation, prominence: start.prominence))
        return (translation, best.agreement)
    }

    private static let turns = 12
    /// How far from the peak the refinement may go.
    private static let reach = 2.5

    /// What both measures agree on. Measured on photographs: overlaps of unrelated ones correlate up to 0.8 once the best
    /// shift is picked, but their peaks are seldom more than 5 times as high as usual; those of the same scene correlate
    /// above 0.95 and stand out 8 to 400 times. Small images have less to stand out from.
    private func confidence(correlation: Double, prominence: Float) -> Double {
        func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
            let t = min(max((value - low) / (high - low), 0), 1)
            return t * t * (3 - 2 * t)
        }
        let scale = min(max(log2(Double(min(width, height)) / 16) / log2(10), 0), 1)
        return ramp(correlation, 0.5, 0.9) * ramp(Double(prominence), 4 * scale, 1 + 9 * scale)
    }

    /// Sums over about `pixels` pixels of the overlap (all rows where there are fewer); nil when there is no overlap.
    private func sums(
        _ reference: Raster, _ floating: Raster, _ displacement: (x: Double, y: Double), pixels: Int
    ) -> TranslationSums? {
        let whole = (x: Int(displacement.x.rounded(.down)), y: Int(displacement.y.rounded(.down)))
        let overlap = Overlap(imageWidth: width, imageHeight: height, whole: whole)
        guard overlap.isUsable, overlap.width * overlap.height * 7 >= width * height else { return nil }
        let rowStep = max(1, overlap.width * overlap.height / pixels)
        return workspace.sums(
            reference: reference, floating: floating, overlap: overlap, rowStep: rowStep, whole: whole,
            taps: (
                interpolationTaps(displacement.x - Double(whole.x)), interpolationTaps(displacement.y - Double(whole.y))
            ))
    }
}
