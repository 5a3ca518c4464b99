import Foundation
import VisionFiles

/// The database of a feature cache. One thread at a time may use it.
final class FeatureStore {
    /// The SQLite application id, "OVfc".
    private static let applicationID = 0x4F56_6663
    private static let formatVersion = 1
    /// The size above which the database is replaced.
    private static let sizeLimit = 4 << 30
    /// The number of rows at which they are written.
    private static let batchSize = 256
    /// The age at which rows are written, which limits what a killed process loses.
    private static let batchAge = Duration.seconds(1)

    private static let tables = [
        """
        CREATE TABLE contents (
          device INTEGER NOT NULL, node INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
          changed INTEGER NOT NULL, digest BLOB NOT NULL, checksum INTEGER NOT NULL,
          PRIMARY KEY (device, node)) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE sources (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE) STRICT",
        """
        CREATE TABLE features (
          source INTEGER NOT NULL REFERENCES sources (id), digest BLOB NOT NULL, variant TEXT NOT NULL,
          data BLOB NOT NULL, checksum INTEGER NOT NULL, UNIQUE (source, digest, variant)) STRICT
        """,
    ]

    private struct Key: Hashable {
        let content: ContentDigest
        let variant: String
    }

    /// An open database with its statements.
    private struct Connection {
        let database: Database
        let source: DatabaseValue
        let findContent: DatabaseStatement
        let findFeatures: DatabaseStatement
        let insertContent: DatabaseStatement
        let insertFeatures: DatabaseStatement

        init(_ database: Database, source identity: String) throws {
            self.database = database
            try database.run("INSERT OR IGNORE INTO sources (identity) VALUES (?)", [.text(identity)])
            source = .integer(
                Int64(try database.number("SELECT id FROM sources WHERE identity = ?", [.text(identity)])))
            findContent = try database.prepare(
                "SELECT size, modified, changed, digest, checksum FROM contents WHERE device = ? AND node = ?")
            findFeatures = try database.prepare(
                "SELECT data, checksum FROM features WHERE source = ? AND digest = ? AND variant = ?")
            insertContent = try database.prepare("INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?, ?, ?, ?)")
            insertFeatures = try database.prepare("INSERT OR REPLACE INTO features VALUES (?, ?, ?, ?, ?)")
        }
    }

    private let path: String
    private let source: String
    private var connection: Connection
    /// Whether damage was detected; the database is replaced by the next write.
    private var isDamaged = false
    private var newContents: [FileIdentity: ContentDigest] = [:]
    private var newFeatures: [Key: [UInt8]] = [:]
    private var lastWrite = ContinuousClock.now

    /// Opens or creates the database; nil if that fails.
    init?(path: String, source: String) {
        self.path = path
        self.source = source
        do {
            connection = try Self.open(path, source)
        } catch {
            // One that is busy, or that may not be written, is left alone.
            guard Self.isDamage(error), let connection = try? Self.openAnew(path, source) else { return nil }
            self.connection = connection
        }
    }

    private static func open(_ path: String, _ source: String) throws -> Connection {
        let database = try Database(path: path, access: .write)
        let version = try database.number("PRAGMA user_version")
        let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty {
            try database.transaction {
                // Another process may have been faster.
                guard try database.number("SELECT count(*) FROM sqlite_schema") == 0 else { return }
                for table in tables { try database.execute(table) }
                try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(formatVersion)")
            }
        } else if version != formatVersion {
            throw DatabaseError.damaged(path, "its format")
        }
        let size = try database.number("PRAGMA page_count") * database.number("PRAGMA page_size")
        guard size <= sizeLimit else { throw DatabaseError.damaged(path, "its size") }
        return try Connection(database, source: source)
    }

    private static func openAnew(_ path: String, _ source: String) throws -> Connection {
        // Only a file: a folder or pipe of that name is not ours.
        _ = try RegularFile(path: path)
        for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        return try open(path, source)
    }

    // MARK: Reading

    func content(of file: FileIdentity) -> ContentDigest? {
        if let digest = newContents[file] { return digest }
        guard
            let row = read({
                try connection.findContent.firstRow([
                    .integer(Int64(bitPattern: file.device)), .integer(Int64(bitPattern: file.node)),
                ])
            }),
            row[0] == .integer(file.size), row[1] == .integer(file.modified), row[2] == .integer(file.changed),
            case .bytes(let bytes) = row[3], let digest = ContentDigest(bytes: bytes),
            let checksum = Self.checksum(of: file, digest), row[4] == .integer(checksum)
        else { return nil }
        return digest
    }

    func features(of content: ContentDigest, variant: String) -> [UInt8]? {
        if let data = newFeatures[Key(content: content, variant: variant)] { return data }
        guard
            let row = read({
                try connection.findFeatures.firstRow([connection.source, .bytes(content.bytes), .text(variant)])
            }),
            case .bytes(let data) = row[0], let checksum = Self.checksum(of: content, variant, data),
            row[1] == .integer(checksum)
        else { return nil }
        return data
    }

    /// The row that a statement gives; nil without one, or where reading fails.
    private func read(_ body: () throws -> [DatabaseValue]?) -> [DatabaseValue]? {
        guard !isDamaged else { return nil }
        do {
            return try body()
        } catch {
            note(error)
            return nil
        }
    }

    private func note(_ error: any Error) {
        if Self.isDamage(error) { isDamaged = true }
    }

    /// Whether an error says that the file is of no use, whoever reads it.
    private static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.damaged, .notADatabase, .foreign, .newer].contains(error.kind)
    }

    private static func checksum(of file: FileIdentity, _ digest: ContentDigest) -> Int64? {
        let words = [
            file.device, file.node, UInt64(bitPattern: file.size), UInt64(bitPattern: file.modified),
            UInt64(bitPattern: file.changed),
        ]
        return checksum(
            of: words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } } + digest.bytes)
    }

    private static func checksum(of content: ContentDigest, _ variant: String, _ data: [UInt8]) -> Int64? {
        checksum(of: content.bytes + Array(variant.utf8) + data)
    }

    private static func checksum(of bytes: [UInt8]) -> Int64? {
        (try? ContentDigest(of: bytes)).map { Int64(bitPattern: $0.word) }
    }

    // MARK: Writing

    func add(_ file: FileIdentity, content: ContentDigest) {
        newContents[file] = content
        flushIfDue()
    }

    func add(_ data: [UInt8], of content: ContentDigest, variant: String) {
        newFeatures[Key(content: content, variant: variant)] = data
        flushIfDue()
    }

    private func flushIfDue() {
        let count = newContents.count + newFeatures.count
        if count >= Self.batchSize || .now - lastWrite >= Self.batchAge { flush() }
    }

    /// Writes new rows. Rows that cannot be written are dropped, and computed again later.
    func flush() {
        lastWrite = .now
        guard !newContents.isEmpty || !newFeatures.isEmpty else { return }
        defer {
            newContents.removeAll(keepingCapacity: true)
            newFeatures.removeAll(keepingCapacity: true)
        }
        do {
            if isDamaged { try beginAnew() }
            try write()
        } catch {
            note(error)
            // Damage that shows only now: all of it goes to a new database.
            if isDamaged { try? rewrite() }
        }
    }

    private func rewrite() throws {
        try beginAnew()
        try write()
    }

    private func beginAnew() throws {
        connection = try Self.openAnew(path, source)
        isDamaged = false
    }

    private func write() throws {
        try connection.database.transaction {
            for (file, digest) in newContents {
                guard let checksum = Self.checksum(of: file, digest) else { continue }
                try connection.insertContent.run(
                    [
                        Int64(bitPattern: file.device), Int64(bitPattern: file.node), file.size, file.modified,
                        file.changed,
                    ]
                    .map { .integer($0) } + [.bytes(digest.bytes), .integer(checksum)])
            }
            for (key, data) in newFeatures {
                guard let checksum = Self.checksum(of: key.content, key.variant, data) else { continue }
                try connection.insertFeatures.run([
                    connection.source, .bytes(key.content.bytes), .text(key.variant), .bytes(data), .integer(checksum),
                ])
            }
        }
    }
}
