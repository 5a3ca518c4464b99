import Foundation
import VisionImage

/// Finds features: extrema of the scale space, described by the gradients around them relative to their dominant
/// orientation.
///
/// Lowe, "Distinctive image features from scale-invariant keypoints" (2004).
struct FeatureFinder {
    /// The largest number of features, those of the highest contrast.
    var limit = 2000
    /// The least contrast of a blob, in grey levels.
    var contrast = 1.2
    /// The assumed blur of the input, in pixels.
    var assumedBlur = 0.5

    /// The margin of an octave without features, in pixels of the octave.
    private static let border = 6
    private static let maximumExtrema = 20_000
    /// The ratio of the two curvatures above which a blob is an edge.
    private static let edge = 12.0

    private struct Candidate {
        var octave: Int
        var image: Int
        var x: Double
        var y: Double
        var sigma: Double
        var response: Double
    }

    /// Returns the features of a grey image. `toImage` maps from its pixels, the centre of the first one being (0.5,
    /// 0.5), to those of the whole image; nil for points outside of the visible part.
    func features(in raster: Raster, toImage: (PlanarPoint, _ radius: Double) -> Feature?) throws -> FeatureSet {
        var set = FeatureSet()
        guard min(raster.width, raster.height) >= 4 * Self.border else { return set }
        var octaves = [try ScaleOctave(raster, assumed: assumedBlur)]
        while octaves.count < 8, let last = octaves.last, min(last.width, last.height) >= 8 * Self.border {
            octaves.append(try ScaleOctave(after: last))
        }
        var candidates: [Candidate] = []
        for (index, octave) in octaves.enumerated() { candidates += try Self.candidates(in: octave, index, contrast) }
        if candidates.count > limit {
            // Ties are broken by the order in the image, so that the result is deterministic.
            let order = candidates.indices.sorted {
                (candidates[$1].response, $0) < (candidates[$0].response, $1)
            }
            candidates = order.prefix(limit).sorted().map { candidates[$0] }
        }
        var start = 0
        while start < candidates.count {
            let (octave, image) = (candidates[start].octave, candidates[start].image)
            var end = start
            while end < candidates.count, candidates[end].octave == octave, candidates[end].image == image { end += 1 }
            Self.describe(candidates[start..<end], octaves[octave], octave: octave, image: image, toImage, into: &set)
            start = end
        }
        return set
    }

    /// Returns the refined extrema by octave and image, without those along edges and those of low contrast.
    private static func candidates(in octave: ScaleOctave, _ index: Int, _ contrast: Double) throws -> [Candidate] {
        var result: [Candidate] = []
        for image in 1...ScaleOctave.steps {
            let extrema = try octave.extrema(
                of: image, border: border, least: Float(0.7 * contrast), most: maximumExtrema)
            octave.withDifferences { difference in
                for extremum in extrema {
                    guard
                        let candidate = refined(
                            (extremum.x, extremum.y, image), octave, contrast: contrast, difference: difference)
                    else { continue }
                    var found = candidate
                    found.octave = index
                    result.append(found)
                }
            }
        }
        // The refinement may have moved to another image.
        return result.stablySorted { $0.image < $1.image }
    }

