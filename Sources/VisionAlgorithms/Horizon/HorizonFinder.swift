import Foundation
package import VisionImage

/// Finds the horizon of an image from its edge segments: vertical ones and those along the horizon.
package enum HorizonFinder {
    /// The longer side of the analysed image, in pixels.
    package static let side = 400
    /// Edges shorter than this part of the longer side are ignored.
    private static let minimumLength = 0.03
    /// The confidence below which no horizon is reported.
    package static let leastConfidence = 0.5

    /// Returns the size at which an image is analysed.
    package static func viewSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let scale = min(1, Double(side) / Double(max(width, height, 1)))
        return (max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded())))
    }

    /// Returns the horizon, whatever its confidence; nil for images without straight edges.
    ///
    /// - Parameters:
    ///   - image: The image at its view size.
    ///   - width: The width of the image before it was reduced to that size.
    ///   - height: Its height.
    /// - Precondition: the image is `grey8`.
    package static func horizon(in image: Raster, width: Int, height: Int) -> HorizonEstimate? {
        let edges = edges(in: image, width: width, height: height)
        guard !edges.isEmpty else { return nil }
        let votes = HorizonVotes(edges)
        let best = votes.best
        guard votes.scores[best] > 0 else { return nil }
        let angle = refined(votes, from: best)
        let evidence = HorizonEvidence(
            support: votes.scores[best], rival: votes.rival(of: best), line: votes.lines[best])
        return HorizonEstimate(
            angle: min(.pi / 4, max(-.pi / 4, angle)), confidence: evidence.confidence, evidence: evidence)
    }

    static func edges(in image: Raster, width: Int, height: Int) -> [HorizonVotes.Edge] {
        var finder = EdgeSegmentFinder(image)
        let longer = Double(max(image.width, image.height))
        // The view's pixels may deviate slightly from squares.
        let scale = SIMD2(
            Double(width) / Double(image.width) / Double(max(width, height)),
            Double(height) / Double(image.height) / Double(max(width, height)))
        let middle = SIMD2(Double(image.width), Double(image.height)) / 2
        return finder.segments(atLeast: Float(max(8, minimumLength * longer))).compactMap { segment in
            let start = (SIMD2<Double>(segment.start) - middle) * scale
            var along = (SIMD2<Double>(segment.end) - middle) * scale - start
            let centre = start + along / 2
            let length = (along * along).sum().squareRoot()
            guard length > 0 else { return nil }
            let isBrighterBelow = along.x > 0
            if along.x < 0 || along.x == 0 && along.y > 0 { along = -along }
            return .init(
                middle: centre, angle: atan2(along.y, along.x), length: length, isBrighterBelow: isBrighterBelow)
        }
    }

    /// Fits the angle and the vanishing point to the nearby edges by iteratively reweighted least squares.
    private static func refined(_ votes: HorizonVotes, from best: Int) -> Double {
        var angle = HorizonVotes.degrees(best) * .pi / 180
        var pitch = HorizonVotes.pitches[votes.bestPitches[best]]
        for width in [2.0, 1.5, 1.2, 1, 1, 1] {
            // The normal equations, with a weak prior on the pitch.
            var (aa, ab, bb, ra, rb) = (1e-12, 0.0, 1e-3, 0.0, 0.0)
            for edge in votes.edges {
                let reach = HorizonVotes.width(forLength: edge.length) * width / 2 * .pi / 180
                let weight = HorizonVotes.weight(edge) / (reach * reach)
                func add(_ deviation: Double, _ byAngle: Double, _ byPitch: Double) {
                    let part = deviation / reach
                    guard abs(part) < 1 else { return }
                    let weight = weight * (1 - part * part) * (1 - part * part)
                    aa += weight * byAngle * byAngle
                    ab += weight * byAngle * byPitch
                    bb += weight * byPitch * byPitch
                    ra += weight * deviation * byAngle
                    rb += weight * deviation * byPitch
                }
                add(wrapped(edge.angle - angle), 1, 0)
                let up = SIMD2(sin(angle), -cos(angle)) - pitch * edge.middle
                let square = (up * up).sum()
                guard square > 1e-4 else { continue }
                let byAngle = (up.x * sin(angle) - up.y * cos(angle)) / square
                let byPitch = (-up.x * edge.middle.y + up.y * edge.middle.x) / square
                add(wrapped(edge.angle - atan2(up.y, up.x)), byAngle, byPitch)
            }
            let determinant = aa * bb - ab * ab
            guard determinant > 1e-12 * aa * bb else { break }
            angle += (ra * bb - rb * ab) / determinant
            pitch += (rb * aa - ra * ab) / determinant
        }
        let start = HorizonVotes.degrees(best) * .pi / 180
        // A fit that diverges is rejected.
        return angle.isFinite && abs(angle - start) < 2.5 * .pi / 180 ? angle : start
    }

    /// Returns the angle between -π/2 and π/2: edges have no direction.
    private static func wrapped(_ angle: Double) -> Double {
        angle - (angle / .pi).rounded() * .pi
    }
}

extension HorizonEvidence {
    /// Fitted on photos that were rotated by known angles, and on close-ups, where every angle is wrong (`Benchmarks
    /// accuracy horizon --fit`).
    private static let weights = [-3.974, 3.93, 1.717, -1.336]

    /// Returns the terms of the confidence: one, the support, its ratio to the rival's, and the share of a single line,
    /// which may be anything.
    package static func values(of evidence: HorizonEvidence) -> [Double] {
        let support = max(evidence.support, 1e-3)
        return [1, log(support), log(support / max(evidence.rival, 1e-2)), evidence.line]
    }

    var confidence: Double {
        let value = zip(Self.values(of: self), Self.weights).reduce(0) { $0 + $1.0 * $1.1 }
        return 1 / (1 + exp(-value))
    }
}
