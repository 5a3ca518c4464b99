import VisionImage

/// Where a target is and how large, in pixels of the frame.
struct TrackedPlace {
    /// The target's size in the first frame.
    let width: Double
    let height: Double
    /// Its middle.
    private(set) var x: Double
    private(set) var y: Double
    private(set) var scale = 1.0

    init(_ box: PixelRegion, in frame: any TrackingFrame) {
        // Sizes beyond these have no meaning and would lose all precision.
        width = min(max(box.width, 1e-3), 1e6)
        height = min(max(box.height, 1e-3), 1e6)
        x = box.x + box.width / 2
        y = box.y + box.height / 2
        move(to: (x, y), in: frame)
    }

    var box: PixelRegion {
        PixelRegion(
            x: x - width * scale / 2, y: y - height * scale / 2, width: width * scale, height: height * scale)
    }

    /// The middle stays in the frame.
    mutating func move(to place: (x: Double, y: Double), in frame: any TrackingFrame) {
        x = min(max(place.x, 0), Double(frame.width - 1))
        y = min(max(place.y, 0), Double(frame.height - 1))
    }

    /// A target neither vanishes nor grows far beyond the frame, unless it began so.
    mutating func resize(to scale: Double, in frame: any TrackingFrame) {
        let least = min(1, 4 / min(width, height))
        let most = max(1, min(Double(frame.width) / width, Double(frame.height) / height))
        self.scale = min(max(scale, least), most)
    }
}
