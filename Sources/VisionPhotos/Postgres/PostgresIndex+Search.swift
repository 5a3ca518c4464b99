import Foundation
package import Vision
import VisionExtras

extension PostgresIndex: PrintStore {
    /// The photos whose prints are nearest to another.
    ///
    /// The server finds prints that are near, by its HNSW index or by comparing all; they are compared once more here,
    /// so that distances have the same bits as those of an index in a file.
    package func nearest(
        to query: VNFeaturePrintObservation, _ collection: PhotoIndex.Collection, limit: Int, isExact: Bool
    ) throws -> Nearest<FilePath> {
        let stored = StoredPrint(query)
        guard stored.kind == collection.kind else {
            throw DatabaseError(
                kind: .mismatch, path: path, reason: "contains prints of another kind; index the folder again")
        }
        return try nearest(to: FeaturePrint(query), collection, limit: limit, isExact: isExact)
    }

    func nearest(
        to reference: FeaturePrint, _ collection: PhotoIndex.Collection, limit: Int, isExact: Bool
    ) throws -> Nearest<FilePath> {
        var near = Nearest<Int64>(limit: limit)
        let vector = PostgresValue.vector(Array(reference.data))
        let candidates = try candidates(near: vector, collection.kind, limit: limit, isExact: isExact)
        for start in stride(from: 0, to: candidates.count, by: Self.batchSize) {
            let batch = candidates[start..<min(start + Self.batchSize, candidates.count)]
            let rows = try connection.rows(
                "SELECT id, print FROM openvision_prints WHERE id = ANY ($1)", [.integers(Array(batch))])
            for row in rows {
                guard case .integer(let id) = row[0], case .vector(let data) = row[1],
                    data.count == collection.kind.byteCount,
                    let print = try? FeaturePrint(revision: collection.kind.revision, data: Data(data)),
                    let distance = try? reference.distance(to: print)
                else { throw damaged("a print") }
                near.add(id, distance: distance)
            }
        }
        return try photos(of: near, collection, limit: limit)
    }

    /// Prints that are read at a time.
    private static let batchSize = 512

    /// The numbers of prints that are probably the nearest: more than are wanted.
    private func candidates(
        near query: PostgresValue, _ kind: PhotoIndex.Kind, limit: Int, isExact: Bool
    ) throws -> [Int64] {
        let hasPhoto = "EXISTS (SELECT 1 FROM openvision_photos AS p WHERE p.print = q.id)"
        let rows: [[PostgresValue]]
        if !isExact, let effort = Self.effort(limit: limit) {
            rows = try connection.transaction {
                // The nearest that the HNSW index keeps while it searches, for this transaction.
                _ = try connection.rows("SELECT set_config('hnsw.ef_search', $1, true)", [.text("\(effort)")])
                let half = "halfvec(\(kind.count))"
                return try connection.rows(
                    """
                    SELECT q.id FROM (
                      SELECT id FROM openvision_prints ORDER BY print::\(half) <-> $1::\(half) LIMIT $2) AS q
                    WHERE \(hasPhoto)
                    """, [query, .integer(Int64(effort))])
            }
        } else {
            // The server's distances differ from ours in their last bits: some more, so that none is missing.
            rows = try connection.rows(
                "SELECT q.id FROM openvision_prints AS q WHERE \(hasPhoto) ORDER BY q.print <-> $1 LIMIT $2",
                [query, .integer(Int64(min(limit, Int(Int32.max)) + 16))])
        }
        return try rows.map {
            guard case .integer(let id) = $0[0] else { throw damaged("a print's number") }
            return id
        }
    }

    /// How many prints the HNSW index returns; nil where comparing all prints is better. pgvector allows 1,000.
    /// Of the nearest ten among 60,000 prints, 200 find .911 and 400 .988.
    static func effort(limit: Int) -> Int? { limit <= 501 ? min(1000, max(400, 4 * limit)) : nil }

    private func photos(
        of near: Nearest<Int64>, _ collection: PhotoIndex.Collection, limit: Int
    ) throws -> Nearest<FilePath> {
        let found = near.sorted
        let distances = Dictionary(found.map { ($0.key, $0.distance) }, uniquingKeysWith: { first, _ in first })
        var nearest = Nearest<FilePath>(limit: limit)
        for start in stride(from: 0, to: found.count, by: Self.batchSize) {
            let batch = found[start..<min(start + Self.batchSize, found.count)].map(\.key)
            let rows = try connection.rows(
                "SELECT print, path FROM openvision_photos WHERE print = ANY ($1)", [.integers(batch)])
            for row in rows {
                guard case .integer(let id) = row[0], let distance = distances[id] else { continue }
                nearest.add(collection.folder.appending(try path(of: row[1])), distance: distance)
            }
        }
        return nearest
    }
}
