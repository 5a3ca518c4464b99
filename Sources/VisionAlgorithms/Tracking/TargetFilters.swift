import VisionImage

/// A target as the correlation trackers have it: the filters that find it, where it is, and how well it was found at first.
final class TargetFilters {
    struct Settings {
        var translation: TranslationFilter.Settings
        var sizes: ScaleFilter.Settings

        static let fast = Settings(translation: .fast, sizes: .fast)
        static let accurate = Settings(translation: .accurate, sizes: .accurate)
    }

    /// What the filters answer around a point, and the best place there.
    typealias Answer = (response: TranslationFilter.Response, middle: (x: Double, y: Double))

    var place: TrackedPlace
    private let translation: TranslationFilter
    private let sizes: ScaleFilter
    /// What the filter answers in the frame that it is first learnt from.
    private var firstPeak: Float = 1

    /// Learns the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame,
    ///   `ImageError` where the frame's pixels cannot be had or memory is short.
    init(frame: any TrackingFrame, box: PixelRegion, settings: Settings) throws {
        try checkTrackingStart(box, in: frame)
        place = TrackedPlace(box, in: frame)
        translation = try TranslationFilter(width: place.width, height: place.height, settings: settings.translation)
        sizes = try ScaleFilter(width: place.width, height: place.height, settings: settings.sizes)
        let peak = try look(at: frame) { pixels in
            _ = try likeness(in: pixels)
            translation.learn(pixels)
            try sizes.learn(pixels, at: place)
            return try translation.respond(to: pixels, at: place).peak
        }
        // A target without any texture has no peak.
        firstPeak = max(peak, 1e-4)
    }

    /// Side of the window that is looked at around a place.
    func side(at place: TrackedPlace) -> Double { translation.side * place.scale }

    /// Looks at a frame in memory that is lent for the length of the call.
    ///
    /// - Parameter whole: Whether windows may lie anywhere; otherwise only as far off as the target moves between frames.
    func look<Result>(
        at frame: any TrackingFrame, whole: Bool = false, _ body: (FramePixels) throws -> Result
    ) throws -> Result {
        let reach = side(at: place) * 1.1 + 4
        let window =
            whole
            ? PixelRegion(width: frame.width, height: frame.height)
            : PixelRegion(x: place.x - reach, y: place.y - reach, width: 2 * reach, height: 2 * reach)
        return try translation.workspaces.with { space in
            try body(FramePixels(frame: frame, space: space, colour: try frame.colour(covering: window)))
        }
    }

    /// The best place in the window around another.
    func answer(in pixels: FramePixels, at place: TrackedPlace) throws -> Answer {
        let response = try translation.respond(to: pixels, at: place)
        let side = side(at: place)
        return (response, (place.x + response.x * side, place.y + response.y * side))
    }

    /// Moves to where the target is in the next frame, and to the size that it has there.
    ///
    /// - Returns: What the filter of the place answered, and the height of the peak among the sizes.
    /// - Throws: `ImageError.outOfMemory`; the place is as before then.
    func follow(in pixels: FramePixels) throws -> (response: TranslationFilter.Response, scalePeak: Float) {
        let answer = try answer(in: pixels, at: place)
        var moved = place
        moved.move(to: answer.middle, in: pixels.frame)
        let change = try sizes.change(in: pixels, at: moved)
        place = moved
        place.resize(to: place.scale * change.factor, in: pixels.frame)
        return (answer.response, change.peak)
    }

    /// Looks at the window around the present place, which `learn` then takes as the target's.
    ///
    /// - Returns: How like the target there is to that of the first frame.
    func likeness(in pixels: FramePixels) throws -> Float {
        try translation.look(at: pixels, place)
        return try translation.likenessToFirst(in: pixels)
    }

    /// How high a peak is against that of the first frame.
    func height(of response: TranslationFilter.Response) -> Float { min(response.peak / firstPeak, 1.5) }

    /// Takes the present place, which `likeness` has looked at, as the target's.
    func learn(_ pixels: FramePixels) throws {
        // First what may fail: both learn or none.
        try sizes.learn(pixels, at: place)
        translation.learn(pixels)
    }

    // MARK: - A look that is kept

    /// What all filters have learnt of a target.
    final class Look {
        fileprivate let translation: TranslationFilter.Look
        fileprivate let sizes: ScaleFilter.Look

        fileprivate init(translation: TranslationFilter.Look, sizes: ScaleFilter.Look) {
            (self.translation, self.sizes) = (translation, sizes)
        }
    }

    /// What the filters have learnt so far; `kept` is written over if there is one.
    func keep(_ kept: Look?) throws -> Look {
        let kept = try kept ?? Look(translation: translation.emptyLook(), sizes: sizes.emptyLook())
        kept.translation.copy(from: translation.look)
        kept.sizes.copy(from: sizes.look)
        return kept
    }

    /// Lets the filters find what an earlier look shows: for the length of the call or, where that answers true, for good.
    ///
    /// - Parameter kept: nil for the present look.
    func use(_ kept: Look?, _ body: () throws -> Bool) rethrows -> Bool {
        guard let kept else { return try body() }
        let present = translation.look
        translation.look = kept.translation
        defer { translation.look = present }
        guard try body() else { return false }
        present.copy(from: kept.translation)
        sizes.look.copy(from: kept.sizes)
        return true
    }
}
