extension PostgresIndex {
    /// Returns whether there is a print of these contents.
    func hasPrint(digest: [UInt8]) throws -> Bool {
        try connection.isTrue("SELECT EXISTS (SELECT 1 FROM openvision_prints WHERE digest = $1)", [.bytes(digest)])
    }

    /// Writes the outcomes of photos in one transaction and takes them off the list of work.
    ///
    /// Rows are written in the order of their keys, so that two programs never wait for each other.
    func store(_ readings: [BatchWriter.Outcome], _ claims: PhotoClaims) throws -> [PhotoIndex.Entry] {
        var (prints, photos, unreadable): ([([UInt8], [UInt8])], [[UInt8]: StoredPhoto], [[UInt8]]) = ([], [:], [])
        for (photo, reading) in readings {
            switch reading {
            case .unreadable: unreadable.append(photo.path.bytes)
            case .print(let stamp, let digest, let data):
                prints.append((digest, data))
                photos[photo.path.bytes] = .init(photo: photo, stamp: stamp, digest: digest, isMade: true)
            case .known(let stamp, let digest, _):
                photos[photo.path.bytes] = .init(photo: photo, stamp: stamp, digest: digest, isMade: false)
            }
        }
        prints.sort { $0.0.lexicographicallyPrecedes($1.0) }
        return try connection.transaction {
            try connection.run(
                """
                INSERT INTO openvision_prints (digest, print)
                SELECT t.digest, t.print FROM unnest($1::bytea[], $2) WITH ORDINALITY AS t (digest, print, number)
                ORDER BY t.number ON CONFLICT (digest) DO NOTHING
                """, [.byteStrings(prints.map(\.0)), .vectors(prints.map(\.1))])
            let known = try findPrints(photos.values.map(\.digest))
            let sorted = photos.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
            // Another program may have removed a print that was there when the photo was read: it is read again.
            let (stored, lost) = (sorted.filter { known[$0.digest] != nil }, sorted.filter { known[$0.digest] == nil })
            try write(stored, known)
            try connection.run(
                "DELETE FROM openvision_photos WHERE path = ANY ($1)", [.byteStrings(unreadable)])
            try claims.remove(stored.map(\.photo.path.bytes) + unreadable)
            if !lost.isEmpty { try claims.release(lost.map(\.photo.path.bytes)) }
            return unreadable.map { _ in .skipped }
                + stored.map { photo in
                    guard photo.photo.isNew else { return .changed }
                    guard !photo.isMade else { return .new }
                    return known[photo.digest]?.hasPhoto == true ? .copied : .moved
                }
        }
    }

    private struct StoredPhoto {
        var photo: IndexChanges.Pending
        var stamp: FileStamp
        var digest: [UInt8]
        /// Whether its print was made now.
        var isMade: Bool
    }

    /// Finds prints, and keeps others from removing them until the transaction ends.
    private func findPrints(_ digests: [[UInt8]]) throws -> [[UInt8]: (id: Int64, hasPhoto: Bool)] {
        let rows = try connection.rows(
            """
            SELECT q.digest, q.id, EXISTS (SELECT 1 FROM openvision_photos AS p WHERE p.print = q.id)
            FROM openvision_prints AS q WHERE q.digest = ANY ($1) ORDER BY q.digest FOR KEY SHARE OF q
            """, [.byteStrings(digests)])
        var known: [[UInt8]: (id: Int64, hasPhoto: Bool)] = [:]
        for row in rows {
            guard case .bytes(let digest) = row[0], case .integer(let id) = row[1] else { throw damaged("a print") }
            known[digest] = (id, row[2] == .boolean(true))
        }
        return known
    }

    private func write(_ photos: [StoredPhoto], _ known: [[UInt8]: (id: Int64, hasPhoto: Bool)]) throws {
        try connection.run(
            """
            INSERT INTO openvision_photos
            SELECT t.path, t.size, t.modified, t.node, t.print, clock_timestamp()
            FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
              WITH ORDINALITY AS t (path, size, modified, node, print, number)
            ORDER BY t.number
            ON CONFLICT (path) DO UPDATE SET size = excluded.size, modified = excluded.modified,
              node = excluded.node, print = excluded.print, stored = excluded.stored
            """,
            [
                .byteStrings(photos.map(\.photo.path.bytes)), .integers(photos.map(\.stamp.size)),
                .integers(photos.map(\.stamp.modified)), .integers(photos.map(\.stamp.node)),
                .integers(photos.map { known[$0.digest]?.id ?? 0 }),
            ])
    }
}
