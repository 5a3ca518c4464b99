package import VisionAlgorithms
import VisionImage

/// A forward pass over the search windows of several trackers in a frame, or of one.
///
/// Its features are nearly those of a pass for each window: the windows move and change their scale a little, and
/// beyond their edges the network sees the frame, where a single window ends. The features depend on the states of all
/// trackers, not on their order of execution.
package struct SharedForwardPass: Sendable {
    /// The indices of the trackers that take part, in the list that the passes were planned for.
    package let trackers: [Int]
    /// nil for one tracker, which gets exactly the window that it requests.
    private let view: SharedView?
    /// The window that each tracker requests.
    private let requested: [ImagePatch]
    private let fill: SIMD3<Float>
    private let networks: TrackerNetworks

    /// Returns the passes with the lowest cost, those of single trackers last.
    ///
    /// - Parameters:
    ///   - trackers: The trackers of one video; they are not changed.
    ///   - width: The width of the frame, in pixels.
    ///   - height: The height of the frame, in pixels.
    package static func passes(of trackers: [LearnedTracker], width: Int, height: Int) -> [SharedForwardPass] {
        guard let networks = trackers.first?.networks, trackers.allSatisfy({ $0.networks === networks }) else {
            return []
        }
        let requested = trackers.map(\.requestedWindow)
        func pass(_ indices: [Int], _ view: SharedView?) -> SharedForwardPass {
            let sum = indices.reduce(SIMD3<Float>()) { $0 + trackers[$1].fill }
            return SharedForwardPass(
                trackers: indices, view: view, requested: indices.map { requested[$0] },
                fill: sum / Float(indices.count),
                networks: networks)
        }
        let shared = SharedView.views(of: requested, width: width, height: height).map {
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
    ///   - frame: A frame of the size that the pass was planned for.
    ///   - threads: The number of threads; the features do not depend on it.
    /// - Returns: The windows of `trackers`, in their order.
    package func run(in frame: any TrackingFrame, threads: Int) throws -> [SearchWindow] {
        guard let view else {
            return try requested.map { try SearchWindow($0, in: frame, fill: fill, networks, threads: threads) }
        }
        return try networks.features(
            rows: view.rows, columns: view.columns, threads: threads,
            fill: { try view.patch.write(frame, fill: fill, to: $0) },
            read: { features in
                zip(view.members, requested).map { member, requested in
                    SearchWindow(
                        requested: requested, window: view.window(of: member),
                        features: view.features(of: member, in: features))
                }
            })
    }
}
