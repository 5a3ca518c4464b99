internal import CSQLite
import Foundation
import VisionFiles

/// A value of a database.
package enum DatabaseValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// An open SQLite database. One thread at a time may use it and its statements.
package final class Database {
    package enum Access {
        /// Read only; the file must exist.
        case read
        /// Read and write; a missing file is created.
        case write
    }

    /// The maximum size of a value or row in bytes, because a damaged length must not allocate gigabytes.
    package static let valueLimit = 4 << 20
    /// The time to wait for another program that is writing, in milliseconds.
    private static let busyTimeout: Int32 = 10_000

    package let path: String
    fileprivate let handle: OpaquePointer

    /// Opens the file without validating it; damage is detected when it is read.
    ///
    /// - Throws: `DatabaseError` when the file does not exist, is not a database or cannot be opened.
    package init(path: String, access: Access) throws {
        try Self.checkHeader(path, access)
        var handle: OpaquePointer?
        let flags =
            // For reading as well: what a killed program left half-written has to be taken back first. A file that is
            // write-protected is opened for reading alone all the same.
            SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE
            | (access == .write ? SQLITE_OPEN_CREATE : 0)
        let status = sqlite3_open_v2(path, &handle, flags, nil)
        guard status == SQLITE_OK, let handle else {
            let error = Self.error(status, handle, path)
            // A failed open returns an object, too.
            sqlite3_close_v2(handle)
            throw error
        }
        self.path = path
        self.handle = handle
        sqlite3_busy_timeout(handle, Self.busyTimeout)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Self.valueLimit))
        _ = csqlite_set_defensive(handle)
        // The file may come from anywhere: its schema must not run functions, its pages are checked as they are read.
        try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
        if access == .read { try execute("PRAGMA query_only = ON") }
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements without result rows.
    package func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    package func prepare(_ sql: String) throws -> DatabaseStatement { try DatabaseStatement(sql, self) }

    /// Runs one statement with values for its parameters.
    package func run(_ sql: String, _ values: [DatabaseValue] = []) throws { try prepare(sql).run(values) }

    /// Returns the first value of the first row; nil without a row.
    package func value(_ sql: String, _ values: [DatabaseValue] = []) throws -> DatabaseValue? {
        try prepare(sql).firstRow(values)?.first
    }

    /// Returns the integer result of a statement.
    package func number(_ sql: String, _ values: [DatabaseValue] = []) throws -> Int {
        guard case .integer(let number) = try value(sql, values), let number = Int(exactly: number) else {
            throw DatabaseError.damaged(path, "a number is missing")
        }
        return number
    }

    /// Runs `body` in a transaction, which is rolled back when `body` throws.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some errors roll back automatically.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// The number of rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    fileprivate func check(_ status: Int32) throws {
        guard status != SQLITE_OK else { return }
        throw Self.error(status, handle, path)
    }

    /// SQLite takes a file that is too short for a header as an empty database; a text file of ten letters is none.
    private static func checkHeader(_ path: String, _ access: Access) throws {
        func failure(_ reason: String) -> DatabaseError { DatabaseError(kind: .io, path: path, reason: reason) }
        func open(_ name: String) throws -> RegularFile? {
            do {
                return try RegularFile(path: name)
            } catch  where error.kind == .missing {
                return nil
            } catch {
                throw failure("\(name == path ? "" : name + " ")\(error.reason)")
            }
        }
        // The files that SQLite opens beside the database: it would wait forever for a pipe of such a name.
        for suffix in ["-journal", "-wal", "-shm"] { _ = try open(path + suffix) }
        guard let file = try open(path) else {
            if access == .write { return }
            throw failure("no such file")
        }
        var start = [UInt8](repeating: 0, count: 16)
        let count = try start.withUnsafeMutableBytes { try file.read(into: $0) }
        guard count == 0 || start == Array("SQLite format 3\0".utf8) else { throw notADatabase(path) }
    }

    private static func notADatabase(_ path: String) -> DatabaseError {
        DatabaseError(
            kind: .notADatabase, path: path,
            reason:
                "is not an OpenVision database; use one that 'openvision index' wrote, or a file that does not exist "
                + "yet"
        )
    }

    private static func error(_ status: Int32, _ handle: OpaquePointer?, _ path: String) -> DatabaseError {
        let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
        func make(_ kind: DatabaseError.Kind, _ reason: String) -> DatabaseError {
            DatabaseError(kind: kind, path: path, reason: reason)
        }
        switch status & 0xFF {
        case SQLITE_NOTADB: return notADatabase(path)
        case SQLITE_CORRUPT, SQLITE_MISMATCH, SQLITE_FORMAT, SQLITE_TOOBIG: return .damaged(path, text)
        case SQLITE_BUSY, SQLITE_LOCKED: return make(.busy, "another program is writing to the database")
        case SQLITE_FULL: return make(.full, "the disk is full")
        case SQLITE_NOMEM: return make(.outOfMemory, "there is not enough memory")
        case SQLITE_CANTOPEN: return make(.io, "cannot be opened")
        case SQLITE_READONLY, SQLITE_PERM: return make(.io, "cannot be written")
        default: return make(.io, "the database fails: \(text)")
        }
    }
}

/// A prepared statement.
package final class DatabaseStatement {
    private let database: Database
    private let handle: OpaquePointer

    fileprivate init(_ sql: String, _ database: Database) throws {
        var handle: OpaquePointer?
        try database.check(
            sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil))
        guard let handle else { preconditionFailure("an empty statement") }
        self.database = database
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement to its end.
    package func run(_ values: [DatabaseValue] = []) throws { try rows(values) { _ in } }

    /// Returns the first row; nil without any.
    package func firstRow(_ values: [DatabaseValue] = []) throws -> [DatabaseValue]? {
        var first: [DatabaseValue]?
        try rows(values, while: { first == nil }) { first = $0 }
        return first
    }

    /// Calls `body` with the values of each row.
    ///
    /// - Parameter goesOn: Called before each row; false ends the statement.
    package func rows(
        _ values: [DatabaseValue] = [], while goesOn: () -> Bool = { true }, _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        precondition(sqlite3_bind_parameter_count(handle) == Int32(values.count), "a value for each parameter")
        for (index, value) in values.enumerated() { try database.check(bind(value, Int32(index + 1))) }
        while goesOn() {
            let status = sqlite3_step(handle)
            guard status == SQLITE_ROW else {
                guard status == SQLITE_DONE else { return try database.check(status) }
                return
            }
            try body((0..<sqlite3_column_count(handle)).map(column))
        }
    }

    private func bind(_ value: DatabaseValue, _ index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(let text):
            let bytes = Array(text.utf8)
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return bytes.withUnsafeBytes { bytes in
                csqlite_bind_text(handle, index, bytes.bindMemory(to: CChar.self).baseAddress, count)
            }
        case .bytes(let bytes):
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return bytes.withUnsafeBytes { csqlite_bind_bytes(handle, index, $0.baseAddress, count) }
        }
    }

    private func column(_ index: Int32) -> DatabaseValue {
        func bytes() -> [UInt8] {
            // The address first: asking for it can convert the value and change its length.
            let start = sqlite3_column_blob(handle, index)
            let count = Int(sqlite3_column_bytes(handle, index))
            guard let start, count > 0 else { return [] }
            return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        }
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_TEXT: return .text(String(decoding: bytes(), as: UTF8.self))
        case SQLITE_BLOB: return .bytes(bytes())
        // This program never writes fractions.
        default: return .null
        }
    }
}
