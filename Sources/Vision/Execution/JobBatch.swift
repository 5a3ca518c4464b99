import VisionImage

/// Jobs of one perform that prepare something together before each of them runs, such as one forward pass for several
/// trackers.
///
/// What a shared task makes for its members is kept by the batch, from which the members' jobs take it; the executor
/// only schedules the tasks. A job whose task has failed, or that takes part in none, does everything itself.
protocol JobBatch: AnyObject, Sendable {
    /// Plans the shared tasks.
    ///
    /// Called once, on the performing thread, before any job of the perform runs. The plan may depend on the state of
    /// all members, but neither on threads nor on which members were cancelled.
    ///
    /// - Parameters:
    ///   - members: The numbers of the members that may share work: of each serial queue the first one, because the
    ///     state that a later one begins with is not known yet.
    ///   - image: The image of the perform.
    func makeTasks(for members: [Int], in image: ImageSource) -> [SharedTask]
}

/// A job's place in a batch.
struct BatchMembership: Sendable {
    let batch: any JobBatch
    /// The job's number in the batch.
    let member: Int
}

/// One task of a batch, which prepares something for some of its members.
struct SharedTask: Sendable {
    let members: [Int]
    /// What it costs, in a unit of the batch's own.
    let cost: Int
    /// Runs the task; the result must not depend on the number of threads.
    let run: @Sendable (_ threads: Int) -> Void
}

/// The shared tasks of a perform while they are under way: any thread may run one, and a job waits for its own.
final class SharedTasks: Sendable {
    private struct Item: Sendable {
        let task: SharedTask
        /// The members' jobs, by their numbers in the perform.
        let jobs: [Int]
        /// Left when the task is done.
        let done: DispatchGroup
    }

    private let items: [Item]
    private let entries: [RequestExecutor.Entry]
    /// The task of each job that takes part in one.
    private let itemOfJob: [Int: Int]

    init(of entries: [RequestExecutor.Entry]) {
        self.entries = entries
        var batches: [(batch: any JobBatch, image: ImageSource, members: [Int], jobs: [Int: Int])] = []
        var indices: [ObjectIdentifier: Int] = [:]
        var queues: Set<SerialQueue> = []
        for (number, entry) in entries.enumerated() {
            if let queue = entry.job.queue, !queues.insert(queue).inserted { continue }
            guard let membership = entry.job.membership else { continue }
            let id = ObjectIdentifier(membership.batch)
            let index = indices[id] ?? batches.count
            if index == batches.count {
                indices[id] = index
                batches.append((membership.batch, entry.context.image, [], [:]))
            }
            batches[index].members.append(membership.member)
            batches[index].jobs[membership.member] = number
        }
        items = batches.flatMap { batch in
            batch.batch.makeTasks(for: batch.members, in: batch.image).map { task in
                let done = DispatchGroup()
                done.enter()
                return Item(task: task, jobs: task.members.compactMap { batch.jobs[$0] }, done: done)
            }
        }
        itemOfJob = Dictionary(
            items.enumerated().flatMap { index, item in item.jobs.map { ($0, index) } }, uniquingKeysWith: { $1 })
    }

    /// The tasks that are more than one thread's share of all: better run with all threads, one task after the other.
    func large(threads: Int) -> Set<Int> {
        let all = items.reduce(0) { $0 + $1.task.cost }
        return Set(items.indices.filter { threads > 1 && items[$0].task.cost * threads > all })
    }

    /// The other tasks. Each has to be run once.
    func largestFirst(without done: Set<Int>) -> [Int] {
        items.indices.filter { !done.contains($0) }
            .sorted { (items[$0].task.cost, -$0) > (items[$1].task.cost, -$1) }
    }

    /// Runs a task, unless all of its jobs were cancelled.
    func run(_ index: Int, threads: Int = 1) {
        let item = items[index]
        defer { item.done.leave() }
        guard item.jobs.contains(where: { !entries[$0].context.cancellation.isCancelled }) else { return }
        item.task.run(threads)
    }

    /// Waits until the task of a job is done, if it takes part in one.
    func wait(for job: Int) {
        if let index = itemOfJob[job] { items[index].done.wait() }
    }
}
