import VisionThreads

/// Collects the outcomes of photos and writes them to the index in batches.
final class BatchWriter {
    /// The number of photos at which a batch is written.
    private static let size = 256
    /// The age at which a batch is written, which limits what a killed run loses.
    private static let age = Duration.seconds(1)

    /// Guards the index: the threads that read photos search it for prints while this writes.
    let index: Locked<PhotoIndex>
    private let folder: FilePath
    private var kind: PhotoIndex.Kind?
    private var waiting: [(photo: IndexChanges.Pending, reading: PhotoIndex.Reading)] = []
    private var start = ContinuousClock.now

    /// How many photos entered the index in which way.
    private(set) var entries: [PhotoIndex.Entry: Int] = [:]
    /// Prints that were made.
    private(set) var printCount = 0

    init(_ index: PhotoIndex, folder: FilePath) throws {
        self.index = Locked(index)
        self.folder = folder
        kind = try index.collection()?.kind
    }

    /// - Parameter kind: of a print that was made for the photo.
    func add(_ photo: IndexChanges.Pending, _ reading: PhotoIndex.Reading, kind: PhotoIndex.Kind?) throws {
        if let kind {
            try check(kind)
            printCount += 1
        }
        waiting.append((photo, reading))
        if waiting.count >= Self.size || .now - start >= Self.age { try write() }
    }

    /// Writes the remaining photos.
    func write() throws {
        start = .now
        guard !waiting.isEmpty else { return }
        let batch = waiting
        waiting.removeAll(keepingCapacity: true)
        for entry in try index.withLock({ try $0.store(batch) }) { entries[entry, default: 0] += 1 }
    }

    /// All prints of an index are of one kind; the first says of which.
    private func check(_ kind: PhotoIndex.Kind) throws {
        guard let known = self.kind else {
            self.kind = kind
            return try index.withLock { try $0.setCollection(.init(folder: folder, kind: kind)) }
        }
        guard kind == known else {
            throw DatabaseError(
                kind: .mismatch, path: index.withLock { $0.path },
                reason:
                    "contains prints of another kind (revision \(known.revision), \(known.count) elements); use "
                    + "another database")
        }
    }
}
