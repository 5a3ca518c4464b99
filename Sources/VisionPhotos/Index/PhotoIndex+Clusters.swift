import Foundation
import VisionExtras
import VisionFiles
import VisionModels
import VisionThreads

/// The approximate index of an index's prints: a file beside the database, which can be removed and made again.
struct Clusters {
    let file: ClusterFile

    /// How much of it a search looks at; nil where comparing all prints is better.
    static func effort(limit: Int) -> ClusterSearch.Effort? {
        // One more than a thousand: a search drops its own photo.
        guard limit <= 1001 else { return nil }
        return .init(clusters: max(64, 2 * limit), candidates: max(200, 5 * limit))
    }
}

/// When an approximate index is made.
package enum ClusterRule: Sendable {
    /// From a number of prints on at which a search without takes seconds.
    case automatic
    case always
    case never
}

extension PhotoIndex {
    /// The number of prints from which on there is an approximate index.
    static let automaticClusterCount = 200_000

    /// The path of the approximate index.
    package var clusterPath: String { path + ".clusters" }

    /// The largest number of a print in the approximate index; 0 without one.
    var lastClusteredID: Int64 {
        guard let kind = try? collection()?.kind, let clusters = try? knownClusters(kind) else { return 0 }
        return clusters.file.header.lastID
    }

    /// Returns the approximate index; nil without one, or with one of other prints.
    ///
    /// - Throws: `ClusterFileError` where it is damaged.
    func knownClusters(_ kind: Kind) throws -> Clusters? {
        if let clusters { return clusters }
        let found = try openClusters(kind)
        clusters = .some(found)
        return found
    }

    private func openClusters(_ kind: Kind) throws -> Clusters? {
        let file: ClusterFile
        do {
            file = try ClusterFile(path: clusterPath)
        } catch {
            guard error.kind != .missing else { return nil }
            throw ClusterFileError(
                error.kind, path: error.path,
                reason: "\(error.reason); remove the file, or let 'openvision index' make it again")
        }
        guard file.header.revision == kind.revision, file.header.elementCount == kind.count,
            4 * kind.count == kind.byteCount
        else { return nil }
        // A database of the same name that was made anew gives its numbers to other prints.
        var known = 0
        for witness in file.header.witnesses {
            guard
                case .bytes(let data)? = try database.value(
                    "SELECT data FROM prints WHERE id = ?", [.integer(witness.id)])
            else { continue }
            guard try Self.witness(data) == witness.checksum else { return nil }
            known += 1
        }
        return known > 0 ? Clusters(file: file) : nil
    }

    private static func witness(_ data: [UInt8]) throws -> Int64 { Int64(bitPattern: try ContentDigest(of: data).word) }

    // MARK: Making it

    /// Makes the approximate index where the rule wants one and there is none, or none that is up to date enough.
    ///
    /// - Returns: Whether it was made.
    /// - Throws: `DatabaseError`, `ClusterFileError`.
    @discardableResult
    package func updateClusters(_ rule: ClusterRule, threads: Int) throws -> Bool {
        guard rule != .never, let kind = try collection()?.kind, 4 * kind.count == kind.byteCount else { return false }
        let count = try database.number("SELECT count(*) FROM prints")
        guard count > 0, count <= ClusterFile.largestPrintCount else { return false }
        // One that cannot be read is made again.
        if let known = try? knownClusters(kind)?.file.header {
            let added = try database.number("SELECT count(*) FROM prints WHERE id > ?", [.integer(known.lastID)])
            let kept = count - added
            // What was added is compared print by print, and what was removed is read in vain.
            guard added > (rule == .always ? 0 : max(50_000, kept / 4)) || kept < known.printCount / 2 else {
                return false
            }
        } else {
            guard rule == .always || count >= Self.automaticClusterCount else { return false }
        }
        try makeClusters(kind, count: count, threads: threads)
        return true
    }

    private func makeClusters(_ kind: Kind, count: Int, threads: Int) throws {
        // One state of the prints, whatever other programs write meanwhile.
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        let clusterCount = ClusterBuilder.clusterCount(forPrints: count)
        let wanted = clusterCount * ClusterBuilder.samplesPerCluster
        var (samples, sampleCount, witnesses): ([Float], Int, [ClusterFile.Witness]) = ([], 0, [])
        samples.reserveCapacity(min(count, wanted) * kind.count)
        try eachPrint(kind, sampling: wanted, of: count) { id, data, print in
            if sampleCount.isMultiple(of: max(1, min(count, wanted) / ClusterFile.largestWitnessCount)),
                witnesses.count < ClusterFile.largestWitnessCount
            {
                witnesses.append(.init(id: id, checksum: try Self.witness(data)))
            }
            samples += print
            sampleCount += 1
        }
        let centroids = PrintCentroids(
            ofClusters: clusterCount, samples: samples, elementCount: kind.count, threads: threads)
        samples = []
        var builder = ClusterBuilder(centroids)
        var (rows, ids): ([Float], [Int64]) = ([], [])
        var lastID: Int64 = 0
        try eachPrint(kind, sampling: count, of: count) { id, _, print in
            rows += print
            ids.append(id)
            lastID = id
            if ids.count == Self.buildBatch {
                builder.append(rows, ids: ids, threads: threads)
                rows.removeAll(keepingCapacity: true)
                ids.removeAll(keepingCapacity: true)
            }
        }
        builder.append(rows, ids: ids, threads: threads)
        clusters = nil
        try ClusterFile.write(
            builder,
            .init(
                revision: kind.revision, elementCount: kind.count, printCount: builder.count, lastID: lastID,
                witnesses: witnesses),
            to: clusterPath)
    }

    private static let buildBatch = 4096

    /// Calls `body` with prints in the order of their numbers: all of them, or about as many as are asked for, spread
    /// evenly.
    private func eachPrint(
        _ kind: Kind, sampling wanted: Int, of count: Int,
        _ body: (_ id: Int64, _ data: [UInt8], _ print: [Float]) throws -> Void
    ) throws {
        let step = max(1, count / max(1, wanted))
        let next = try database.prepare("\(columns) WHERE id > ? ORDER BY id LIMIT 1 OFFSET \(step - 1)")
        var last = Int64.min
        while let row = try next.firstRow([.integer(last)]) {
            guard case .integer(let id) = row[0] else { throw DatabaseError.damaged(path, "a print's number") }
            guard let data = Self.data(of: row, kind, check),
                let print = try? PrintVector(revision: kind.revision, data: Data(data))
            else { throw damagedPrint(id) }
            try body(id, data, print.elements)
            last = id
        }
    }
}
