package import VisionImage

/// Tracks the four corners of a planar object through a sequence of frames.
///
/// Different trackers may be used at the same time, each by one thread at a time. The same frames give the same quads
/// on the same instruction set.
package final class QuadTracker {
    package enum Level: Sendable {
        case fast, accurate
    }

    /// The confidence from which an alignment is accepted while the object is tracked.
    private static let foundConfidence = 0.3
    /// The confidence from which a lost object counts as found again.
    private static let refoundConfidence = 0.5
    /// The colour separation from which an object without texture is tracked by colour.
    private static let colourSeparation = 0.75
    private static let stiffness = 2.0
    /// The inside counts as changed if the border agreement is above `heldBorder` and the inside agrees less by
    /// `changedCore`.
    private static let (heldBorder, changedCore) = (0.55, 0.2)
    /// The number of consecutive changed frames after which the new inside is learnt.
    private static let changedFrameLimit = 3
    let template: PlanarTemplate
    let borders: [PlanarBorder]
    private(set) var search: PlanarSearch
    /// Nil for objects that are tracked by colour.
    private(set) var recovery: PlanarRecovery?
    /// Whether the inside has been relearnt since the features in `recovery` were taken.
    private var isRecoveryOld = false
    let aligner: PlanarAligner
    /// For objects without texture but with a distinct colour: the probability of each colour to belong to the object.
    /// Frames are mapped through it before tracking.
    let table: ColourTable?
    /// For these objects: the colour blob in the first frame, and the object's map there.
    let outline: (blob: PlanarBlob, map: Homography)?
    private(set) var map: Homography
    /// The motion between the last two frames, in image coordinates; nil if unknown.
    private(set) var motion: Homography?
    private(set) var lostFrames = 0
    /// The number of frames for which the border was found and the inside did not match.
    private(set) var changedFrames = 0
    /// The size of the last frame.
    private var size: (width: Int, height: Int)
    /// The credibility of the quad that was given, its area, and the part of it within the first frame.
    private let given: (credibility: Double, area: Double, visibleShare: Double)

    /// The object's corners as of the last update, or as given at first.
    package var quad: PlanarQuad { map.quad }

    /// Starts with the object at `quad`, which may lie partly outside of the frame.
    ///
    /// - Parameter frame: Its colours are read only if the object has no texture. If they separate the object from its
    ///   surroundings, the following frames are tracked by colour.
    /// - Throws: `TrackingError.invalidQuad` for corners that are not numbers, do not make a convex quad, or have no
    ///   pixel of the frame between them, `ImageError.outOfMemory`.
    package init(frame: some PlanarFrame, quad: PlanarQuad, level: Level) throws {
        var pyramid = try frame.pyramid()
        try Self.check(quad, width: pyramid.width, height: pyramid.height)
        guard let map = Homography(squareTo: quad) else {
            throw TrackingError.invalidQuad(
                "The corners of the rectangle to track are not those of a rectangle in perspective")
        }
        self.map = map
        size = (pyramid.width, pyramid.height)
        given = (quad.credibility, quad.area, quad.visibleShare(width: pyramid.width, height: pyramid.height))
        let longest = level == .accurate ? 128 : 80
        var template = try PlanarTemplate(pyramid, map: map, longest: longest, extent: 1, close: 6)
        var table: ColourTable?
        if template.isPlain(), let pixels = try frame.colour(), let colours = PlanarColour(pixels, map: map),
            colours.separation > Self.colourSeparation
        {
            table = colours.table
            pyramid = try PlanarPyramid(colours.table.map(pixels))
            // The surroundings become part of the template, as far as they do not move by themselves.
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
        // Hands that hold the object hide a part of its outline.
        if table != nil { aligner.shape = PlanarShape(map, stiffness: Self.stiffness) }
        self.aligner = aligner
    }

    /// Throws an error if no track can start from `quad` in a frame of that size.
    package static func check(_ quad: PlanarQuad, width: Int, height: Int) throws {
        guard quad.isFinite else {
            throw TrackingError.invalidQuad("The rectangle to track has a corner that is not a number")
        }
        let largest = quad.corners.map { max(abs($0.x), abs($0.y)) }.max() ?? 0
        guard largest < 1e6 else { throw TrackingError.invalidQuad("The rectangle to track is too large") }
        // The signed areas of a self-crossing quad may cancel each other.
        let area = quad.corners.indices.map { index in
            abs(
                (quad.corners[(index + 1) % 4] - quad.corners[index]).cross(
                    quad.corners[(index + 2) % 4] - quad.corners[index]))
        }
        guard (area.max() ?? 0) > 1e-2 else { throw TrackingError.invalidQuad("The rectangle to track has no area") }
        guard quad.isConvex else {
            throw TrackingError.invalidQuad(
                "The corners of the rectangle to track do not make a convex quad: its sides cross, or a corner lies "
                    + "inside the triangle of the others or on one of its sides")
        }
        let xs = quad.corners.map(\.x), ys = quad.corners.map(\.y)
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
            left < Double(width), right > 0, top < Double(height), bottom > 0
        else { throw TrackingError.invalidQuad("The rectangle to track lies outside of the frame") }
    }

    /// Finds the object in the next frame.
    ///
    /// The confidence, 0 ... 1, falls when the object is hidden or gone. The quad then stays where it was seen last.
    /// It is low as well for a quad that can hardly be the image of a visible rectangle, and for all frames of a track
    /// that started nearly edge-on.
    ///
    /// - Throws: `TrackingError.unsupportedFrame` for a grey frame while tracking by colour, `ImageError.outOfMemory`.
    ///   The tracker is then unchanged.
    package func update(frame: some PlanarFrame) throws -> (quad: PlanarQuad, confidence: Float) {
        let pyramid = try trackedPyramid(frame)
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
        guard let best, best.confidence >= (lostFrames == 0 ? Self.foundConfidence : Self.refoundConfidence) else {
            lostFrames += 1
            motion = nil
            changedFrames = 0
            return (quad, credible(min(best?.confidence ?? 0, Self.foundConfidence)))
        }
        motion = lostFrames == 0 ? relativeMotion(from: map, to: best.map) : nil
        map = best.map
        lostFrames = 0
        try learn(from: best, pyramid, isBusy: choice.isExhausted)
        return (quad, credible(best.confidence))
    }

    /// Returns the confidence of an alignment, limited by how well the quad can be an image of the object.
    ///
    /// The tracker's decisions use the confidence of the alignment, because what it compares stays the same.
    private func credible(_ confidence: Double) -> Float {
        let start = (given.area, given.visibleShare)
        let credibility = quad.credibility(startingAt: start, width: size.width, height: size.height)
        return Float(confidence * min(credibility, given.credibility))
    }

    /// Returns the grey pyramid of a frame or, when tracking by colour, that of its colour probabilities.
    private func trackedPyramid(_ frame: some PlanarFrame) throws -> PlanarPyramid {
        guard let table else { return try frame.pyramid() }
        guard let pixels = try frame.colour() else {
            throw TrackingError.unsupportedFrame("The track started on frames in colour, and this one has none")
        }
        return try PlanarPyramid(table.map(pixels))
    }

    /// Scales the current map when the video continues at another frame size.
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

    /// Relearns the inside if the border has held the object for some frames while the inside changed: screens
    /// change what they show.
    ///
    /// - Parameter isBusy: Whether this frame has already cost much.
    private func learn(from fit: PlanarFit, _ pyramid: PlanarPyramid, isBusy: Bool) throws {
        guard isChanged(fit), fit.visible > 0.95 else {
            changedFrames = 0
            if isRecoveryOld, fit.inside > 0.6, !isBusy {
                // Only in a frame with little other computation, because it takes as long as several frames.
                recovery = try PlanarRecovery(pyramid, map: fit.map)
                isRecoveryOld = false
            }
            return
        }
        changedFrames += 1
        guard changedFrames >= Self.changedFrameLimit else { return }
        changedFrames = 0
        template.learn(pyramid, map: fit.map)
        search = PlanarSearch(template, reusing: search)
        isRecoveryOld = true
    }

    private func relativeMotion(from old: Homography, to new: Homography) -> Homography? {
        guard let back = old.inverse else { return nil }
        let move = new * back
        return move.isFinite ? move : nil
    }
}

extension QuadTracker {
    /// Starts in a frame whose pixels are in memory.
    ///
    /// - Throws: As above; `TrackingError.unsupportedFrame` for a frame that is not `grey8`.
    package convenience init(
        frame: Raster, quad: PlanarQuad, level: Level, colour: (() throws -> Raster)? = nil
    ) throws {
        try self.init(frame: UncachedPlanarFrame(grey: frame, coloured: colour), quad: quad, level: level)
    }

    /// Finds the object in a frame whose pixels are in memory.
    ///
    /// - Throws: As above; `TrackingError.unsupportedFrame` for a frame that is not `grey8`.
    package func update(
        frame: Raster, colour: (() throws -> Raster)? = nil
    ) throws -> (quad: PlanarQuad, confidence: Float) {
        try update(frame: UncachedPlanarFrame(grey: frame, coloured: colour))
    }

    /// Aligns from `start` and returns the result with its evidence. The weights of the confidence are fitted to this
    /// evidence.
    package func alignment(
        in frame: Raster, from start: PlanarQuad, bordersOnly: Bool
    ) throws -> (quad: PlanarQuad, evidence: SIMD4<Double>)? {
        let pyramid = try UncachedPlanarFrame(grey: frame, coloured: nil).pyramid()
        guard let map = Homography(squareTo: start),
            let found = aligner.align(template, borders: borders, bordersOnly: bordersOnly, to: pyramid, from: map)
        else { return nil }
        return (found.quad, PlanarFit(template, borders, pyramid, at: found).evidence)
    }
}
