import Foundation
package import VisionImage

/// Finds the translation between images of one size.
///
/// The peaks of a whitened cross-correlation of the windowed images (Kuglin and Hines, 1975) are candidate shifts. The
/// one at which the overlapping pixels agree best is refined by least squares over the overlap (Lucas and Kanade,
/// 1981), with brightness gain and offset as further unknowns. The search covers shifts up to half of the size.
///
/// The work memory is protected by a lock. One correlator serves one sequence; nothing of an image's size is allocated
/// after the first frames.
package final class PhaseCorrelator: @unchecked Sendable {
    // Unchecked: `workspace` is accessed with its lock held only; everything else is immutable.

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

    /// Returns the spectrum of an image for later calls of `translation`. Keeps the raster (not a copy).
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

    /// Returns the shift that moves `floating` onto `reference`. The confidence is 0 or close to it for images without
    /// a common shift, including flat ones, whose shift is zero.
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
            // In a small image the highest integer peak may be a neighbour of the right one: refine all of them.
            let all = peaks.map { refined(reference.raster, floating.raster, from: $0) }
            return all.max { $0.agreement < $1.agreement }?.translation ?? .none
        }
        var best: CorrelationPeak?
        var bestScore = 0.0
        for peak in peaks {
            let displacement = (x: Double(peak.x), y: Double(peak.y))
            guard let sums = sums(reference.raster, floating.raster, displacement, pixels: 1 << 14) else { continue }
            // The agreement weighs more than the height, because marks on the lens make high peaks too.
            let score = sums.agreement * sums.agreement * Double(peak.value / strongest.value).squareRoot()
            if score > bestScore { (best, bestScore) = (peak, score) }
        }
        guard let best else { return .none }
        return refined(reference.raster, floating.raster, from: best).translation
    }

    private static let smallArea = 64 * 64

    /// Refines a shift. The steps are scaled for each axis with the slope measured in the previous step, because the
    /// gradient filter underestimates the slopes of fine texture.
    private func refined(
        _ reference: Raster, _ floating: Raster, from start: CorrelationPeak
    ) -> (translation: Translation, agreement: Double) {
        var position = (x: Double(start.x), y: Double(start.y))
        var gain = (x: 0.8, y: 0.8)
        var taken = (x: 0.0, y: 0.0)
        var last = (x: 0.0, y: 0.0)
        var best = (x: position.x, y: position.y, correlation: -1.0, agreement: 0.0)
        var pixels = 1 << 14
        for round in 0..<Self.rounds {
            guard let sums = sums(reference, floating, position, pixels: pixels) else { break }
            let correlation = sums.correlation
            let step = sums.step
            if correlation > best.correlation - 1e-3 {
                best = (position.x, position.y, correlation, sums.agreement)
            }
            if round > 0 {
                if abs(taken.x) > 1e-3 { gain.x = 1 / min(max((last.x - step.x) / taken.x, 0.5), 4) }
                if abs(taken.y) > 1e-3 { gain.y = 1 / min(max((last.y - step.y) / taken.y, 0.5), 4) }
            }
            taken = (min(max(gain.x * step.x, -0.75), 0.75), min(max(gain.y * step.y, -0.75), 0.75))
            last = step
            let next = (x: position.x + taken.x, y: position.y + taken.y)
            guard abs(next.x - Double(start.x)) < Self.reach, abs(next.y - Double(start.y)) < Self.reach else { break }
            position = next
            // A few pixels are enough to converge; the final precision needs many.
            let near = pixels == 1 << 14 ? 0.03 : 1e-3
            guard abs(taken.x) < near, abs(taken.y) < near else { continue }
            best = (position.x, position.y, correlation, sums.agreement)
            if pixels == 1 << 16 { break }
            pixels = 1 << 16
        }
        guard best.correlation > 0 else { return (.none, 0) }
        // The result is exact for integer shifts, also if the refinement started from a neighbour.
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

    private static let rounds = 12
    /// The largest distance of the refined position from the peak, in pixels.
    private static let reach = 2.5

    /// Combines both measures. Measured on photographs: overlaps of unrelated photos correlate up to 0.8 at the best
    /// shift, but their peaks are seldom more than 5 times the typical value; those of the same scene correlate above
    /// 0.95, with peaks of 8 to 400 times. The peaks of small images are less prominent.
    private func confidence(correlation: Double, prominence: Float) -> Double {
        func ramp(_ value: Double, _ low: Double, _ high: Double) -> Double {
            let t = min(max((value - low) / (high - low), 0), 1)
            return t * t * (3 - 2 * t)
        }
        let scale = min(max(log2(Double(min(width, height)) / 16) / log2(10), 0), 1)
        return ramp(correlation, 0.5, 0.9) * ramp(Double(prominence), 4 * scale, 1 + 9 * scale)
    }

    /// Returns sums over about `pixels` pixels of the overlap (all rows if it is smaller); nil without an overlap.
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
