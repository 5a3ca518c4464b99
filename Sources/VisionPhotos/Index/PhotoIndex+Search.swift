package import Vision
import VisionExtras
import VisionModels
import VisionThreads

extension PhotoIndex {
    /// The photos whose prints are nearest to another.
    ///
    /// With an approximate index, only prints that are probably near are compared, and all that were added after it was
    /// made. Otherwise, and for many photos, goes through all prints as they come from the disk, because an index may
    /// be larger than memory; several threads check and compare them. Distances are exact either way.
    ///
    /// - Parameters:
    ///   - query: The print to search for.
    ///   - collection: The contents of the index.
    ///   - limit: The maximum number of photos.
    ///   - isExact: Compares all prints, whether or not there is an approximate index.
    /// - Throws: `DatabaseError` where the index holds other prints or is damaged; `ClusterFileError` where the
    ///   approximate index is.
    package func nearest(
        to query: VNFeaturePrintObservation, _ collection: Collection, limit: Int, isExact: Bool = false
    ) throws -> Nearest<FilePath> {
        guard StoredPrint(query).kind == collection.kind else {
            throw DatabaseError(
                kind: .mismatch, path: path, reason: "contains prints of another kind; index the folder again")
        }
        return try nearest(to: FeaturePrint(query), collection, limit: limit, isExact: isExact)
    }

    func nearest(
        to reference: FeaturePrint, _ collection: Collection, limit: Int, isExact: Bool
    ) throws -> Nearest<FilePath> {
        // Prints first: photos are looked up only for the nearest ones.
        var near = Nearest<Int64>(limit: limit)
        var last = Int64.min
        if !isExact, let clusters = try knownClusters(collection.kind), let effort = Clusters.effort(limit: limit) {
            try compareCandidates(of: clusters, effort, collection.kind, with: reference, &near)
            last = clusters.file.header.lastID
        }
        try compareAll(after: last, collection.kind, with: reference, &near)
        var nearest = Nearest<FilePath>(limit: limit)
        for (id, distance) in near.sorted {
            for photo in try photos(ofPrint: id, limit: limit) {
                nearest.add(collection.folder.appending(photo), distance: distance)
            }
        }
        return nearest
    }

    private func compareCandidates(
        of clusters: Clusters, _ effort: ClusterSearch.Effort, _ kind: Kind, with reference: FeaturePrint,
        _ near: inout Nearest<Int64>
    ) throws {
        let query = try PrintVector(revision: reference.revision, data: reference.data)
        let find = try database.prepare("\(columns) WHERE id = ? AND \(Self.hasPhoto)")
        // In the order of the table, because near numbers are on near pages.
        for candidate in try clusters.file.candidates(near: query, effort).sorted() {
            guard let row = try find.firstRow([.integer(candidate)]) else { continue }
            let (id, distance) = Self.distance(of: row, kind, check, from: reference)
            guard let distance else { throw damagedPrint(id) }
            near.add(id, distance: distance)
        }
    }

    private func compareAll(
        after first: Int64, _ kind: Kind, with reference: FeaturePrint, _ near: inout Nearest<Int64>
    ) throws {
        let check = check
        let next = try database.prepare(
            "\(columns) WHERE id > ? AND \(Self.hasPhoto) ORDER BY id LIMIT \(Self.batchSize)")
        var last = DatabaseValue.integer(first)
        try ParallelPipeline.run(threads: Processors.count, isOrdered: true) { () -> [[DatabaseValue]]? in
            var rows: [[DatabaseValue]] = []
            try next.rows([last]) { rows.append($0) }
            guard let end = rows.last else { return nil }
            last = end[0]
            return rows
        } work: { rows in
            rows.map { Self.distance(of: $0, kind, check, from: reference) }
        } take: { found in
            for (id, distance) in found {
                guard let distance else { throw damagedPrint(id) }
                near.add(id, distance: distance)
            }
        }
    }

    private static let hasPhoto = "EXISTS (SELECT 1 FROM photos WHERE print = prints.id)"

    /// What `data(of:_:_:)` reads.
    var columns: String { "SELECT id, digest, data, \(check == .none ? "NULL" : "checksum") FROM prints" }

    /// Prints that are compared at a time.
    private static let batchSize = 512

    /// The number of a print and its distance from another; nil for one that is damaged.
    private static func distance(
        of row: [DatabaseValue], _ kind: Kind, _ check: PrintCheck, from reference: FeaturePrint
    ) -> (id: Int64, distance: Float?) {
        guard case .integer(let id) = row[0] else { return (0, nil) }
        guard let data = data(of: row, kind, check),
            let print = try? FeaturePrint(revision: reference.revision, data: Data(data)),
            let distance = try? reference.distance(to: print)
        else { return (id, nil) }
        return (id, distance)
    }
}