    /// Refines an extremum to the vertex of a quadratic through the neighbours (Brown and Lowe, 2002).
    private static func refined(
        _ start: (x: Int, y: Int, image: Int), _ octave: ScaleOctave, contrast: Double,
        difference d: (Int, Int, Int) -> Double
    ) -> Candidate? {
        var (x, y, s) = start
        for _ in 0..<4 {
            let v = d(s, x, y)
            let gx = (d(s, x + 1, y) - d(s, x - 1, y)) / 2
            let gy = (d(s, x, y + 1) - d(s, x, y - 1)) / 2
            let gs = (d(s + 1, x, y) - d(s - 1, x, y)) / 2
            let xx = d(s, x + 1, y) + d(s, x - 1, y) - 2 * v
            let yy = d(s, x, y + 1) + d(s, x, y - 1) - 2 * v
            let ss = d(s + 1, x, y) + d(s - 1, x, y) - 2 * v
            let xy = (d(s, x + 1, y + 1) - d(s, x - 1, y + 1) - d(s, x + 1, y - 1) + d(s, x - 1, y - 1)) / 4
            let xs = (d(s + 1, x + 1, y) - d(s + 1, x - 1, y) - d(s - 1, x + 1, y) + d(s - 1, x - 1, y)) / 4
            let ys = (d(s + 1, x, y + 1) - d(s + 1, x, y - 1) - d(s - 1, x, y + 1) + d(s - 1, x, y - 1)) / 4
            let (a, b, c) = (yy * ss - ys * ys, xs * ys - xy * ss, xy * ys - xs * yy)
            let determinant = xx * a + xy * b + xs * c
            guard abs(determinant) > 1e-12 else { return nil }
            let dx = -(gx * a + gy * b + gs * c) / determinant
            let dy = -(gx * b + gy * (xx * ss - xs * xs) + gs * (xy * xs - xx * ys)) / determinant
            let ds = -(gx * c + gy * (xy * xs - xx * ys) + gs * (xx * yy - xy * xy)) / determinant
            guard abs(dx) < 4, abs(dy) < 4, abs(ds) < 4 else { return nil }
            if abs(dx) < 0.55, abs(dy) < 0.55, abs(ds) < 0.55 {
                let value = v + 0.5 * (gx * dx + gy * dy + gs * ds)
                let (trace, area) = (xx + yy, xx * yy - xy * xy)
                let limit = (edge + 1) * (edge + 1) / edge
                guard abs(value) >= contrast, area > 0, trace * trace < limit * area else { return nil }
                return Candidate(
                    octave: 0, image: s, x: Double(x) + dx, y: Double(y) + dy,
                    sigma: ScaleOctave.sigma * pow(2, (Double(s) + ds) / Double(ScaleOctave.steps)),
                    response: abs(value))
            }
            x += Int(dx.rounded())
            y += Int(dy.rounded())
            s += Int(ds.rounded())
            guard s >= 1, s <= ScaleOctave.steps, x >= border, y >= border, x < octave.width - border,
                y < octave.height - border
            else { return nil }
        }
        return nil
    }

    private static func describe(
        _ candidates: ArraySlice<Candidate>, _ octave: ScaleOctave, octave index: Int, image: Int,
        _ toImage: (PlanarPoint, Double) -> Feature?, into set: inout FeatureSet
    ) {
        let pixel = Double(1 << index)
        let seen = candidates.compactMap { candidate -> (Candidate, Feature)? in
            let point = PlanarPoint(x: candidate.x * pixel + 0.5, y: candidate.y * pixel + 0.5)
            return toImage(point, candidate.sigma * pixel).map { (candidate, $0) }
        }
        let upright = seen.map { seen in
            ScaleOctave.Sample(x: seen.0.x, y: seen.0.y, spacing: seen.0.sigma * 9 / 14, angle: 0)
        }
        let histograms = octave.directions(at: upright, image: image)
        var samples: [ScaleOctave.Sample] = []
        var features: [Feature] = []
        let bins = ScaleOctave.directions
        for (number, (candidate, feature)) in seen.enumerated() {
            for angle in angles(histograms[number * bins..<(number + 1) * bins]) {
                samples.append(
                    ScaleOctave.Sample(
                        x: candidate.x, y: candidate.y, spacing: candidate.sigma * 12 / 14, angle: angle))
                features.append(feature)
            }
        }
        set.append(features, descriptors: octave.descriptors(at: samples, image: image))
    }

    /// Returns the highest peak of an orientation histogram and those of at least 0.8 of its height, at most three.
    private static func angles(_ histogram: ArraySlice<Float>) -> [Double] {
        let n = histogram.count
        let start = histogram.startIndex
        let smooth = (0..<n).map { i -> Double in
            func at(_ k: Int) -> Double { Double(histogram[start + (i + k + n) % n]) }
            return (at(-2) + at(2)) / 16 + (at(-1) + at(1)) / 4 + at(0) * 3 / 8
        }
        guard let most = smooth.max(), most > 0 else { return [] }
        var found: [(height: Double, angle: Double)] = []
        for i in 0..<n {
            let (before, here, after) = (smooth[(i + n - 1) % n], smooth[i], smooth[(i + 1) % n])
            guard here > before, here >= after, here >= 0.8 * most else { continue }
            let top = Double(i) + 0.5 * (before - after) / (before - 2 * here + after)
            found.append((here, top * 2 * .pi / Double(n)))
        }
        return found.sorted { $0.height > $1.height }.prefix(3).map(\.angle)
    }
}
