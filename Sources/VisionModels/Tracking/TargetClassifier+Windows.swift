import VisionAlgorithms
import VisionImage

/// The classifier of a learned tracker: its samples are the positions of search windows, with the network's features.
extension TargetClassifier {
    private static let channels = TrackerGraphs.channels
    private static let cells = TrackerGraphs.searchCells

    /// - Parameters:
    ///   - windows: Search windows of the first frame.
    ///   - target: The target in that frame.
    init(windows: [SearchWindow], target: PixelRegion) {
        self.init(
            windows.map(\.features), coverage: windows.map { Self.coverage(of: target, in: $0.window) },
            settings: Settings(channels: Self.channels, covered: 0.5))
    }

    /// Learns from a window in which the target was found.
    mutating func learn(_ window: SearchWindow, target: PixelRegion) {
        learn(window.features, coverage: Self.coverage(of: target, in: window.window))
    }

    /// Returns the mean, over the positions that a box covers, of the share of them that the target covers: about 1
    /// where the target is, and about 0 elsewhere.
    func presence(of box: PixelRegion, in window: SearchWindow) -> Float {
        let coverage = Self.coverage(of: box, in: window.window)
        var sum: Float = 0, total: Float = 0
        for (position, share) in coverage.enumerated() where share > 0 {
            sum += share * response(at: position, of: window.features)
            total += share
        }
        let presence = sum / max(total, 1e-3)
        return presence.isFinite ? presence : 0
    }

    /// Returns the presence of the target in each box of a score map.
    func presence(in window: SearchWindow) -> PresenceMap {
        PresenceMap((0..<Self.cells * Self.cells).map { response(at: $0, of: window.features) })
    }

    /// Returns the share of each position of a window that a box covers.
    private static func coverage(of box: PixelRegion, in window: ImagePatch) -> [Float] {
        let cell = Double(TrackerGraphs.step) / window.scale
        func shares(_ start: Double, from low: Double, to high: Double) -> [Float] {
            (0..<cells).map { index in
                let edge = start + Double(index) * cell
                return Float(max(0, min(high, edge + cell) - max(low, edge)) / cell)
            }
        }
        let across = shares(window.centre.x - window.extent.x / 2, from: box.x, to: box.x + box.width)
        let down = shares(window.centre.y - window.extent.y / 2, from: box.y, to: box.y + box.height)
        return down.flatMap { share in across.map { $0 * share } }
    }
}
