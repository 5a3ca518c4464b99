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
    /// Plain things are seen through their colours where these tell them from their surroundings better than this.
    private static let colourSeparation = 0.75
    private static let stiffness = 2.0
    /// With this much of the border, and so much less of what is within, the thing shows something else.
    private static let (heldBorder, changedCore) = (0.55, 0.2)
    /// After so many frames that show something else it is learnt.
    private static let changedCount = 3
    let template: PlanarTemplate
    let borders: [PlanarBorder]
    private(set) var search: PlanarSearch
    /// Nil for things that are followed by colour.
    private(set) var recovery: PlanarRecovery?
    /// Whether the inside has become another since.
    private var isRecoveryOld = false
    let aligner: PlanarAligner
    /// For plain things of a colour of their own: how much each colour is theirs. The frames are seen through it.
    let table: ColourTable?
    /// Of these things, where their colour was at first, and they.
    let outline: (blob: PlanarBlob, map: Homography)?
    private(set) var map: Homography
    /// The move of the last frame, in the image, while there is one.
    private(set) var motion: Homography?
    private(set) var lostFrames = 0
    /// For how many frames the border has held what looks different inside.
    private(set) var changedFrames = 0
    /// Of the last frame.
    private var size: (width: Int, height: Int)

    /// Where the thing is: as given at first, then as of the last update.
    package var quad: PlanarQuad { map.quad }

    /// Starts with the thing at `quad`, which may lie partly outside of the frame.
    ///
    /// - Parameter frame: Asked for its colours when the thing is plain, as they may tell it from its surroundings then. If so,
    ///   later frames are followed by colour as well.
    /// - Throws: `TrackingError.invalidQuad` for corners that are no numbers, do not make a convex quad, or have no pixel of
    ///   the frame between them, `ImageError.outOfMemory`.
    package init(frame: some PlanarFrame, quad: PlanarQuad, level: Level) throws {
        var pyramid = try frame.pyramid()
        try Self.check(quad, width: pyramid.width, height: pyramid.height)
        guard let map = Homography(squareTo: quad) else {
            throw TrackingError.invalidQuad("The rectangle to track is no rectangle seen in perspective")
        }
        self.map = map
        size = (pyramid.width, pyramid.height)
        let longest = level == .accurate ? 128 : 80
        var template = try PlanarTemplate(pyramid, map: map, longest: longest, extent: 1, close: 6)
        var table: ColourTable?
        if template.isPlain(), let pixels = try frame.colour(), let colours = PlanarColour(pixels, map: map),
            colours.separation > Self.colourSeparation
        {
            table = colours.table
            pyramid = try PlanarPyramid(colours.table.map(pixels))
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
        recovery = table == nil ? try PlanarRecovery(pyramid, map: map) : nil
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

    /// Finds the thing in the next frame.
    ///
    /// The confidence, 0 ... 1, falls when the thing is hidden or gone. Then the quad stays where it was seen last.
    ///
    /// - Throws: `TrackingError.unsupportedFrame` for a frame without colours where these are followed, `ImageError.outOfMemory`;
    ///   the tracker is as before then.
    package func update(frame: some PlanarFrame) throws -> (quad: PlanarQuad, confidence: Float) {
        let pyramid = try seen(frame)
        let before = (map, size, motion, lostFrames, changedFrames)
        do {
            fitFrameSize(pyramid)
            return try follow(frame, pyramid)
        } catch {
            (map, size, motion, lostFrames, changedFrames) = before
            throw error
        }
    }

    private func follow(
        _ frame: some PlanarFrame, _ pyramid: PlanarPyramid
    ) throws -> (quad: PlanarQuad, confidence: Float) {
        let choice = try find(in: pyramid, of: frame)
        let best = choice.fit
        guard let best, best.confidence >= (lostFrames == 0 ? Self.foundConfidence : Self.againConfidence) else {
            lostFrames += 1
            motion = nil
            changedFrames = 0
            return (quad, Float(min(best?.confidence ?? 0, Self.foundConfidence)))
        }
        motion = lostFrames == 0 ? move(from: map, to: best.map) : nil
        map = best.map
        lostFrames = 0
        try learn(from: best, pyramid, isBusy: choice.isSpent)
        return (quad, Float(best.confidence))
    }

    /// What the tracker looks at of a frame.
    private func seen(_ frame: some PlanarFrame) throws -> PlanarPyramid {
        guard let table else { return try frame.pyramid() }
        guard let pixels = try frame.colour() else {
            throw TrackingError.unsupportedFrame("The track started on frames in colour, and this one has none")
        }
        return try PlanarPyramid(table.map(pixels))
    }

    /// A video that goes on at another size shows the same at that size.
    private func fitFrameSize(_ frame: PlanarPyramid) {
        guard frame.width != size.width || frame.height != size.height else { return }
        let scaled =
            Homography.scale(
                x: Double(frame.width) / Double(size.width), y: Double(frame.height) / Double(size.height)) * map
        size = (frame.width, frame.height)
        motion = nil
        if scaled.isProper { map = scaled }
    }

    func isChanged(_ fit: PlanarFit) -> Bool {
        table == nil && fit.border > Self.heldBorder && fit.core < min(0.5, fit.border - Self.changedCore)
    }

    /// Where the border holds the thing for some frames and its inside has become another, the inside is taken anew: screens
    /// change what they show.
    ///
    /// - Parameter isBusy: Whether much was looked at in this frame already.
    private func learn(from fit: PlanarFit, _ pyramid: PlanarPyramid, isBusy: Bool) throws {
        guard isChanged(fit), fit.visible > 0.95 else {
            changedFrames = 0
            if isRecoveryOld, fit.inside > 0.6, !isBusy {
                // In a frame in which little else is done, as it takes as long as several.
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

    private func move(from old: Homography, to new: Homography) -> Homography? {
        guard let back = old.inverse else { return nil }
        let move = new * back
        return move.isFinite ? move : nil
    }
}

extension QuadTracker {
    /// Starts in a frame whose pixels are at hand.
    ///
    /// - Throws: As above; `TrackingError.unsupportedFrame` for a frame that is not `grey8`.
    package convenience init(
        frame: Raster, quad: PlanarQuad, level: Level, colour: (() throws -> Raster)? = nil
    ) throws {
        try self.init(frame: PlanarPicture(grey: frame, coloured: colour), quad: quad, level: level)
    }

    /// Finds the thing in a frame whose pixels are at hand.
    ///
    /// - Throws: As above; `TrackingError.unsupportedFrame` for a frame that is not `grey8`.
    package func update(
        frame: Raster, colour: (() throws -> Raster)? = nil
    ) throws -> (quad: PlanarQuad, confidence: Float) {
        try update(frame: PlanarPicture(grey: frame, coloured: colour))
    }

    /// What an alignment from a place comes to, and the evidence for it: what the confidence is fitted to.
    package func alignment(
        in frame: Raster, from start: PlanarQuad, bordersOnly: Bool
    ) throws -> (quad: PlanarQuad, evidence: SIMD4<Double>)? {
        let pyramid = try PlanarPicture(grey: frame, coloured: nil).pyramid()
        guard let map = Homography(squareTo: start),
            let found = aligner.align(template, borders: borders, bordersOnly: bordersOnly, to: pyramid, from: map)
        else { return nil }
        return (found.quad, PlanarFit(template, borders, pyramid, at: found).evidence)
    }
}
