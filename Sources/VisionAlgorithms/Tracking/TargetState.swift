import VisionImage

/// The position and scale of a target, in pixels of the frame.
struct TargetState {
    /// The target's size in the first frame.
    let width: Double
    let height: Double
    /// The centre.
    private(set) var x: Double
    private(set) var y: Double
    private(set) var scale = 1.0
    /// The factor by which the box is wider, and by which it is less high, than at the first aspect ratio.
    private(set) var stretch = 1.0
    private static let stretches = 0.5...2.0

    init(_ box: PixelRegion, in frame: any TrackingFrame) {
        // Larger sizes are meaningless and would lose all precision.
        width = min(max(box.width, 1e-3), 1e6)
        height = min(max(box.height, 1e-3), 1e6)
        x = box.x + box.width / 2
        y = box.y + box.height / 2
        move(to: (x, y), in: frame)
    }

    var box: PixelRegion {
        box(width: width * scale * stretch, height: height * scale / stretch)
    }

    /// Returns a box of that size around the centre.
    func box(width: Double, height: Double) -> PixelRegion {
        PixelRegion(x: x - width / 2, y: y - height / 2, width: width, height: height)
    }

    /// Moves the centre, clamped to the frame.
    mutating func move(to centre: (x: Double, y: Double), in frame: any TrackingFrame) {
        x = min(max(centre.x, 0), Double(frame.width - 1))
        y = min(max(centre.y, 0), Double(frame.height - 1))
    }

    /// Sets the scale, limited so that the target neither vanishes nor grows far beyond the frame, unless it began so.
    mutating func resize(to scale: Double, in frame: any TrackingFrame) {
        let least = min(1, 4 / min(width, height))
        let most = max(1, min(Double(frame.width) / width, Double(frame.height) / height))
        self.scale = min(max(scale, least), most)
    }

    /// Sets the stretch, limited to boxes that are four times as wide or as high as at first.
    mutating func stretch(to stretch: Double) {
        self.stretch = min(max(stretch, Self.stretches.lowerBound), Self.stretches.upperBound)
    }
}
