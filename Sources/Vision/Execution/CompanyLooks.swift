import Dispatch
import VisionImage
import VisionModels
import VisionThreads

/// The looks of a company of trackers while they are under way: any thread may do one, and a work waits for that of its own.
final class CompanyLooks: Sendable {
    private let looks: [TrackerCompany.Look]
    private let jobs: [RequestExecutor.Job]
    /// Of each look, left when it is done.
    private let groups: [DispatchGroup]
    /// The look of each job that has one.
    private let places: [Int: Int]
    private let seen = Locked<[Int: SeenWindow]>([:])

    init(_ company: TrackerCompany, of jobs: [RequestExecutor.Job]) {
        looks = company.looks
        self.jobs = jobs
        groups = looks.map { _ in
            let group = DispatchGroup()
            group.enter()
            return group
        }
        places = Dictionary(
            looks.enumerated().flatMap { place, look in look.jobs.map { ($0, place) } }, uniquingKeysWith: { $1 })
    }

    /// The looks that are too large to be one thread's share of all: better done with all threads, one after the other.
    func large(threads: Int) -> Set<Int> {
        let all = looks.reduce(0) { $0 + $1.places }
        return Set(looks.indices.filter { threads > 1 && looks[$0].places * threads > all })
    }

    /// The other looks. Each has to be done once.
    func largestFirst(without done: Set<Int>) -> [Int] {
        looks.indices.filter { !done.contains($0) }.sorted { (looks[$0].places, -$0) > (looks[$1].places, -$1) }
    }

    func run(_ place: Int, threads: Int = 1) {
        defer { groups[place].leave() }
        let look = looks[place]
        guard look.jobs.contains(where: { !jobs[$0].context.cancellation.isCancelled }),
            let windows = try? look.run(threads: threads)
        else { return }
        seen.withLock { seen in
            for (job, window) in zip(look.jobs, windows) { seen[job] = window }
        }
    }

    /// What a job's tracker sees, when it has been seen; nil where it has to look for itself.
    func seen(by job: Int) -> SeenWindow? {
        guard let place = places[job] else { return nil }
        groups[place].wait()
        return seen.withLock { $0.removeValue(forKey: job) }
    }
}
