import VisionImage

/// Jobs of one perform that share preparatory tasks, such as one forward pass for several trackers.
///
/// The batch stores the results of a shared task until the members' jobs take them; the executor only schedules the
/// tasks. A job whose task failed, or that has none, computes everything itself.
protocol JobBatch: AnyObject, Sendable {
    /// Plans the shared tasks.
    ///
    /// Called once, on the performing thread, before any job of the perform runs. The plan may depend on the state of
    /// all members, but neither on threads nor on which members were cancelled.
    ///
    /// - Parameters:
    ///   - members: The numbers of the members that may share tasks: the first one of each serial queue, because the
    ///     initial state of later ones is not known yet.
    ///   - image: The image of the perform.
    func makeTasks(for members: [Int], in image: ImageSource) -> [SharedTask]
}

/// The membership of a job in a batch.
struct BatchMembership: Sendable {
    let batch: any JobBatch
    /// The job's number in the batch.
    let member: Int
}

/// A task of a batch that prepares results for some of its members.
struct SharedTask: Sendable {
    let members: [Int]
    /// The expected cost, in a unit that the batch chooses.
    let cost: Int
    /// Runs the task; the result must not depend on the number of threads.
    let run: @Sendable (_ threads: Int) -> Void
}

/// The shared tasks of a running perform: any thread may run one, and a job waits for its own.
final class SharedTasks: Sendable {
    private struct Item: Sendable {
        let task: SharedTask
        /// The numbers of the members' jobs in the perform.
        let jobs: [Int]
        /// Left when the task is done.
        let done: DispatchGroup
    }

    private let items: [Item]
    private let entries: [RequestExecutor.Entry]
    /// The task of each job that has one.
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

    /// Returns the tasks that cost more than one thread's share of the total: these run one after the other, each on
    /// all threads.
    func large(threads: Int) -> Set<Int> {
        let all = items.reduce(0) { $0 + $1.task.cost }
        return Set(items.indices.filter { threads > 1 && items[$0].task.cost * threads > all })
    }

    /// Returns the other tasks by descending cost. Each must be run once.
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

    /// Waits until the task of a job is done, if it has one.
    func wait(for job: Int) {
        if let index = itemOfJob[job] { items[index].done.wait() }
    }
}
