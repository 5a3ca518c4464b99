import Foundation
import VisionThreads

extension IndexRun {
    /// Brings an index in PostgreSQL up to date with the folder. Several programs may do so at a time: each photo is
    /// read by one of them.
    ///
    /// The run ends when all photos that it found are in the index, those that other programs read included.
    ///
    /// - Parameter kind: Of the prints that `makePrint` makes.
    /// - Throws: `DatabaseError`; `PhotoFile.Failure` when the folder itself cannot be read. What stands in the index
    ///   until then stays.
    package func run(
        into index: PostgresIndex, kind: PhotoIndex.Kind, _ reports: Reports = Reports()
    ) throws -> Summary {
        try index.prepare(.init(folder: folder, kind: kind), mayMove: isRelocated) { otherFolder($0, index.path) }
        let claims = try PhotoClaims(index)
        do {
            return try update(index, claims, kind, reports)
        } catch {
            // The connection may live on, and its locks would keep others from removing prints.
            try? claims.close(removesPrints: false)
            throw error
        }
    }

    private func update(
        _ index: PostgresIndex, _ claims: PhotoClaims, _ kind: PhotoIndex.Kind, _ reports: Reports
    ) throws -> Summary {
        var summary = Summary()
        let comparison = try FolderComparison(index)
        var tooLong = 0
        let count = try walk(&summary, reports) { finding in
            guard case .photo(let photo) = finding, photo.path.bytes.count > PostgresIndex.longestPath else {
                return try comparison.add(finding)
            }
            tooLong += 1
            try reports.skipped(
                photo.path, "its path has more than the \(PostgresIndex.longestPath) bytes that the database can keep")
        }
        summary.skipped += tooLong
        if count == 0, summary.skipped == 0 { try checkEmptyFolder(index.path, try index.photoCount) }
        if isRelocated { try index.move(to: folder) }
        let plan = try comparison.apply()
        (summary.unchanged, summary.moved) = (plan.unchanged, plan.moved)
        try read(claims, kind, total: plan.pending, index, &summary, reports)
        try claims.close(removesPrints: !summary.isInterrupted)
        summary.removed = max(0, plan.vanished - summary.moved)
        summary.photos = try index.photoCount
        return summary
    }

    private func read(
        _ claims: PhotoClaims, _ kind: PhotoIndex.Kind, total: Int, _ index: PostgresIndex, _ summary: inout Summary,
        _ reports: Reports
    ) throws {
        let path = index.path
        // The threads that read photos ask for prints while this one writes.
        let locked = Locked(index)
        let batches = BatchWriter { made in
            guard made == kind else { throw DatabaseError.otherKind(path, made) }
        } store: { batch in
            try locked.withLock { try $0.store(batch, claims) }
        }
        var (waiting, done, isInterrupted): ([IndexChanges.Pending], Int, Bool) = ([], 0, false)
        while true {
            let before = done
            try process(batches) { () -> IndexChanges.Pending? in
                isInterrupted = isInterrupted || reports.isInterrupted()
                guard !isInterrupted else { return nil }
                // Few, so that near the end all programs have work.
                if waiting.isEmpty { waiting = try locked.withLock { _ in try claims.next(4 * threads) }.reversed() }
                return waiting.popLast()
            } known: { _, digest in
                try locked.withLock { try $0.hasPrint(digest: digest) } ? .present(earlier: nil) : nil
            } took: { photo, reading in
                if case .unreadable(let reason) = reading { try reports.skipped(photo.path, reason) }
                done += 1
                reports.progress(done, max(total, done))
            }
            try batches.write()
            guard !isInterrupted, try locked.withLock({ _ in try claims.remaining }) > 0 else { break }
            // Others still read photos. Should one of them die, its photos are claimed here.
            if done == before { usleep(200_000) }
        }
        summary.add(batches)
        summary.isInterrupted = isInterrupted
    }
}
