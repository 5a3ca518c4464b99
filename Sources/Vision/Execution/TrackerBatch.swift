import VisionImage
import VisionModels
import VisionThreads

/// The learned trackers of one perform: their first forward passes over the frame, together where that saves work.
///
/// Which trackers share a pass depends on all that take part, those that were cancelled meanwhile included: nobody's
/// result depends on when another one was cancelled, nor on threads. Where a shared pass fails, each of its trackers
/// runs one of its own, and fails by itself.
final class TrackerBatch: JobBatch {
    /// A tracker that can share a forward pass.
    struct Candidate {
        let tracker: LearnedTracker
        let region: NormalizedRegion
        /// What the tracker counts its pixels in.
        let size: ImageSize
    }

    private let candidates = Locked<[@Sendable () -> Candidate?]>([])
    private let windows = Locked<[Int: SearchWindow]>([:])

    /// Takes a job into the batch.
    ///
    /// - Parameter candidate: Returns the job's tracker; nil for one that shares nothing. Called when all jobs have
    ///   joined.
    /// - Returns: The number of the member.
    func join(_ candidate: @escaping @Sendable () -> Candidate?) -> Int {
        candidates.withLock { candidates in
            candidates.append(candidate)
            return candidates.count - 1
        }
    }

    /// What a shared pass gave for a member; nil where the tracker has to run its own. Can be taken once.
    func takeWindow(of member: Int) -> SearchWindow? { windows.withLock { $0.removeValue(forKey: member) } }

    func makeTasks(for members: [Int], in image: ImageSource) -> [SharedTask] {
        groups(of: members).filter { $0.members.count > 1 }.flatMap { group -> [SharedTask] in
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

    /// Trackers that count in the same pixels.
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
