package import VisionAlgorithms
import VisionImage

/// A forward pass over the search windows of several trackers in a frame, or of one.
///
/// Its features are nearly those of a pass for each: the windows move and change their scale a little, and at their
/// edges there is the frame, where a window by itself ends. What a tracker gets depends on the state of all, not on who
/// runs first.
package struct SharedForwardPass: Sendable {
    /// Which trackers take part, as numbers of the list that the passes were planned for.
    package let trackers: [Int]
    /// nil for one tracker that sees just the window that it wants.
    private let view: SharedView?
    /// What each wants.
    private let wanted: [ImagePatch]
    private let fill: SIMD3<Float>
    private let networks: TrackerNetworks

    /// Plans the passes that cost least, those of single trackers last.
    ///
    /// - Parameters:
    ///   - trackers: Of one video; they are not changed.
    ///   - width: Of the frame, in pixels.
    ///   - height: Of the frame, in pixels.
    package static func passes(of trackers: [LearnedTracker], width: Int, height: Int) -> [SharedForwardPass] {
        guard let networks = trackers.first?.networks, trackers.allSatisfy({ $0.networks === networks }) else {
            return []
        }
        let wanted = trackers.map(\.wanted)
        func pass(_ indices: [Int], _ view: SharedView?) -> SharedForwardPass {
            let sum = indices.reduce(SIMD3<Float>()) { $0 + trackers[$1].fill }
            return SharedForwardPass(
                trackers: indices, view: view, wanted: indices.map { wanted[$0] }, fill: sum / Float(indices.count),
                networks: networks)
        }
        let shared = SharedView.views(of: wanted, width: width, height: height).map {
            pass($0.members.map(\.index), $0)
        }
        let together = Set(shared.flatMap(\.trackers))
        return shared + trackers.indices.filter { !together.contains($0) }.map { pass([$0], nil) }
    }

    /// The number of positions in the feature map, which the cost is proportional to.
    package var positionCount: Int {
        view.map { $0.rows * $0.columns } ?? TrackerGraphs.searchCells * TrackerGraphs.searchCells
    }

    /// Runs the network.
    ///
    /// - Parameters:
    ///   - frame: Of the size that the pass was planned for.
    ///   - threads: The features do not depend on their number.
    /// - Returns: The window of each of `trackers`, in their order.
    package func run(in frame: any TrackingFrame, threads: Int) throws -> [SeenWindow] {
        guard let view else {
            return try wanted.map { try SeenWindow($0, in: frame, fill: fill, networks, threads: threads) }
        }
        return try networks.look(
            rows: view.rows, columns: view.columns, threads: threads,
            fill: { try view.picture.write(frame, fill: fill, to: $0) },
            read: { places in
                zip(view.members, wanted).map { member, wanted in
                    SeenWindow(
                        wanted: wanted, window: view.window(of: member),
                        features: view.features(of: member, in: places))
                }
            })
    }
}
