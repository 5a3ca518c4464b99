package import Vision
import VisionExtras
import VisionThreads

extension PhotoIndex {
    /// The photos whose prints are nearest to another.
    ///
    /// Goes through the prints as they come from the disk, because an index may be larger than memory. Several threads
    /// check and compare them.
    ///
    /// - Parameters:
    ///   - query: The print to search for.
    ///   - collection: The contents of the index.
    ///   - limit: The maximum number of photos.
    /// - Throws: `DatabaseError` where the index holds other prints or is damaged.
    package func nearest(to query: VNFeaturePrintObservation, _ collection: Collection, limit: Int) throws -> Nearest<
        FilePath
    > {
        guard StoredPrint(query).kind == collection.kind else {
            throw DatabaseError(
                kind: .mismatch, path: path, reason: "contains prints of another kind; index the folder again")
        }
        let reference = FeaturePrint(query)
        let (kind, check) = (collection.kind, check)
        let next = try database.prepare(
            """
            SELECT id, digest, data, \(check == .none ? "NULL" : "checksum") FROM prints
            WHERE id > ? AND EXISTS (SELECT 1 FROM photos WHERE print = prints.id) ORDER BY id LIMIT \(Self.batchSize)
            """)
        var last = DatabaseValue.integer(.min)
        // Prints first: photos are looked up only for the nearest ones.
        var near = Nearest<Int64>(limit: limit)
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
        var nearest = Nearest<FilePath>(limit: limit)
        for (id, distance) in near.sorted {
            for photo in try photos(ofPrint: id, limit: limit) {
                nearest.add(collection.folder.appending(photo), distance: distance)
            }
        }
        return nearest
    }

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
