import VisionThreads

/// Collects the outcomes of photos and writes them to an index in batches.
final class BatchWriter {
    typealias Outcome = (photo: IndexChanges.Pending, reading: PhotoIndex.Reading)

    /// The number of photos at which a batch is written.
    private static let size = 256
    /// The age at which a batch is written, which limits what a killed run loses.
    private static let age = Duration.seconds(1)

    private let check: (PhotoIndex.Kind) throws -> Void
    private let store: ([Outcome]) throws -> [PhotoIndex.Entry]
    private var waiting: [Outcome] = []
    private var start = ContinuousClock.now

    /// How many photos entered the index in which way.
    private(set) var entries: [PhotoIndex.Entry: Int] = [:]
    /// Prints that were made.
    private(set) var printCount = 0

    /// - Parameters:
    ///   - check: Throws where the index holds prints of another kind.
    ///   - store: Writes a batch.
    init(
        check: @escaping (PhotoIndex.Kind) throws -> Void,
        store: @escaping ([Outcome]) throws -> [PhotoIndex.Entry]
    ) {
        self.check = check
        self.store = store
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
        for entry in try store(batch) { entries[entry, default: 0] += 1 }
    }
}

extension BatchWriter {
    /// Writes to a file.
    ///
    /// - Parameter index: Guarded, because the threads that read photos search it for prints meanwhile.
    convenience init(_ index: Locked<PhotoIndex>, folder: FilePath) throws {
        var known = try index.withLock { try $0.collection()?.kind }
        self.init { kind in
            // All prints of an index are of one kind; the first says of which.
            guard let known else {
                known = kind
                return try index.withLock { try $0.setCollection(.init(folder: folder, kind: kind)) }
            }
            guard kind == known else { throw DatabaseError.otherKind(index.withLock { $0.path }, known) }
        } store: { batch in
            try index.withLock { try $0.store(batch) }
        }
    }
}

extension DatabaseError {
    /// An index holds prints of another kind than those that are made now.
    static func otherKind(_ path: String, _ known: PhotoIndex.Kind) -> DatabaseError {
        DatabaseError(
            kind: .mismatch, path: path,
            reason: "contains prints of another kind (revision \(known.revision), \(known.count) elements); use "
                + "another database")
    }
}
