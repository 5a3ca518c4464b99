extension PhotoIndex {
    /// What became of a photo that was read.
    enum Reading: Sendable {
        case print(stamp: FileStamp, digest: [UInt8], data: [UInt8])
        /// The index has a print of the same contents.
        case known(stamp: FileStamp, digest: [UInt8])
        case unreadable(reason: String)
    }

    /// How a photo entered the index.
    enum Entry: Equatable {
        case new
        /// Another name of contents that had no name any more.
        case moved
        /// A further name of contents that have one.
        case copied
        case changed
        case skipped
    }

    /// Whether there is a print of these contents.
    func hasPrint(digest: [UInt8]) throws -> Bool {
        try database.value("SELECT id FROM prints WHERE digest = ?", [.bytes(digest)]) != nil
    }

    /// Writes what became of some photos, all of it or nothing.
    func store(_ readings: [(photo: IndexChanges.Pending, reading: Reading)]) throws -> [Entry] {
        try database.transaction {
            let insertPrint = try database.prepare(
                "INSERT INTO prints (digest, data) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING")
            let findPrint = try database.prepare(
                "SELECT id, EXISTS (SELECT 1 FROM photos WHERE print = prints.id) FROM prints WHERE digest = ?")
            let insertPhoto = try database.prepare("INSERT OR REPLACE INTO photos VALUES (?, ?, ?, ?, ?)")
            let deletePhoto = try database.prepare("DELETE FROM photos WHERE path = ?")

            return try readings.map { photo, reading in
                let (stamp, digest): (FileStamp, [UInt8])
                switch reading {
                case .unreadable:
                    // An older print of it would be of a picture that is not there any more.
                    try deletePhoto.run([.bytes(photo.path.bytes)])
                    return .skipped
                case .print(let printStamp, let printDigest, let data):
                    try insertPrint.run([.bytes(printDigest), .bytes(data)])
                    (stamp, digest) = (printStamp, printDigest)
                case .known(let knownStamp, let knownDigest): (stamp, digest) = (knownStamp, knownDigest)
                }
                guard let row = try findPrint.firstRow([.bytes(digest)]), case .integer(let id) = row[0] else {
                    throw DatabaseError(
                        kind: .busy, path: path, reason: "another program has taken prints out of the database")
                }
                try insertPhoto.run([
                    .bytes(photo.path.bytes), .integer(stamp.size), .integer(stamp.modified), .integer(stamp.node),
                    .integer(id),
                ])
                guard photo.isNew else { return .changed }
                guard case .known = reading else { return .new }
                return row[1] == .integer(1) ? .copied : .moved
            }
        }
    }

    /// Takes out the prints of photos that are gone. Until then they are kept: their photos may have been moved.
    func removePrintsWithoutPhotos() throws {
        try database.run("DELETE FROM prints WHERE NOT EXISTS (SELECT 1 FROM photos WHERE photos.print = prints.id)")
    }
}
