import Foundation
import VisionExtras
import VisionFiles
import VisionModels
import VisionThreads

/// The approximate index of an index's prints: a file beside the database, which can be removed and made again.
struct Clusters {
    let file: ClusterFile

    /// How many clusters and prints a search reads; nil where comparing all prints is better.
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

    /// The largest number of a print in the approximate index; 0 without one, or with one that is damaged.
    ///
    /// - Throws: `DatabaseError`; `ClusterFileError` where it cannot be read.
    func lastClusteredID() throws -> Int64 {
        guard let kind = try collection()?.kind, case .known(let header) = try clusterState(kind) else { return 0 }
        return header.lastID
    }

    /// Returns the approximate index; nil without one, or with one of other prints.
    ///
    /// It is opened again when another program has replaced it.
    ///
    /// - Throws: `ClusterFileError` where it is damaged.
    func knownClusters(_ kind: Kind) throws -> Clusters? {
        let identity = FileIdentity(path: clusterPath)
        if clusters == nil || clusters?.file.identity != identity {
            clusters = identity == nil ? nil : try openClusters(kind)
        }
        return clusters
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
            guard try Self.witness(witness.id, data) == witness else { return nil }
            known += 1
        }
        return known > 0 ? Clusters(file: file) : nil
    }

    private static func witness(_ id: Int64, _ data: [UInt8]) throws -> ClusterFile.Witness {
        .init(id: id, checksum: Int64(bitPattern: try ContentDigest(of: data).word))
    }

    // MARK: Making it

    /// Makes the approximate index where the rule wants one and there is none, or none that is up to date enough.
    ///
    /// - Parameter isCancelled: Asked from time to time.
    /// - Returns: Whether it was made.
    /// - Throws: `DatabaseError`; `ClusterFileError` where the file cannot be written; `CancellationError`.
    @discardableResult
    package func updateClusters(
        _ rule: ClusterRule, threads: Int, isCancelled: () -> Bool = { false }
    ) throws -> Bool {
        guard rule != .never, let kind = try collection()?.kind, 4 * kind.count == kind.byteCount else { return false }
        let count = try database.number("SELECT count(*) FROM prints")
        guard count > 0, count <= ClusterFile.largestPrintCount else { return false }
        switch try clusterState(kind) {
        case .known(let known):
            let added = try database.number("SELECT count(*) FROM prints WHERE id > ?", [.integer(known.lastID)])
            let kept = count - added
            // Prints that were added are compared one by one, and those that were removed are read for nothing.
            guard added > (rule == .always ? 0 : max(50_000, kept / 4)) || kept < known.printCount / 2 else {
                return false
            }
        case .missing: guard rule == .always || count >= Self.automaticClusterCount else { return false }
        // Searches fail until it is made again.
        case .damaged: break
        }
        return try makeClusters(kind, count: count, threads: threads, isCancelled)
    }

    private enum ClusterState {
        case known(ClusterFile.Header)
        case missing
        case damaged
    }

    private func clusterState(_ kind: Kind) throws -> ClusterState {
        do {
            return try knownClusters(kind).map { .known($0.file.header) } ?? .missing
        } catch let error as ClusterFileError where error.kind != .io {
            return .damaged
        }
    }

    private func makeClusters(_ kind: Kind, count: Int, threads: Int, _ isCancelled: () -> Bool) throws -> Bool {
        let clusterCount = ClusterBuilder.clusterCount(forPrints: count)
        let samples = try samples(clusterCount * ClusterBuilder.samplesPerCluster, of: count, kind, isCancelled)
        // Another program may have emptied the database meanwhile.
        guard !samples.isEmpty else { return false }
        var builder = ClusterBuilder(
            PrintCentroids(
                ofClusters: clusterCount, samples: samples, elementCount: kind.count, threads: threads,
                isCancelled: isCancelled))
        if isCancelled() { throw CancellationError() }
        // No number is given again that was in the file before: other programs may still search with that.
        let known = try lastClusteredID()
        // Witnesses at even distances, and the last print.
        let spread = ClusterFile.largestWitnessCount - 1
        let step = (count + spread - 1) / spread
        var (last, witnesses): ((id: Int64, data: [UInt8]), [ClusterFile.Witness]) = ((0, []), [])
        try database.transaction {
            var (rows, ids): ([Float], [Int64]) = ([], [])
            try eachRow { row in
                let print = try decodedPrint(row, kind)
                guard print.id <= ClusterFile.largestID else { throw DatabaseError.damaged(path, "a print's number") }
                rows += print.elements
                ids.append(print.id)
                last = (print.id, print.data)
                if (builder.count + ids.count - 1).isMultiple(of: step), witnesses.count < spread {
                    witnesses.append(try Self.witness(last.id, last.data))
                }
                guard ids.count == Self.buildBatch else { return }
                if isCancelled() { throw CancellationError() }
                builder.append(rows, ids: ids, threads: threads)
                rows.removeAll(keepingCapacity: true)
                ids.removeAll(keepingCapacity: true)
            }
            builder.append(rows, ids: ids, threads: threads)
        }
        guard builder.count > 0 else { return false }
        if witnesses.last?.id != last.id { witnesses.append(try Self.witness(last.id, last.data)) }
        try ClusterFile.write(
            builder,
            .init(
                revision: kind.revision, elementCount: kind.count, printCount: builder.count,
                lastID: max(last.id, known), witnesses: witnesses),
            to: clusterPath)
        return true
    }

    private static let buildBatch = 4096

    /// The elements of at most `wanted` prints, row by row, spread evenly over the numbers.
    private func samples(
        _ wanted: Int, of count: Int, _ kind: Kind, _ isCancelled: () -> Bool
    ) throws -> [Float] {
        let step = (count + wanted - 1) / wanted
        let next = try database.prepare("\(columns) WHERE id > ? ORDER BY id LIMIT 1 OFFSET \(step - 1)")
        var (last, samples): (Int64, [Float]) = (.min, [])
        samples.reserveCapacity(min(count, wanted) * kind.count)
        while let row = try next.firstRow([.integer(last)]) {
            if isCancelled() { throw CancellationError() }
            let print = try decodedPrint(row, kind)
            samples += print.elements
            last = print.id
        }
        return samples
    }

    private func decodedPrint(
        _ row: [DatabaseValue], _ kind: Kind
    ) throws -> (id: Int64, data: [UInt8], elements: [Float]) {
        guard case .integer(let id) = row[0] else { throw DatabaseError.damaged(path, "a print's number") }
        guard let data = Self.data(of: row, kind, check),
            let print = try? PrintVector(revision: kind.revision, data: Data(data))
        else { throw damagedPrint(id) }
        return (id, data, print.elements)
    }
}
