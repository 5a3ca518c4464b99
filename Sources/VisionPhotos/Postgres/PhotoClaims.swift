/// The photos that one program reads, of the work of all programs that add to an index in PostgreSQL.
///
/// A program claims some photos at a time, by locking their rows: rows that another one locks are passed over, so that
/// none waits for another. A claim has an owner, and a lease, which is made longer with each batch. A photo can be
/// claimed again once its lease is over, or as soon as the connection of its owner ends, whichever comes first: a
/// killed program loses no more than it had claimed, and nothing waits for its lease.
final class PhotoClaims {
    /// The time that a program may need for a batch, in seconds.
    static let lease = 120

    private let index: PostgresIndex
    private var connection: PostgresConnection { index.connection }
    private let owner: Int64

    /// Becomes one of those who add to the index, until `close` or the end of the connection.
    init(_ index: PostgresIndex) throws {
        self.index = index
        try index.connection.run(
            "SELECT pg_advisory_lock_shared(\(PostgresIndex.lockKey))",
            [.integer(PostgresIndex.LockedPart.indexing.rawValue)])
        // A lock with the owner's number shows that it lives: the server releases it when the connection ends. Another
        // index of the same database may use the number.
        while true {
            let number = Int64(try index.connection.number("SELECT nextval('openvision_owners')"))
            guard
                try index.connection.isTrue(
                    "SELECT pg_try_advisory_lock(\(Self.ownerClass), $1::int)", [.integer(number)])
            else { continue }
            owner = number
            return
        }
    }

    static let ownerClass = PhotoIndex.applicationID + 16

    /// Claims photos that nobody has claimed; none where there are no more.
    func next(_ count: Int) throws -> [IndexChanges.Pending] {
        let rows = try connection.rows(
            """
            WITH free AS (
              SELECT w.path FROM openvision_work AS w
              WHERE w.owner IS NULL OR w.lease_end < clock_timestamp() OR NOT EXISTS (
                SELECT 1 FROM pg_locks AS l
                WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid::bigint = \(Self.ownerClass)
                  AND l.objid::bigint = w.owner
                  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))
              ORDER BY w.path LIMIT $1 FOR UPDATE OF w SKIP LOCKED)
            UPDATE openvision_work AS w SET owner = $2, lease_end = \(Self.leaseEnd)
            FROM free WHERE w.path = free.path
            RETURNING w.path,
              EXISTS (SELECT 1 FROM openvision_photos AS p WHERE p.path = w.path),
              EXISTS (SELECT 1 FROM openvision_photos AS p
                WHERE p.path = w.path AND p.size = w.size AND p.modified = w.modified)
            """, [.integer(Int64(count)), .integer(owner)])
        var (photos, done): ([IndexChanges.Pending], [[UInt8]]) = ([], [])
        for row in rows {
            let path = try index.path(of: row[0])
            // Another program has read the photo between the comparison with the folder and now.
            guard row[2] == .boolean(false) else {
                done.append(path.bytes)
                continue
            }
            photos.append(.init(id: 0, path: path, isNew: row[1] == .boolean(false)))
        }
        if !done.isEmpty { try remove(done) }
        return photos.isEmpty && !done.isEmpty ? try next(count) : photos.sorted { $0.path < $1.path }
    }

    private static let leaseEnd = "clock_timestamp() + \(lease) * interval '1 second'"

    /// Takes photos off the list, and makes the leases of the others longer.
    func remove(_ paths: [[UInt8]]) throws {
        try connection.run("DELETE FROM openvision_work WHERE path = ANY ($1)", [.byteStrings(paths)])
        try connection.run(
            "UPDATE openvision_work SET lease_end = \(Self.leaseEnd) WHERE owner = $1", [.integer(owner)])
    }

    /// Gives photos back, to be claimed again.
    func release(_ paths: [[UInt8]]) throws {
        try connection.run(
            "UPDATE openvision_work SET owner = NULL WHERE path = ANY ($1) AND owner = $2",
            [.byteStrings(paths), .integer(owner)])
    }

    /// The number of photos that are still to be read or being read, by whomever.
    var remaining: Int { get throws { try connection.number("SELECT count(*) FROM openvision_work") } }

    /// Gives back what is claimed, and ends being one of those who add to the index.
    ///
    /// - Parameter removesPrints: Whether the last one to end removes prints that no photo has any more. A run that was
    ///   stopped leaves them: they may belong to photos that were moved.
    func close(removesPrints: Bool) throws {
        try connection.run("UPDATE openvision_work SET owner = NULL WHERE owner = $1", [.integer(owner)])
        let part: [PostgresValue] = [.integer(PostgresIndex.LockedPart.indexing.rawValue)]
        try connection.run("SELECT pg_advisory_unlock(\(Self.ownerClass), $1::int)", [.integer(owner)])
        try connection.run("SELECT pg_advisory_unlock_shared(\(PostgresIndex.lockKey))", part)
        guard removesPrints else { return }
        try connection.transaction {
            guard try connection.isTrue("SELECT pg_try_advisory_xact_lock(\(PostgresIndex.lockKey))", part) else {
                return
            }
            try connection.run(
                """
                DELETE FROM openvision_prints AS q
                WHERE NOT EXISTS (SELECT 1 FROM openvision_photos AS p WHERE p.print = q.id)
                """)
        }
    }
}
