@testable import VisionPhotos

extension PhotoIndex {
    /// Calls `body` with each print that a photo has, in a fixed order.
    ///
    /// - Throws: `DatabaseError` for a print that is damaged.
    func eachPrint(_ body: (_ id: Int64, _ data: [UInt8]) throws -> Void) throws {
        guard let kind = try collection()?.kind else { return }
        try database.prepare(
            """
            SELECT id, digest, data, \(check == .none ? "NULL" : "checksum") FROM prints
            WHERE EXISTS (SELECT 1 FROM photos WHERE print = prints.id) ORDER BY id
            """
        ).rows { row in
            guard case .integer(let id) = row[0] else { throw DatabaseError.damaged(path, "a print's number") }
            guard let data = Self.data(of: row, kind, check) else { throw damagedPrint(id) }
            try body(id, data)
        }
    }
}
