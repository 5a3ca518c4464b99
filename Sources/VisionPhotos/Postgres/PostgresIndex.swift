import Foundation

/// The feature prints of the photos of a folder, in a database of PostgreSQL with pgvector.
///
/// Several programs, on several machines, may add to one index at a time. Prints are stored by the contents of photos,
/// not by their names, as in a file. The tables lie in the first schema of the connection's search path.
package final class PostgresIndex {
    /// Of the tables below. Tables that this program cannot read have a higher one.
    package static let formatVersion = 1
    /// The first version of pgvector with half-precision vectors.
    static let leastVectorVersion = "0.7.0"
    /// The longest path of a photo: PostgreSQL cannot keep longer ones in its B-trees.
    static let longestPath = 2500

    /// The address without password and parameters.
    package var path: String { connection.path }
    package let connection: PostgresConnection

    /// Opens an index for searching.
    ///
    /// - Throws: `DatabaseError` when the server cannot be reached, refuses, or has no index.
    package init(reading address: String) throws {
        connection = try PostgresConnection(address: address)
        try connection.run("SET default_transaction_read_only = on")
        guard try hasTables else {
            throw DatabaseError(
                kind: .foreign, path: path, reason: "contains no index; 'openvision index FOLDER --db …' makes one")
        }
        try connection.findVectorType()
        _ = try collection()
    }

    /// Opens a database for writing. Tables are made by `prepare`.
    package init(writing address: String) throws {
        connection = try PostgresConnection(address: address)
        let available = try connection.rows(
            "SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'vector'")
        guard let versions = available.first else { throw PostgresConnection.missingVectors(path) }
        // A new extension gets the default version.
        let text = versions.compactMap { if case .text(let text) = $0 { text } else { nil } }.last ?? ""
        guard Self.isVersion(text, atLeast: Self.leastVectorVersion) else {
            throw DatabaseError(
                kind: .unsupported, path: path,
                reason: "the server has pgvector \(text); \(Self.leastVectorVersion) or later is needed")
        }
    }

    /// Compares versions number by number.
    static func isVersion(_ version: String, atLeast least: String) -> Bool {
        let (left, right) = (numbers(version), numbers(least))
        return !left.lexicographicallyPrecedes(right)
    }

    private static func numbers(_ version: String) -> [Int] {
        version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    }

    /// In the first schema of the search path: a later one may have another index.
    private var hasTables: Bool {
        get throws {
            try connection.isTrue(
                "SELECT to_regclass(quote_ident(current_schema()) || '.openvision_index') IS NOT NULL")
        }
    }

    // MARK: What it is an index of

    /// The folder and the kind of prints; nil before the first run of `openvision index`.
    package func collection() throws -> PhotoIndex.Collection? {
        guard try hasTables else { return nil }
        let row = try connection.rows(
            "SELECT format, folder, revision, element_type, element_count, byte_count FROM openvision_index"
        ).first
        guard let row else { return nil }
        guard case .integer(let format) = row[0], format >= 1 else { throw damaged("its format") }
        guard format <= Self.formatVersion else {
            throw DatabaseError(
                kind: .newer, path: path,
                reason: "was made by a newer version of openvision (format \(format); this one knows "
                    + "\(Self.formatVersion))")
        }
        guard case .bytes(let folder) = row[1], folder.first == UInt8(ascii: "/"), !folder.contains(0),
            folder.count < 1 << 16
        else { throw damaged("its folder") }
        let numbers = row[2...].map { value -> Int in
            guard case .integer(let number) = value else { return -1 }
            return Int(clamping: number)
        }
        guard numbers.allSatisfy({ (1...Database.valueLimit).contains($0) }) else {
            throw damaged("its kind of prints")
        }
        return .init(
            folder: FilePath(bytes: folder),
            kind: .init(revision: numbers[0], elementType: numbers[1], count: numbers[2], byteCount: numbers[3]))
    }

    /// Makes the tables where there are none, with folder and kind of prints.
    ///
    /// - Parameter mayMove: Whether an index of another folder is accepted; `move` changes its folder.
    /// - Throws: `DatabaseError`; what `otherFolder` returns for an index of another folder that may not be changed.
    package func prepare(
        _ wanted: PhotoIndex.Collection, mayMove: Bool, otherFolder: (FilePath) -> DatabaseError
    ) throws {
        guard wanted.kind.byteCount == 4 * wanted.kind.count else {
            throw DatabaseError(
                kind: .mismatch, path: path,
                reason: "prints of revision \(wanted.kind.revision) are not vectors of floats; use a file")
        }
        try connection.transaction {
            try lock(.tables)
            if try !hasTables {
                try connection.run("CREATE EXTENSION IF NOT EXISTS vector")
                for table in Self.tables(elements: wanted.kind.count) { try connection.run(table) }
            }
            guard let known = try collection() else {
                let kind = wanted.kind
                try connection.run(
                    "INSERT INTO openvision_index VALUES (1, $1, $2, $3, $4, $5, $6)",
                    [.integer(Int64(Self.formatVersion)), .bytes(wanted.folder.bytes)]
                        + [kind.revision, kind.elementType, kind.count, kind.byteCount].map { .integer(Int64($0)) })
                return
            }
            guard known.kind == wanted.kind else { throw DatabaseError.otherKind(path, known.kind) }
            guard known.folder == wanted.folder || mayMove else { throw otherFolder(known.folder) }
        }
        try connection.findVectorType()
        guard connection.hasVectors else { throw PostgresConnection.missingVectors(path) }
    }

    /// Makes it the index of the same photos in another place.
    func move(to folder: FilePath) throws {
        try connection.run("UPDATE openvision_index SET folder = $1 WHERE folder <> $1", [.bytes(folder.bytes)])
    }

    /// The statements that make the tables. The number of elements is the only thing that cannot be a parameter.
    private static func tables(elements: Int) -> [String] {
        [
            """
            CREATE TABLE openvision_index (
              id integer PRIMARY KEY CHECK (id = 1), format bigint NOT NULL, folder bytea NOT NULL,
              revision bigint NOT NULL, element_type bigint NOT NULL, element_count bigint NOT NULL,
              byte_count bigint NOT NULL)
            """,
            """
            CREATE TABLE openvision_prints (
              id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest bytea NOT NULL UNIQUE,
              print vector(\(elements)) NOT NULL)
            """,
            // Half precision takes half the memory, and indexes up to 4,000 elements instead of 2,000.
            """
            CREATE INDEX openvision_prints_near ON openvision_prints
            USING hnsw ((print::halfvec(\(elements))) halfvec_l2_ops)
            """,
            """
            CREATE TABLE openvision_photos (
              path bytea PRIMARY KEY, size bigint NOT NULL, modified bigint NOT NULL, node bigint NOT NULL,
              print bigint NOT NULL REFERENCES openvision_prints (id), stored timestamptz NOT NULL)
            """,
            "CREATE INDEX openvision_photos_print ON openvision_photos (print)",
            // Photos to read. A row with an owner is claimed until its lease ends.
            """
            CREATE TABLE openvision_work (
              path bytea PRIMARY KEY, size bigint NOT NULL, modified bigint NOT NULL, found timestamptz NOT NULL,
              owner bigint, lease_end timestamptz)
            """,
            "CREATE INDEX openvision_work_owner ON openvision_work (owner) WHERE owner IS NOT NULL",
            "CREATE SEQUENCE openvision_owners MAXVALUE 2147483647 CYCLE",
        ]
    }

    package var photoCount: Int { get throws { try connection.number("SELECT count(*) FROM openvision_photos") } }

    // MARK: Locks

    /// What a transaction locks, for this index alone.
    enum LockedPart: Int64 {
        /// Making the tables.
        case tables = 1
        /// Comparing the index with a folder.
        case comparison = 2
        /// Held by everybody who adds to the index, so that nobody removes prints that are in use.
        case indexing = 3
    }

    /// Locks a part until the transaction ends.
    func lock(_ part: LockedPart) throws {
        try connection.run("SELECT pg_advisory_xact_lock(\(Self.lockKey))", [.integer(part.rawValue)])
    }

    /// Distinguishes the index from others in the database.
    static let lockKey = "$1::int + \(PhotoIndex.applicationID), hashtext(current_schema())"

    // MARK: Reading prints

    func damaged(_ what: String) -> DatabaseError { connection.damaged(what) }

    /// Paths are used to open files, so none may lead out of the folder.
    func path(of value: PostgresValue) throws -> FilePath {
        guard case .bytes(let bytes) = value, FilePath(bytes: bytes).isInside else {
            throw damaged("the name of a photo")
        }
        return FilePath(bytes: bytes)
    }
}
