import VisionImage
import VisionModels

/// The learned trackers of one perform: how they look at the frame, together where that saves work, before each goes its own
/// way.
///
/// Which trackers share a look depends on all that take part, those that were cancelled meanwhile included: nobody's result
/// depends on when another one was cancelled, nor on threads. Where a look fails, each of its trackers looks for itself and
/// fails by itself.
struct TrackerCompany: Sendable {
    /// One look, for the works of some jobs.
    struct Look: Sendable {
        /// Numbers of the jobs.
        let jobs: [Int]
        fileprivate let look: SharedLook
        fileprivate let view: TrackedView

        /// What it costs, in places that the network looks at.
        var places: Int { look.places }

        /// What each of the jobs sees.
        func run(threads: Int) throws -> [SeenWindow] { try look.run(in: view, threads: threads) }
    }

    let looks: [Look]

    init(_ jobs: [RequestExecutor.Job]) {
        looks = Self.groups(of: jobs).filter { $0.jobs.count > 1 }.flatMap { group -> [Look] in
            guard let image = group.jobs.first.map({ jobs[$0].context.image }),
                let view = try? TrackedView(of: image, region: group.region, size: group.size)
            else { return [] }
            return SharedLook.looks(of: group.trackers, width: view.width, height: view.height).map { look in
                Look(jobs: look.trackers.map { group.jobs[$0] }, look: look, view: view)
            }
        }
    }

    /// Trackers that count in the same pixels.
    private struct Group {
        let region: NormalizedRegion
        let size: ImageSize
        var trackers: [LearnedTracker] = []
        /// The job of each.
        var jobs: [Int] = []
    }

    private static func groups(of jobs: [RequestExecutor.Job]) -> [Group] {
        var groups: [Group] = []
        var lanes: Set<RequestWork.Lane> = []
        for (index, job) in jobs.enumerated() {
            // The second work of a lane begins where the first one leaves its tracker.
            guard let lane = job.work.lane, lanes.insert(lane).inserted, let companion = job.work.companion() else {
                continue
            }
            let place =
                groups.firstIndex { $0.region == companion.region && $0.size == companion.size } ?? groups.count
            if place == groups.count { groups.append(Group(region: companion.region, size: companion.size)) }
            groups[place].trackers.append(companion.tracker)
            groups[place].jobs.append(index)
        }
        return groups
    }
}
