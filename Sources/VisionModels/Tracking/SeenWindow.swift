import VisionAlgorithms
import VisionImage

/// What the 16 × 16 places of a search window look like.
package struct SeenWindow: Sendable {
    /// The window that was meant.
    let wanted: ImagePatch
    /// The one that was seen: the same, or the nearest one of a view that others share.
    let window: ImagePatch
    /// 64 numbers a place, row by row.
    let features: [Float]

    init(wanted: ImagePatch, window: ImagePatch, features: [Float]) {
        self.wanted = wanted
        self.window = window
        self.features = features
    }

    /// Looks at one window by itself.
    init(
        _ window: ImagePatch, in frame: any TrackingFrame, fill: SIMD3<Float>, _ networks: TrackerNetworks,
        threads: Int = 1
    ) throws {
        let cells = TrackerGraphs.searchCells
        let features = try networks.look(
            rows: cells, columns: cells, threads: threads, fill: { try window.write(frame, fill: fill, to: $0) },
            read: { Array($0) })
        self.init(wanted: window, window: window, features: features)
    }
}
