import Foundation
import VisionFiles

/// The feature prints of the photos of a folder, in a database.
///
/// Prints are stored by the contents of photos, not by their names: copies share one, and moved photos keep theirs.
package final class PhotoIndex {
    /// The SQLite application id, "OVpx".
    package static let applicationID = 0x4F56_7078
    /// Of the layout below. A layout that this program cannot read has a higher one.
    ///
    /// Version 1 had no checksums, and the digests and checksums of version 2 were of another kind: both are still
    /// searched, and `index` turns them into this one. Digests of photos that are not read again stay as they are;
    /// their length tells.
    package static let formatVersion = 3

    /// The properties that all prints of an index share.
    package struct Kind: Equatable, Sendable {
        /// The revision of the request that made them.
        package var revision: Int
        /// `VNElementType` of the elements.
        package var elementType: Int
        /// The number of elements of a print.
        package var count: Int
        /// The size of a print in bytes.
        package var byteCount: Int
    }

    /// How the prints of a format show that they are as they were written.
    package enum PrintCheck: Sendable {
        case none
        /// By the checksums of version 2.
        case earlier
        case sha256
    }

    package let path: String
    package let database: Database
    let check: PrintCheck
    /// The approximate index as it was last opened.
    var clusters: Clusters?
    /// Whether some prints are filed under digests of format 2.
    package private(set) var mayHaveEarlierDigests = false

    package static let tables = [
        """
        CREATE TABLE collection (
          id INTEGER PRIMARY KEY CHECK (id = 1), folder BLOB NOT NULL, revision INTEGER NOT NULL,
          element_type INTEGER NOT NULL, element_count INTEGER NOT NULL, byte_count INTEGER NOT NULL) STRICT
        """,
        // To the letter what SQLite makes of version 1 by adding the column.
        "CREATE TABLE prints (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, data BLOB NOT NULL, "
            + "\(checksumColumn)) STRICT",
        """
        CREATE TABLE photos (
          path BLOB NOT NULL PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, node INTEGER NOT NULL,
          print INTEGER NOT NULL REFERENCES prints (id)) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX photos_print ON photos (print)",
    ]
    private static let checksumColumn = "checksum INTEGER NOT NULL DEFAULT 0"
    /// The layout of version 1.
    package static let tablesWithoutChecksums = tables.map { $0.replacing(", " + checksumColumn, with: "") }

    /// Opens an index for searching.
    ///
    /// - Throws: `DatabaseError` when the file is missing, not an index, newer or damaged.
    package init(reading path: String) throws {
        self.path = path
        database = try Database(path: path, access: .read)
        guard let version = try Self.version(of: database) else {
            throw DatabaseError(
                kind: .foreign, path: path, reason: "is empty; 'openvision index FOLDER --db \(path)' fills it")
        }
        check = Self.check(ofVersion: version)
    }

    /// Opens an index for writing; a missing or empty file becomes one.
    package init(writing path: String) throws {
        self.path = path
        database = try Database(path: path, access: .write)
        check = .sha256
        let version = try Self.version(of: database)
        if version != Self.formatVersion {
            try database.transaction {
                switch version {
                case nil: for table in Self.tables { try database.execute(table) }
                case 1:
                    try database.execute("ALTER TABLE prints ADD COLUMN \(Self.checksumColumn)")
                    try renewChecksums(from: .none)
                default: try renewChecksums(from: .earlier)
                }
                try database.execute(
                    "PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(Self.formatVersion)")
            }
        }
        mayHaveEarlierDigests =
            try database.number(
                "SELECT EXISTS (SELECT 1 FROM prints WHERE length(digest) = \(EarlierDigest.byteCount))") == 1
    }

    private static func check(ofVersion version: Int) -> PrintCheck {
        switch version {
        case 1: .none
        case 2: .earlier
        default: .sha256
        }
    }

    /// The version of an index; nil when the file holds nothing at all.
    ///
    /// - Throws: `DatabaseError` when it holds something else.
    private static func version(of database: Database) throws -> Int? {
        let path = database.path
        var found: [String] = []
        try database.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").rows {
            guard case .text(let sql)? = $0.first else { throw DatabaseError.damaged(path, "its schema") }
            found.append(sql)
        }
        let identifier = try database.number("PRAGMA application_id")
        if found.isEmpty, identifier == 0 { return nil }
        guard identifier == applicationID else {
            throw DatabaseError(kind: .foreign, path: path, reason: "is the database of another program")
        }
        let version = try database.number("PRAGMA user_version")
        guard version <= formatVersion else {
            throw DatabaseError(
                kind: .newer, path: path,
                reason: "was made by a newer version of openvision (format \(version); this one knows "
                    + "\(formatVersion))")
        }
        // Compared exactly: this program creates no other columns, views or triggers.
        guard version >= 1, found == (version == 1 ? tablesWithoutChecksums : tables) else {
            throw DatabaseError.damaged(path, "its tables are not those of an index")
        }
        return version
    }

    // MARK: What it is an index of

    package struct Collection: Equatable {
        package var folder: FilePath
        package var kind: Kind
    }

    /// The folder and the kind of prints; nil before the first photo.
    package func collection() throws -> Collection? {
        let row = try database.prepare(
            "SELECT folder, revision, element_type, element_count, byte_count FROM collection"
        ).firstRow()
        guard let row else { return nil }
        guard case .bytes(let folder) = row[0], folder.first == UInt8(ascii: "/"), !folder.contains(0),
            folder.count < 1 << 16
        else { throw DatabaseError.damaged(path, "its folder") }
        let numbers = row[1...].map { value -> Int in
            guard case .integer(let number) = value else { return -1 }
            return Int(clamping: number)
        }
        guard numbers.allSatisfy({ (1...Database.valueLimit).contains($0) }) else {
            throw DatabaseError.damaged(path, "its kind of prints")
        }
        return Collection(
            folder: FilePath(bytes: folder),
            kind: Kind(
                revision: numbers[0], elementType: numbers[1], count: numbers[2], byteCount: numbers[3]))
    }

    /// Sets the folder and the kind of prints, before the first photo or when the folder was moved.
    package func setCollection(_ collection: Collection) throws {
        let kind = collection.kind
        try database.run(
            "INSERT OR REPLACE INTO collection VALUES (1, ?, ?, ?, ?, ?)",
            [.bytes(collection.folder.bytes)]
                + [kind.revision, kind.elementType, kind.count, kind.byteCount].map { .integer(Int64($0)) })
    }

    package var photoCount: Int { get throws { try database.number("SELECT count(*) FROM photos") } }

    // MARK: Reading prints

    /// Returns the bytes of a print; nil when they are damaged.
    ///
    /// - Parameters:
    ///   - row: Number, digest, bytes and checksum.
    ///   - kind: Of the prints.
    ///   - check: How that is known.
    package static func data(of row: [DatabaseValue], _ kind: Kind, _ check: PrintCheck) -> [UInt8]? {
        guard case .bytes(let digest) = row[1],
            [ContentDigest.byteCount, EarlierDigest.byteCount].contains(digest.count),
            case .bytes(let data) = row[2], data.count == kind.byteCount
        else { return nil }
        switch check {
        case .none: return data
        case .earlier:
            let checksum = EarlierDigest.bytes(of: Data(digest + data)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
            return row[3] == .integer(checksum) ? data : nil
        case .sha256:
            guard let checksum = try? checksum(digest: digest, data) else { return nil }
            return row[3] == .integer(checksum) ? data : nil
        }
    }

    /// Returns the checksum of a print: of its bytes and of the digest of its contents.
    package static func checksum(digest: [UInt8], _ data: [UInt8]) throws -> Int64 {
        Int64(bitPattern: try ContentDigest(of: digest + data).word)
    }

    /// Returns the error for a damaged print, with the name of a photo and the remedy.
    package func damagedPrint(_ id: Int64) -> DatabaseError {
        let name = (try? photos(ofPrint: id, limit: 1).first).map { " of \($0.printable)" } ?? ""
        let folder = (try? collection()?.folder.printable) ?? "FOLDER"
        return DatabaseError(
            kind: .damaged, path: path,
            reason:
                "the print\(name) is damaged; 'openvision index \(folder) --db \(path)' computes damaged prints again")
    }

    /// The photos that have a print, from the folder on, in the order of their names; none for a print of photos that
    /// are gone.
    package func photos(ofPrint id: Int64, limit: Int) throws -> [FilePath] {
        var paths: [FilePath] = []
        try database.prepare("SELECT path FROM photos WHERE print = ? ORDER BY path LIMIT ?")
            .rows([.integer(id), .integer(Int64(limit))]) { paths.append(try path(of: $0)) }
        return paths
    }

    /// Paths are used to open files, so none may lead out of the folder.
    package func path(of row: [DatabaseValue]) throws -> FilePath {
        guard case .bytes(let bytes)? = row.first, FilePath(bytes: bytes).isInside else {
            throw DatabaseError.damaged(path, "the name of a photo")
        }
        return FilePath(bytes: bytes)
    }
}
