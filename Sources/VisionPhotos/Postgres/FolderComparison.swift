/// Compares a folder with an index in PostgreSQL, and makes the list of photos to read.
///
/// The findings of the walk go to temporary tables, which the server compares with the index: neither must fit into
/// memory here. Other programs may add to the index meanwhile. What they stored after the walk began is not taken for
/// removed, because the walk may have missed it.
final class FolderComparison {
    /// Findings that are sent at a time.
    private static let batchSize = 2000

    private let index: PostgresIndex
    private var connection: PostgresConnection { index.connection }
    private let start: PostgresValue
    private var seen: [FoundPhoto] = []

    /// Call this before the walk begins.
    init(_ index: PostgresIndex) throws {
        self.index = index
        // The server's clock: those of the machines differ.
        guard let time = try index.connection.rows("SELECT clock_timestamp()::text").first?.first else {
            throw index.damaged("its clock")
        }
        start = time
        // What a run that failed has left on this connection.
        for table in Self.tables { try connection.run("DROP TABLE IF EXISTS pg_temp.\(table.name)") }
        for table in Self.tables { try connection.run("CREATE TEMPORARY TABLE \(table.name) (\(table.columns))") }
    }

    private static let tables = [
        (name: "openvision_seen", columns: "path bytea PRIMARY KEY, size bigint, modified bigint, node bigint"),
        (name: "openvision_hidden", columns: "path bytea, is_folder boolean"),
        (
            name: "openvision_vanished",
            columns: "path bytea, size bigint, modified bigint, node bigint, print bigint"
        ),
    ]

    func add(_ finding: FolderWalk.Finding) throws {
        switch finding {
        case .photo(let photo):
            seen.append(photo)
            if seen.count >= Self.batchSize { try send() }
        case .folder: break
        case .unreadable(let path, let isFolder, _):
            // The contents of a folder that cannot be read now do not count as deleted.
            let slash = isFolder && !path.bytes.isEmpty ? [UInt8(ascii: "/")] : []
            try connection.run(
                "INSERT INTO openvision_hidden VALUES ($1, $2)", [.bytes(path.bytes + slash), .boolean(isFolder)])
        }
    }

    private func send() throws {
        try connection.run(
            """
            INSERT INTO openvision_seen SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[])
            ON CONFLICT DO NOTHING
            """,
            [
                .byteStrings(seen.map(\.path.bytes)), .integers(seen.map(\.stamp.size)),
                .integers(seen.map(\.stamp.modified)), .integers(seen.map(\.stamp.node)),
            ])
        seen.removeAll(keepingCapacity: true)
    }

    /// Compares, removes missing photos from the index, renames moved ones, and puts what has to be read on the list of
    /// work.
    func apply() throws -> IndexChanges.Plan {
        try send()
        for table in ["openvision_seen", "openvision_hidden"] { try connection.run("ANALYZE \(table)") }
        let plan = try connection.transaction { () -> IndexChanges.Plan in
            try index.lock(.comparison)
            return try compare()
        }
        for table in Self.tables { try connection.run("DROP TABLE pg_temp.\(table.name)") }
        return plan
    }

    private func compare() throws -> IndexChanges.Plan {
        var plan = IndexChanges.Plan()
        plan.vanished = try connection.run(
            """
            INSERT INTO openvision_vanished SELECT p.path, p.size, p.modified, p.node, p.print
            FROM openvision_photos AS p
            WHERE p.stored < $1::timestamptz AND NOT EXISTS (SELECT 1 FROM openvision_seen AS s WHERE s.path = p.path)
              AND NOT EXISTS (SELECT 1 FROM openvision_hidden AS h WHERE
                CASE WHEN h.is_folder THEN substr(p.path, 1, length(h.path)) ELSE p.path END = h.path)
            """, [start])
        // The same file under another name: the system's number, size and time of the last change all agree.
        plan.moved = try connection.run(
            """
            INSERT INTO openvision_photos
            SELECT DISTINCT ON (s.path) s.path, s.size, s.modified, s.node, v.print, clock_timestamp()
            FROM openvision_seen AS s JOIN openvision_vanished AS v USING (node, size, modified)
            WHERE NOT EXISTS (SELECT 1 FROM openvision_photos AS p WHERE p.path = s.path)
            ON CONFLICT DO NOTHING
            """)
        // Not what another program has found again since.
        try connection.run(
            """
            DELETE FROM openvision_photos AS p USING openvision_vanished AS v
            WHERE p.path = v.path AND p.stored < $1::timestamptz
            """, [start])
        let seen = try connection.number("SELECT count(*) FROM openvision_seen")
        let known = try connection.number(
            """
            SELECT count(*) FROM openvision_seen AS s JOIN openvision_photos AS p
            ON p.path = s.path AND p.size = s.size AND p.modified = s.modified
            """)
        (plan.pending, plan.unchanged) = (seen - known, known - plan.moved)
        try connection.run(
            """
            INSERT INTO openvision_work SELECT s.path, s.size, s.modified, clock_timestamp()
            FROM openvision_seen AS s LEFT JOIN openvision_photos AS p ON p.path = s.path
            WHERE p.path IS NULL OR p.size <> s.size OR p.modified <> s.modified
            ON CONFLICT DO NOTHING
            """)
        // What an earlier run found and is gone.
        try connection.run(
            """
            DELETE FROM openvision_work AS w WHERE w.found < $1::timestamptz
              AND NOT EXISTS (SELECT 1 FROM openvision_seen AS s WHERE s.path = w.path)
            """, [start])
        return plan
    }
}
