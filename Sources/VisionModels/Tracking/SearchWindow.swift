import VisionAlgorithms
import VisionImage

/// A search window with its features at 16 × 16 positions.
package struct SearchWindow: Sendable {
    /// The window that the tracker asked for.
    let requested: ImagePatch
    /// The window that the features are of: the same, or the nearest one on the grid of a shared view.
    let window: ImagePatch
    /// 64 numbers for each position, row by row.
    let features: [Float]

    init(requested: ImagePatch, window: ImagePatch, features: [Float]) {
        self.requested = requested
        self.window = window
        self.features = features
    }

    /// Runs the network on one window by itself.
    init(
        _ window: ImagePatch, in frame: any TrackingFrame, fill: SIMD3<Float>, _ networks: TrackerNetworks,
        threads: Int = 1
    ) throws {
        let cells = TrackerGraphs.searchCells
        let features = try networks.features(
            rows: cells, columns: cells, threads: threads, fill: { try window.write(frame, fill: fill, to: $0) },
            read: { Array($0) })
        self.init(requested: window, window: window, features: features)
    }
}
