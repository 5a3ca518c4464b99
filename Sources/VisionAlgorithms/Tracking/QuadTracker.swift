import Foundation
package import VisionImage

/// Follows the four corners of a planar thing through a sequence of grey frames.
///
/// Different trackers may be used at the same time, one is for one thread at a time. The same frames give the same quads on
/// the same instruction set.
package final class QuadTracker {
    package enum Level: Sendable {
        case fast, accurate
    }

    /// From here on a place counts as that of the thing while it is followed.
    private static let foundConfidence = 0.3
    /// What was lost counts as found again from here on.
    private static let againConfidence = 0.5
    /// From here on no other place is looked at.
    private static let sureConfidence = 0.8
    /// Plain things are seen through their colours where these tell them from their surroundings better than this.
    private static let colourSeparation = 0.75
    private static let stiffness = 2.0
    /// With this much of the border, and so much less of what is within, the thing shows something else.
    private static let (heldBorder, changedCore) = (0.55, 0.2)
    /// After so many frames that show something else it is learnt.
    private static let changedCount = 3
    private let template: PlanarTemplate
    private let borders: [PlanarBorder]
    private var search: PlanarSearch
    private var recovery: PlanarRecovery
    /// Whether the inside has become another since.
    private var isRecoveryOld = false
    private let aligner: PlanarAligner
    /// For plain things of a colour of their own: how much each colour is theirs. The frames are seen through it.
    private let table: ColourTable?
    /// Of these things, where their colour was at first, and they.
    private let outline: (blob: PlanarBlob, map: Homography)?
    private var map: Homography
    /// The move of the last frame, in the image, while there is one.
    private var motion: Homography?
    private var lostFrames = 0
    /// For how many frames the border has held what looks different inside.
    private var changedFrames = 0
    /// Of the last frame.
    private var size: (width: Int, height: Int)

    /// Where the thing is: as given at first, then as of the last update.
    package var quad: PlanarQuad { map.quad }

    /// Starts with the thing at `quad`, which may lie partly outside of the frame.
    ///
    /// - Parameter colour: The same frame in colour; asked for when the thing is plain, as its colours may tell it from its
    ///   surroundings then. If so, later frames are followed by colour as well.
    /// - Throws: `TrackingError.invalidQuad` for corners that are no numbers, do not make a convex quad, or have no pixel of
    ///   the frame between them, `TrackingError.unsupportedFrame` for a frame that is not `grey8`, `ImageError.outOfMemory`.
    package init(
        frame: Raster, quad: PlanarQuad, level: Level, colour: (() throws -> Raster)? = nil
    ) throws {
        try Self.check(frame)
        try Self.check(quad, width: frame.width, height: frame.height)
        guard let map = Homography(squareTo: quad) else {
            throw TrackingError.invalidQuad("The rectangle to track is no rectangle seen in perspective")
        }
        self.map = map
        size = (frame.width, frame.height)
        var pyramid = try PlanarPyramid(frame)
        let longest = level == .accurate ? 128 : 80
        var template = try PlanarTemplate(pyramid, map: map, longest: longest, extent: 1, close: 6)
        var table: ColourTable?
        if template.isPlain(), let frame = try colour?(), let colours = PlanarColour(frame, map: map),
            colours.separation > Self.colourSeparation
        {
            table = colours.table
            pyramid = try PlanarPyramid(colours.table.map(frame))
            // The surroundings are a part of its looks then, as far as they do not move by themselves.
            template = try PlanarTemplate(pyramid, map: map, longest: longest, extent: 1.6, close: 2)
        }
        self.table = table
        outline = table == nil ? nil : PlanarBlob(pyramid, around: map).map { ($0, map) }
        self.template = template
        borders = [
            try PlanarBorder(pyramid, map: map, share: 0.12, pixels: 4...40),
            try PlanarBorder(pyramid, map: map, share: 0.04, pixels: 4...8),
        ]
        search = try PlanarSearch(template)
        recovery = try PlanarRecovery(pyramid, map: map)
        var aligner = PlanarAligner()
        if level == .fast { aligner.options.steps = (8, 4) }
        // Colours tell an outline, of which hands that hold the thing hide some.
        if table != nil { aligner.shape = PlanarShape(map, stiffness: Self.stiffness) }
        self.aligner = aligner
    }

    /// Throws when no track can start from such a quad in a frame of that size.
    package static func check(_ quad: PlanarQuad, width: Int, height: Int) throws {
        guard quad.isFinite else {
            throw TrackingError.invalidQuad("The rectangle to track has a corner that is not a number")
        }
        let largest = quad.corners.map { max(abs($0.x), abs($0.y)) }.max() ?? 0
        guard largest < 1e6 else { throw TrackingError.invalidQuad("The rectangle to track is too large") }
        // Sides that cross may enclose as much on one hand as on the other.
        let area = quad.corners.indices.map { index in
            abs(
                (quad.corners[(index + 1) % 4] - quad.corners[index]).cross(
                    quad.corners[(index + 2) % 4] - quad.corners[index]))
        }
        guard (area.max() ?? 0) > 1e-2 else { throw TrackingError.invalidQuad("The rectangle to track has no area") }
        guard quad.isConvex else {
            throw TrackingError.invalidQuad(
                "The corners of the rectangle to track do not make a convex quad: its sides cross, or a corner lies inside "
                    + "or on a line of the others")
        }
        let xs = quad.corners.map(\.x), ys = quad.corners.map(\.y)
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
            left < Double(width), right > 0, top < Double(height), bottom > 0
        else { throw TrackingError.invalidQuad("The rectangle to track lies outside of the frame") }
    }

    private static func check(_ frame: Raster) throws {
        guard frame.format == .grey8 else {
            throw TrackingError.unsupportedFrame("Tracking needs grey frames of 8 bits, not \(frame.format)")
        }
    }

    /// Finds the thing in the next frame.
    ///
    /// The confidence, 0 ... 1, falls when the thing is hidden or gone. Then the quad stays where it was seen last.
    ///
    /// - Throws: `TrackingError.unsupportedFrame` for a frame that is not `grey8`, `ImageError.outOfMemory`; the tracker is as
    ///   before then.
    package func update(
        frame: Raster, colour: (() throws -> Raster)? = nil
    ) throws -> (quad: PlanarQuad, confidence: Float) {
        try Self.check(frame)
        let pyramid = try PlanarPyramid(seen(frame, colour))
        fitFrameSize(frame)
        let best = try find(in: pyramid)
        guard let best, best.confidence >= (lostFrames == 0 ? Self.foundConfidence : Self.againConfidence) else {
            lostFrames += 1
            motion = nil
            changedFrames = 0
            return (quad, Float(min(best?.confidence ?? 0, Self.foundConfidence)))
        }
        motion = lostFrames == 0 ? move(from: map, to: best.map) : nil
        map = best.map
        lostFrames = 0
        try learn(from: best, pyramid)
        return (quad, Float(best.confidence))
    }

    /// What the tracker looks at of a frame.
    private func seen(_ frame: Raster, _ colour: (() throws -> Raster)?) throws -> Raster {
        guard let table else { return frame }
        guard let raster = try colour?(), raster.width == frame.width, raster.height == frame.height else {
            throw TrackingError.unsupportedFrame("The track started on frames in colour, and this one has none")
        }
        return try table.map(raster)
    }

    /// A film that goes on at another size shows the same at that size.
    private func fitFrameSize(_ frame: Raster) {
        guard frame.width != size.width || frame.height != size.height else { return }
        let scaled =
            Homography.scale(
                x: Double(frame.width) / Double(size.width), y: Double(frame.height) / Double(size.height)) * map
        size = (frame.width, frame.height)
        motion = nil
        if scaled.isProper { map = scaled }
    }

    private func isChanged(_ fit: PlanarFit) -> Bool {
        table == nil && fit.border > Self.heldBorder && fit.core < min(0.5, fit.border - Self.changedCore)
    }

    /// Where the border holds the thing for some frames and its inside has become another, the inside is taken anew: screens
    /// change what they show.
    private func learn(from fit: PlanarFit, _ pyramid: PlanarPyramid) throws {
        guard isChanged(fit), fit.visible > 0.95 else {
            changedFrames = 0
            if isRecoveryOld, fit.inside > 0.6 {
                // In a frame of its own, as it takes as long as several frames.
                recovery = try PlanarRecovery(pyramid, map: fit.map)
                isRecoveryOld = false
            }
            return
        }
        changedFrames += 1
        guard changedFrames >= Self.changedCount else { return }
        changedFrames = 0
        template.learn(pyramid, map: fit.map)
        search = PlanarSearch(template, reusing: search)
        isRecoveryOld = true
    }

    // MARK: Looking for it

    /// The best place of all that were tried.
    private struct Choice {
        var fit: PlanarFit?
        var likely = -1.0

        /// Whether no other place needs to be tried: places beside the right one may look fair.
        var isSure: Bool {
            guard let fit else { return false }
            return fit.confidence > sureConfidence && (fit.inside > 0.6 || fit.border > 0.8)
        }
    }

    /// What an alignment goes by.
    private enum Way {
        case inside, both, border
    }

    /// Aligns from a place and keeps what comes out if it is better.
    private func attempt(
        _ start: Homography, by way: Way = .both, _ pyramid: PlanarPyramid, _ choice: inout Choice
    ) {
        guard
            let found = aligner.align(
                template, borders: way == .inside ? [] : borders, bordersOnly: way == .border, to: pyramid, from: start)
        else { return }
        let fit = PlanarFit(template, borders, pyramid, at: found)
        // The score tells places apart that are both as good as certain.
        let likely =
            (outline == nil ? fit.confidence + 0.02 * max(0, fit.score) : fit.agreement) * plausibility(of: found)
        if likely > choice.likely { choice = Choice(fit: fit, likely: likely) }
    }

    private func find(in pyramid: PlanarPyramid) throws -> PlanarFit? {
        var choice = Choice()
        if lostFrames == 0 || table != nil {
            follow(pyramid, &choice)
        } else if lostFrames % 2 == 1 {
            for place in try recovery.places(in: pyramid) where !choice.isSure { attempt(place, pyramid, &choice) }
        } else {
            lookAround(pyramid, &choice)
        }
        return choice.fit
    }

    /// Near where it was last.
    private func follow(_ pyramid: PlanarPyramid, _ choice: inout Choice) {
        var starts = [map]
        if let motion {
            let predicted = motion * map
            if predicted.isProper { starts.append(predicted) }
        }
        // The last predicted place first where the inside has changed: its score means nothing then.
        if changedFrames > 0, let start = starts.last {
            attempt(start, by: .border, pyramid, &choice)
            if choice.isSure { return }
        }
        let scored = starts.map { (map: $0, score: score(pyramid, $0)) }.sorted { $0.score > $1.score }
        attempt(scored[0].map, pyramid, &choice)
        if let fit = choice.fit, isChanged(fit) {
            // What is within means nothing by now, and pulls.
            var held = Choice()
            attempt(fit.map, by: .border, pyramid, &held)
            if let other = held.fit, other.border >= fit.border { choice = held }
        }
        if let outline {
            if let blob = PlanarBlob(pyramid, around: scored[0].map) {
                for place in outline.blob.places(of: outline.map, in: blob, last: map).prefix(2) {
                    attempt(place, pyramid, &choice)
                }
            }
            return
        }
        if let fit = choice.fit, fit.inside > 0.5, fit.border < 0.6 {
            // Sides of something else may pull.
            attempt(scored[0].map, by: .inside, pyramid, &choice)
            if let fit = choice.fit { attempt(fit.map, pyramid, &choice) }
        }
        if choice.isSure { return }
        for place in search.places(in: pyramid, around: scored[0].map, most: 2) where place.score > 0.3 {
            attempt(place.map, pyramid, &choice)
            if choice.isSure { return }
        }
        if let start = starts.last { attempt(start, by: .border, pyramid, &choice) }
    }

    /// Around where it was last, turned and in other sizes.
    private func lookAround(_ pyramid: PlanarPyramid, _ choice: inout Choice) {
        let centre = map.apply(0, 0)
        var places: [PlanarSearch.Place] = []
        for (degrees, size) in [(0.0, 1.0), (-20, 1), (20, 1), (0, 0.75), (0, 1.33), (-40, 1), (40, 1)] {
            let angle = degrees * Double.pi / 180
            let start = Homography.similarity(about: centre, cosine: cos(angle), sine: sin(angle), scale: size) * map
            guard start.isProper else { continue }
            places += search.places(in: pyramid, around: start, most: 2)
        }
        places.sort { $0.score > $1.score }
        for place in places.prefix(3) where place.score > 0.3 && !choice.isSure { attempt(place.map, pyramid, &choice) }
        if !choice.isSure { attempt(map, by: .border, pyramid, &choice) }
    }

    /// Among places that look alike, how likely each is: things jump and change their size less often than they stay near.
    private func plausibility(of found: Homography) -> Double {
        guard lostFrames == 0 else { return 1 }
        let (old, new) = (map.quad, found.quad)
        let (oldArea, newArea) = (abs(old.area), abs(new.area))
        guard oldArea > 0, newArea > 0 else { return 0 }
        let jump = old.centre.distance(to: new.centre) / oldArea.squareRoot(), growth = log(newArea / oldArea)
        return exp(-0.3 * jump * jump - 0.7 * growth * growth)
    }

    /// How well the smallest level fits at a place.
    private func score(_ pyramid: PlanarPyramid, _ start: Homography) -> Double {
        let level = template.levels[0]
        level.sample(pyramid, at: start)
        return PlanarCell.all(of: level).agreement
    }

    private func move(from old: Homography, to new: Homography) -> Homography? {
        guard let back = old.inverse else { return nil }
        let move = new * back
        return move.isFinite ? move : nil
    }

    /// What an alignment from a place comes to, and the evidence for it: what the confidence is fitted to.
    package func alignment(
        in frame: Raster, from start: PlanarQuad, bordersOnly: Bool
    ) throws -> (quad: PlanarQuad, evidence: SIMD4<Double>)? {
        try Self.check(frame)
        let pyramid = try PlanarPyramid(frame)
        guard let map = Homography(squareTo: start),
            let found = aligner.align(template, borders: borders, bordersOnly: bordersOnly, to: pyramid, from: map)
        else { return nil }
        return (found.quad, PlanarFit(template, borders, pyramid, at: found).evidence)
    }
}
