package import Foundation
import VisionFiles
package import VisionModels
import VisionThreads

/// A print as stored.
package struct StoredPrint: Equatable, Sendable {
    package var kind: PhotoIndex.Kind
    package var data: [UInt8]
}

/// Adds the new and changed photos of a folder to an index.
///
/// Prints are written in batches, each in one transaction; a run that is killed loses at most one batch, and
/// the next one continues from there.
package struct IndexRun {
    package let folder: FilePath
    package var followsLinks = false
    package var threads = 1
    /// Whether the folder may have moved since the last run.
    package var isRelocated = false
    /// When the approximate index is made or brought up to date at the end.
    package var clusters = ClusterRule.never
    /// Computes the print of a photo from its bytes. Called on several threads at once.
    package let makePrint: @Sendable (Data) throws -> StoredPrint

    package init(
        folder: FilePath, followsLinks: Bool = false, threads: Int = 1,
        makePrint: @escaping @Sendable (Data) throws -> StoredPrint
    ) {
        self.folder = folder
        self.followsLinks = followsLinks
        self.threads = threads
        self.makePrint = makePrint
    }

    package struct Summary: Equatable {
        /// The number of photos in the index after the run.
        package var photos = 0
        package var new = 0
        package var changed = 0
        package var moved = 0
        package var copied = 0
        /// The number of photos whose damaged print was computed again.
        package var repaired = 0
        package var removed = 0
        package var unchanged = 0
        /// The number of photos that cannot be read.
        package var skipped = 0
        /// The number of links that were not followed.
        package var links = 0
        /// The number of computed prints.
        package var prints = 0
        /// Whether the approximate index was made.
        package var isClustered = false
        package var isInterrupted = false
    }

    /// The callbacks of a run.
    package struct Reports {
        /// A photo or folder is skipped.
        package var skipped: (_ path: FilePath, _ reason: String) throws -> Void = { _, _ in }
        package var progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
        /// The approximate index cannot be written; the index is complete without it.
        package var unclustered: (_ error: ClusterFileError) -> Void = { _ in }
        package var isInterrupted: () -> Bool = { false }

        package init(
            skipped: @escaping (_ path: FilePath, _ reason: String) throws -> Void = { _, _ in },
            progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in },
            unclustered: @escaping (_ error: ClusterFileError) -> Void = { _ in },
            isInterrupted: @escaping () -> Bool = { false }
        ) {
            self.skipped = skipped
            self.progress = progress
            self.unclustered = unclustered
            self.isInterrupted = isInterrupted
        }
    }

    /// - Throws: `DatabaseError`; `PhotoFile.Failure` when the folder itself cannot be read. What stands in the index
    ///   until then stays.
    package func run(into index: PhotoIndex, _ reports: Reports = Reports()) throws -> Summary {
        let relocated = try relocation(of: index)
        var summary = Summary()
        let changes = try IndexChanges(index)
        let count = try changes.collect { try walk(&summary, reports, $0) }
        if count == 0, summary.skipped == 0 { try checkEmptyFolder(index.path, try index.photoCount) }
        if let relocated { try index.setCollection(relocated) }
        try changes.removeDamagedPrints()
        let plan = try changes.apply()
        (summary.unchanged, summary.moved) = (plan.unchanged, plan.moved)
        try read(changes, total: plan.pending, Locked(index), &summary, reports)
        if !summary.isInterrupted {
            try index.removePrintsWithoutPhotos()
            try updateClusters(of: index, &summary, reports)
        }
        summary.removed = max(0, plan.vanished - summary.moved)
        summary.photos = try index.photoCount
        return summary
    }

    /// Walks through the folder and reports what cannot be read.
    ///
    /// - Returns: The number of photos.
    func walk(
        _ summary: inout Summary, _ reports: Reports, _ found: (FolderWalk.Finding) throws -> Void
    ) throws -> Int {
        let counts = try FolderWalk(root: folder, followsLinks: followsLinks).run { finding in
            if case .unreadable(let path, _, let reason) = finding {
                guard !path.bytes.isEmpty else { throw PhotoFile.Failure(description: "\(folder.text): \(reason)") }
                summary.skipped += 1
                try reports.skipped(path, reason)
            }
            try found(finding)
        }
        summary.links = counts.links
        return counts.photos
    }

    /// - Throws: `DatabaseError` where an index of photos would become empty because its folder is.
    func checkEmptyFolder(_ path: String, _ count: Int) throws {
        guard count > 0 else { return }
        throw DatabaseError(
            kind: .mismatch, path: path,
            reason: "the folder \(folder.text) contains no photos at all, the index \(count). Is a disk missing? To "
                + "start again, remove the index")
    }

    private func updateClusters(of index: PhotoIndex, _ summary: inout Summary, _ reports: Reports) throws {
        do {
            summary.isClustered = try index.updateClusters(
                clusters, threads: threads, isCancelled: reports.isInterrupted)
        } catch is CancellationError {
            summary.isInterrupted = true
        } catch let error as ClusterFileError {
            // Searches do without it.
            reports.unclustered(error)
        }
    }

    /// What the index has to be of from now on; nil when nothing changes.
    private func relocation(of index: PhotoIndex) throws -> PhotoIndex.Collection? {
        guard var collection = try index.collection(), collection.folder != folder else { return nil }
        guard isRelocated else { throw otherFolder(collection.folder, index.path) }
        collection.folder = folder
        return collection
    }

    func otherFolder(_ known: FilePath, _ path: String) -> DatabaseError {
        DatabaseError(
            kind: .mismatch, path: path,
            reason: "is the index of \(known.text); use another database for \(folder.text), or --relocate when it is "
                + "the same folder at another path")
    }

    private func read(
        _ changes: IndexChanges, total: Int, _ index: Locked<PhotoIndex>, _ summary: inout Summary, _ reports: Reports
    ) throws {
        let batches = try BatchWriter(index, folder: folder)
        var waiting: [IndexChanges.Pending] = []
        var (lastID, done, isInterrupted): (Int64, Int, Bool) = (0, 0, false)

        try process(batches) { () -> IndexChanges.Pending? in
            isInterrupted = isInterrupted || reports.isInterrupted()
            guard !isInterrupted else { return nil }
            if waiting.isEmpty {
                waiting = try index.withLock { _ in try changes.pending(after: lastID, limit: 256) }.reversed()
            }
            guard let photo = waiting.popLast() else { return nil }
            lastID = photo.id
            return photo
        } known: { data, digest in
            try index.withLock { index in
                if try index.hasPrint(digest: digest) { return .present(earlier: nil) }
                guard index.mayHaveEarlierDigests else { return nil }
                let earlier = EarlierDigest.bytes(of: data)
                return try index.hasPrint(digest: earlier) ? .present(earlier: earlier) : nil
            }
        } took: { photo, reading in
            if case .unreadable(let reason) = reading { try reports.skipped(photo.path, reason) }
            done += 1
            reports.progress(done, total)
        }
        try batches.write()
        summary.add(batches)
        summary.isInterrupted = isInterrupted
    }

    /// That an index has a print of some contents.
    enum KnownPrint {
        /// `earlier`: The digest that it has, where that is of the kind of format 2.
        case present(earlier: [UInt8]?)
    }

    /// Reads photos, on all threads, and hands them to a writer in the order in which they are done.
    ///
    /// - Parameters:
    ///   - next: Returns the next photo.
    ///   - known: Whether the index has a print of these bytes with this digest. Called on several threads at once.
    ///   - took: Called for each photo before it is handed over.
    func process(
        _ batches: BatchWriter, _ next: () throws -> IndexChanges.Pending?,
        known: @escaping @Sendable (Data, [UInt8]) throws -> KnownPrint?,
        took: (IndexChanges.Pending, PhotoIndex.Reading) throws -> Void
    ) throws {
        let (folder, makePrint) = (folder, makePrint)
        try ParallelPipeline.run(threads: threads, isOrdered: false, next: next) { photo in
            (photo, Self.read(folder.appending(photo.path), known, makePrint))
        } take: { photo, outcome in
            try took(photo, outcome.reading)
            try batches.add(photo, outcome.reading, kind: outcome.kind)
        }
    }

    private struct Outcome: Sendable {
        var reading: PhotoIndex.Reading
        /// Of a print that was made.
        var kind: PhotoIndex.Kind?
    }

    private static func read(
        _ path: FilePath, _ known: (Data, [UInt8]) throws -> KnownPrint?,
        _ makePrint: (Data) throws -> StoredPrint
    ) -> Outcome {
        do {
            let (data, identity) = try PhotoFile.read(path)
            let (stamp, digest) = (FileStamp(identity), try ContentDigest(of: data).bytes)
            // A database that fails is detected again when the batch is written, on a thread that can report it.
            if case .present(let earlier)? = (try? known(data, digest)) ?? nil {
                return Outcome(reading: .known(stamp: stamp, digest: digest, earlier: earlier))
            }
            let print = try makePrint(data)
            return Outcome(reading: .print(stamp: stamp, digest: digest, data: print.data), kind: print.kind)
        } catch let error as PhotoFile.Failure {
            return Outcome(reading: .unreadable(reason: error.description))
        } catch {
            return Outcome(reading: .unreadable(reason: error.localizedDescription))
        }
    }
}

extension IndexRun.Summary {
    mutating func add(_ batches: BatchWriter) {
        for (entry, count) in batches.entries { add(entry, count) }
        prints += batches.printCount
    }

    private mutating func add(_ entry: PhotoIndex.Entry, _ count: Int) {
        switch entry {
        case .new: new += count
        case .moved: moved += count
        case .copied: copied += count
        case .changed: changed += count
        case .repaired: repaired += count
        case .skipped: skipped += count
        }
    }
}
