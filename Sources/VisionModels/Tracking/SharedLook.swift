package import VisionAlgorithms
import VisionImage

/// The first look at a frame of several trackers, or of one.
///
/// Together they see nearly what each would see by itself: the windows move and change their scale a little, and at their
/// edges there is the frame, where a window by itself ends. What a tracker sees depends on the state of all, not on who runs
/// first.
package struct SharedLook: Sendable {
    /// Which trackers take part, as numbers of the list that the looks were planned for.
    package let trackers: [Int]
    /// nil for one tracker that sees just the window that it wants.
    private let view: SharedView?
    /// What each wants.
    private let wanted: [ImagePatch]
    private let fill: SIMD3<Float>
    private let networks: TrackerNetworks

    /// The looks that cost least, those of single trackers last.
    ///
    /// - Parameter trackers: Of one film; they are not changed.
    package static func looks(of trackers: [LearnedTracker], width: Int, height: Int) -> [SharedLook] {
        guard let networks = trackers.first?.networks, trackers.allSatisfy({ $0.networks === networks }) else {
            return []
        }
        let wanted = trackers.map(\.wanted)
        func look(_ indices: [Int], _ view: SharedView?) -> SharedLook {
            let sum = indices.reduce(SIMD3<Float>()) { $0 + trackers[$1].fill }
            return SharedLook(
                trackers: indices, view: view, wanted: indices.map { wanted[$0] }, fill: sum / Float(indices.count),
                networks: networks)
        }
        let shared = SharedView.views(of: wanted, width: width, height: height).map {
            look($0.members.map(\.index), $0)
        }
        let together = Set(shared.flatMap(\.trackers))
        return shared + trackers.indices.filter { !together.contains($0) }.map { look([$0], nil) }
    }

    /// Places that are looked at, which is what it costs.
    package var places: Int {
        view.map { $0.rows * $0.columns } ?? TrackerGraphs.searchCells * TrackerGraphs.searchCells
    }

    /// Looks.
    ///
    /// - Parameters:
    ///   - frame: Of the size that the look was planned for.
    ///   - threads: What is seen does not depend on their number.
    /// - Returns: What each of `trackers` sees, in their order.
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
