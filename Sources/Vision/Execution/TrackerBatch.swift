import VisionImage
import VisionModels
import VisionThreads

/// The learned trackers of one perform, which share their first forward pass over the frame when that saves time.
///
/// The grouping depends on all members, including those that are cancelled in the meantime: no result depends on when
/// another tracker was cancelled, nor on threads. If a shared pass fails, each of its trackers runs its own, and fails
/// by itself.
final class TrackerBatch: JobBatch {
    /// A tracker that can share a forward pass.
    struct Candidate {
        let tracker: LearnedTracker
        let region: NormalizedRegion
        /// The coordinate space of the tracker.
        let size: ImageSize
    }

    private let candidates = Locked<[@Sendable () -> Candidate?]>([])
    private let windows = Locked<[Int: SearchWindow]>([:])

    /// Adds a job to the batch.
    ///
    /// - Parameter candidate: Returns the job's tracker; nil if it cannot share a pass. Called when all jobs have
    ///   joined.
    /// - Returns: The number of the member.
    func join(_ candidate: @escaping @Sendable () -> Candidate?) -> Int {
        candidates.withLock { candidates in
            candidates.append(candidate)
            return candidates.count - 1
        }
    }

    /// Returns the result of a shared pass for a member; nil if the tracker must run its own. Can be taken once.
    func takeWindow(of member: Int) -> SearchWindow? { windows.withLock { $0.removeValue(forKey: member) } }

    func makeTasks(for members: [Int], in image: ImageSource) -> [SharedTask] {
        groups(of: members).filter { $0.members.count > 1 }.flatMap { group -> [SharedTask] in
            LearnedTracker.settleClaims(of: group.trackers)
            guard let view = try? TrackedView(of: image, region: group.region, size: group.size) else { return [] }
            return SharedForwardPass.passes(of: group.trackers, width: view.width, height: view.height).map { pass in
                let members = pass.trackers.map { group.members[$0] }
                return SharedTask(members: members, cost: pass.positionCount) { [self] threads in
                    guard let found = try? pass.run(in: view, threads: threads) else { return }
                    windows.withLock { windows in
                        for (member, window) in zip(members, found) { windows[member] = window }
                    }
                }
            }
        }
    }

    /// Trackers with the same coordinate space.
    private struct Group {
        let region: NormalizedRegion
        let size: ImageSize
        var trackers: [LearnedTracker] = []
        /// The member of each.
        var members: [Int] = []
    }

    private func groups(of members: [Int]) -> [Group] {
        let candidates = candidates.current
        var groups: [Group] = []
        for member in members {
            guard let candidate = candidates[member]() else { continue }
            let index =
                groups.firstIndex { $0.region == candidate.region && $0.size == candidate.size } ?? groups.count
            if index == groups.count { groups.append(Group(region: candidate.region, size: candidate.size)) }
            groups[index].trackers.append(candidate.tracker)
            groups[index].members.append(member)
        }
        return groups
    }
}
