import Foundation
import VisionExtras

extension PhotoIndex {
    /// The outcome of a photo that was read.
    package enum Reading: Sendable {
        case print(stamp: FileStamp, digest: [UInt8], data: [UInt8])
        /// The index has a print of the same contents.
        ///
        /// `earlier`: The print's digest, where that is of the kind of format 2; it is replaced.
        case known(stamp: FileStamp, digest: [UInt8], earlier: [UInt8]?)
        case unreadable(reason: String)
    }

    /// How a photo was added to the index.
    package enum Entry: Equatable {
        case new
        /// Moved: another name of known contents without a name.
        case moved
        /// Copied: an additional name of known contents.
        case copied
        case changed
        /// The damaged print of the photo was computed again.
        case repaired
        case skipped
    }

    /// Returns whether there is a print of these contents.
    package func hasPrint(digest: [UInt8]) throws -> Bool {
        try database.value("SELECT id FROM prints WHERE digest = ?", [.bytes(digest)]) != nil
    }

    /// Writes the outcomes of photos in one transaction.
    package func store(_ readings: [(photo: IndexChanges.Pending, reading: Reading)]) throws -> [Entry] {
        try database.transaction {
            // Beyond the numbers in the approximate index: it must not hold another print of the same number.
            let insertPrint = try database.prepare(
                """
                INSERT INTO prints (id, digest, data, checksum)
                VALUES ((SELECT max(coalesce(max(id), 0), ?) + 1 FROM prints), ?, ?, ?) ON CONFLICT (digest) DO NOTHING
                """)
            let lastID = DatabaseValue.integer(try lastClusteredID())
            let findPrint = try database.prepare(
                "SELECT id, EXISTS (SELECT 1 FROM photos WHERE print = prints.id) FROM prints WHERE digest = ?")
            let insertPhoto = try database.prepare("INSERT OR REPLACE INTO photos VALUES (?, ?, ?, ?, ?)")
            let deletePhoto = try database.prepare("DELETE FROM photos WHERE path = ?")

            return try readings.map { photo, reading in
                let (stamp, digest): (FileStamp, [UInt8])
                switch reading {
                case .unreadable:
                    // An older print would describe contents that no longer exist.
                    try deletePhoto.run([.bytes(photo.path.bytes)])
                    return .skipped
                case .print(let printStamp, let printDigest, let data):
                    let checksum = try Self.checksum(digest: printDigest, data)
                    try insertPrint.run([lastID, .bytes(printDigest), .bytes(data), .integer(checksum)])
                    (stamp, digest) = (printStamp, printDigest)
                case .known(let knownStamp, let knownDigest, let earlier):
                    if let earlier { try replaceDigest(earlier, with: knownDigest) }
                    (stamp, digest) = (knownStamp, knownDigest)
                }
                guard let row = try findPrint.firstRow([.bytes(digest)]), case .integer(let id) = row[0] else {
                    throw DatabaseError(
                        kind: .busy, path: path, reason: "another program has taken prints out of the database")
                }
                try insertPhoto.run([
                    .bytes(photo.path.bytes), .integer(stamp.size), .integer(stamp.modified), .integer(stamp.node),
                    .integer(id),
                ])
                if photo.wasDamaged { return .repaired }
                guard photo.isNew else { return .changed }
                guard case .known = reading else { return .new }
                return row[1] == .integer(1) ? .copied : .moved
            }
        }
    }

    /// Gives the print of a digest of format 2 that of the same contents in this format, unless another one has it.
    private func replaceDigest(_ earlier: [UInt8], with digest: [UInt8]) throws {
        guard let kind = try collection()?.kind,
            let row = try database.prepare("SELECT id, digest, data, checksum FROM prints WHERE digest = ?")
                .firstRow([.bytes(earlier)]), let data = Self.data(of: row, kind, .sha256)
        else { return }
        try database.run(
            "UPDATE OR IGNORE prints SET digest = ?, checksum = ? WHERE id = ?",
            [.bytes(digest), .integer(try Self.checksum(digest: digest, data)), row[0]])
    }

    /// Gives all prints of an earlier format the checksums of this one. Prints that are damaged already get 0, so that
    /// they are found.
    package func renewChecksums(from check: PrintCheck) throws {
        guard let kind = try collection()?.kind else { return }
        let update = try database.prepare("UPDATE prints SET checksum = ? WHERE id = ?")
        try eachRow { row in
            var checksum: Int64 = 0
            if case .bytes(let digest) = row[1], let data = Self.data(of: row, kind, check),
                // Without checksums, all that shows damage is what cannot be a print.
                check != .none || (try? FeaturePrint(revision: kind.revision, data: Data(data))) != nil
            {
                checksum = try Self.checksum(digest: digest, data)
            }
            try update.run([.integer(checksum), row[0]])
        }
    }

    /// Removes damaged prints, and calls `body` with their photos, which must be read again.
    package func removeDamagedPrints(_ body: (FilePath) throws -> Void) throws {
        guard let kind = try collection()?.kind else { return }
        try database.transaction {
            let deletePhotos = try database.prepare("DELETE FROM photos WHERE print = ?")
            let deletePrint = try database.prepare("DELETE FROM prints WHERE id = ?")
            try eachRow { row in
                guard case .integer(let id) = row[0], Self.data(of: row, kind, .sha256) == nil else { return }
                for photo in try photos(ofPrint: id, limit: .max) { try body(photo) }
                try deletePhotos.run([row[0]])
                try deletePrint.run([row[0]])
            }
        }
    }

    /// Calls `body` with number, digest, bytes and checksum of each print; it may change or delete the row.
    func eachRow(_ body: ([DatabaseValue]) throws -> Void) throws {
        let next = try database.prepare(
            "SELECT id, digest, data, checksum FROM prints WHERE id > ? ORDER BY id LIMIT 64")
        var last = DatabaseValue.integer(.min)
        while true {
            // In batches, because rows must not change while they are read.
            var rows: [[DatabaseValue]] = []
            try next.rows([last]) { rows.append($0) }
            guard let end = rows.last else { return }
            last = end[0]
            try rows.forEach(body)
        }
    }

    /// Removes the prints of deleted photos. Until the end of a run they stay, because photos may have been moved.
    package func removePrintsWithoutPhotos() throws {
        try database.run("DELETE FROM prints WHERE NOT EXISTS (SELECT 1 FROM photos WHERE photos.print = prints.id)")
    }
}
