/// Updates an index with the findings of a folder walk.
///
/// The findings are stored in a temporary table that SQLite compares with the index, so neither must fit into memory.
package final class IndexChanges {
    /// The differences between folder and index, before any photo is read.
    package struct Plan: Equatable {
        package var unchanged = 0
        /// The number of renamed, otherwise unchanged photos.
        package var moved = 0
        /// The number of missing photos, including those that will be found again by their contents.
        package var vanished = 0
        /// The number of photos to read: new and changed ones.
        package var pending = 0
    }

    /// A photo to be read.
    package struct Pending: Equatable, Sendable {
        package var id: Int64
        package var path: FilePath
        package var isNew: Bool
        /// Whether the index had a damaged print of the photo.
        package var wasDamaged = false
    }

    private let index: PhotoIndex
    private var database: Database { index.database }
    private let insert: DatabaseStatement

    package init(_ index: PhotoIndex) throws {
        self.index = index
        try index.database.execute(
            """
            CREATE TEMP TABLE seen (
              path BLOB NOT NULL PRIMARY KEY, size INTEGER, modified INTEGER, node INTEGER) WITHOUT ROWID;
            CREATE TEMP TABLE hidden (path BLOB NOT NULL, is_folder INTEGER NOT NULL);
            CREATE TEMP TABLE damaged (path BLOB NOT NULL PRIMARY KEY) WITHOUT ROWID;
            CREATE TEMP TABLE vanished (path BLOB, size INTEGER, modified INTEGER, node INTEGER, print INTEGER);
            CREATE TEMP TABLE pending (id INTEGER PRIMARY KEY, path BLOB, is_new INTEGER, was_damaged INTEGER);
            """)
        insert = try index.database.prepare("INSERT OR IGNORE INTO temp.seen VALUES (?, ?, ?, ?)")
    }

    /// Takes up what the walk finds. The findings are handed over by `walk`, one after the other.
    package func collect<Result>(_ walk: ((FolderWalk.Finding) throws -> Void) throws -> Result) throws -> Result {
        // One transaction of the tables beside the index: one each for every photo would take ten times as long.
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        return try walk { finding in
            switch finding {
            case .photo(let photo):
                try insert.run(
                    [.bytes(photo.path.bytes)]
                        + [photo.stamp.size, photo.stamp.modified, photo.stamp.node].map { .integer($0) })
            case .folder: break
            case .unreadable(let path, let isFolder, _):
                // The contents of a folder that cannot be read now do not count as deleted.
                let slash = isFolder && !path.bytes.isEmpty ? [UInt8(ascii: "/")] : []
                try database.run(
                    "INSERT INTO temp.hidden VALUES (?, ?)",
                    [.bytes(path.bytes + slash), .integer(isFolder ? 1 : 0)])
            }
        }
    }

    /// Removes damaged prints from the index, so that their photos are read again like new ones.
    ///
    /// Reads all prints, because SQLite does not detect all damage.
    package func removeDamagedPrints() throws {
        let note = try database.prepare("INSERT OR IGNORE INTO temp.damaged VALUES (?)")
        try index.removeDamagedPrints { try note.run([.bytes($0.bytes)]) }
    }

    /// Compares, removes missing photos from the index and renames moved ones.
    package func apply() throws -> Plan {
        var plan = Plan()
        try database.transaction {
            try database.execute(
                """
                INSERT INTO temp.vanished SELECT path, size, modified, node, print FROM photos
                WHERE NOT EXISTS (SELECT 1 FROM temp.seen AS s WHERE s.path = photos.path)
                  AND NOT EXISTS (SELECT 1 FROM temp.hidden AS h WHERE
                    CASE h.is_folder WHEN 1 THEN substr(photos.path, 1, length(h.path)) ELSE photos.path END = h.path);
                CREATE INDEX temp.vanished_node ON vanished (node);
                """)
            plan.vanished = try database.number("SELECT count(*) FROM temp.vanished")
            // The same file under another name: the system's number, size and time of the last change all agree.
            try database.run(
                """
                INSERT OR IGNORE INTO photos SELECT s.path, s.size, s.modified, s.node, v.print
                FROM temp.seen AS s CROSS JOIN temp.vanished AS v
                  ON v.node = s.node AND v.size = s.size AND v.modified = s.modified
                WHERE NOT EXISTS (SELECT 1 FROM photos AS p WHERE p.path = s.path)
                """)
            plan.moved = database.changes
            try database.execute("DELETE FROM photos WHERE path IN (SELECT path FROM temp.vanished)")
        }
        try database.execute(
            """
            INSERT INTO temp.pending (path, is_new, was_damaged)
            SELECT s.path, p.path IS NULL, EXISTS (SELECT 1 FROM temp.damaged AS d WHERE d.path = s.path)
            FROM temp.seen AS s LEFT JOIN photos AS p ON p.path = s.path
            WHERE p.path IS NULL OR p.size <> s.size OR p.modified <> s.modified ORDER BY s.path;
            """)
        plan.pending = try database.number("SELECT count(*) FROM temp.pending")
        plan.unchanged = try database.number("SELECT count(*) FROM temp.seen") - plan.pending - plan.moved
        try database.execute("DROP TABLE temp.seen; DROP TABLE temp.vanished")
        return plan
    }

    /// Returns the next photos to read, sorted by name; none at the end.
    package func pending(after id: Int64, limit: Int) throws -> [Pending] {
        var photos: [Pending] = []
        try database.prepare("SELECT path, id, is_new, was_damaged FROM temp.pending WHERE id > ? ORDER BY id LIMIT ?")
            .rows([.integer(id), .integer(Int64(limit))]) { row in
                guard case .integer(let id) = row[1] else { throw DatabaseError.damaged(index.path, "a list") }
                photos.append(
                    Pending(
                        id: id, path: try index.path(of: row), isNew: row[2] == .integer(1),
                        wasDamaged: row[3] == .integer(1)))
            }
        return photos
    }
}
