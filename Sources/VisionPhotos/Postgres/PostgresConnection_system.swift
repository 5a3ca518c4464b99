internal import CVisionPostgres

/// A connection to a database of PostgreSQL, by the system's libpq. One thread at a time may use it.
package final class PostgresConnection {
    /// Whether `--db` names a server, not a file.
    package static func isAddress(_ path: String) -> Bool {
        path.hasPrefix("postgresql://") || path.hasPrefix("postgres://")
    }

    /// The oldest server that is used: pgvector asks for it.
    private static let leastVersion = 130_000

    /// The address without password and parameters.
    package let path: String
    private let handle: OpaquePointer
    private var types = PostgresTypes()
    /// The state of SQL of the last error.
    private var state = ""

    /// - Throws: `DatabaseError`, whose description never has the password.
    package init(address: String) throws {
        var handle: OpaquePointer?
        var shown = [CChar](repeating: 0, count: Int(CVP_MESSAGE_SIZE))
        var message = shown
        let status = address.utf8.contains(0) ? CVP_BAD_ADDRESS : cvp_open(address, &handle, &shown, &message)
        path = Self.text(shown)
        guard status == CVP_OK, let handle else { throw Self.error(status, path, state: "", Self.text(message)) }
        self.handle = handle
        let version = Int(cvp_server_version(handle))
        guard version >= Self.leastVersion else {
            throw DatabaseError(
                kind: .unsupported, path: path,
                reason: "the server is PostgreSQL \(version / 10_000); \(Self.leastVersion / 10_000) or later is needed"
            )
        }
        try run("SET lock_timeout = '10min'")
    }

    deinit { cvp_close(handle) }

    /// Whether pgvector is installed, as found by `findVectorType`.
    var hasVectors: Bool { types.vector != nil }

    /// Looks up the type of vectors, without which they are neither sent nor read.
    func findVectorType() throws {
        let row = try rows("SELECT to_regtype('vector')::oid, to_regtype('vector[]')::oid").first
        guard case .integer(let vector)? = row?.first, case .integer(let vectors)? = row?.last else { return }
        types = PostgresTypes(vector: UInt32(clamping: vector), vectors: UInt32(clamping: vectors))
    }

    // MARK: Statements

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `$1`, `$2` … for the values.
    ///   - values: At most 16.
    /// - Returns: How many rows it changed.
    @discardableResult
    package func run(_ sql: String, _ values: [PostgresValue] = []) throws -> Int {
        let result = try result(of: sql, values)
        defer { cvp_free(result) }
        return Int(cvp_changes(result))
    }

    /// Runs one statement and returns its rows.
    package func rows(_ sql: String, _ values: [PostgresValue] = []) throws -> [[PostgresValue]] {
        let result = try result(of: sql, values)
        defer { cvp_free(result) }
        let columns = (0..<cvp_column_count(result)).map { (index: $0, type: cvp_column_type(result, $0)) }
        return try (0..<cvp_row_count(result)).map { row in
            try columns.map { column in
                var count: Int32 = 0
                guard let start = cvp_value_bytes(result, row, column.index, &count) else { return .null }
                let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
                guard let value = PostgresValue(bytes, type: column.type, types) else {
                    throw damaged("a value of another type")
                }
                return value
            }
        }
    }

    /// Returns the integer that a statement returns.
    package func number(_ sql: String, _ values: [PostgresValue] = []) throws -> Int {
        guard case .integer(let number)? = try rows(sql, values).first?.first else {
            throw damaged("a number is missing")
        }
        return Int(clamping: number)
    }

    /// Returns whether a statement returns true.
    package func isTrue(_ sql: String, _ values: [PostgresValue] = []) throws -> Bool {
        try rows(sql, values).first?.first == .boolean(true)
    }

    /// Runs `body` in a transaction, which is rolled back when `body` throws. Where other programs are in the way, it
    /// is run again.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        var tries = 0
        while true {
            try run("BEGIN")
            do {
                let result = try body()
                try run("COMMIT")
                return result
            } catch {
                let isConflict = Self.conflicts.contains(state)
                _ = try? run("ROLLBACK")
                tries += 1
                guard isConflict, tries < 5 else { throw error }
            }
        }
    }

    /// A transaction that is not as if it had run alone, and one that waits for another one that waits for it.
    private static let conflicts = ["40001", "40P01"]

    private func result(of sql: String, _ values: [PostgresValue]) throws -> OpaquePointer {
        // One more byte, so that an empty value has an address as well.
        var (data, parts): ([UInt8], [(start: Int, count: Int, type: UInt32)]) = ([0], [])
        for value in values {
            guard let type = value.type(types) else { throw Self.missingVectors(path) }
            let start = data.count
            value.append(to: &data, types)
            parts.append((start, data.count - start, type))
        }
        guard data.count < 1 << 30 else {
            throw DatabaseError(kind: .outOfMemory, path: path, reason: "a statement has too many values")
        }
        var result: OpaquePointer?
        var (state, message) = (
            [CChar](repeating: 0, count: Int(CVP_STATE_SIZE)), [CChar](repeating: 0, count: Int(CVP_MESSAGE_SIZE))
        )
        let status = data.withUnsafeBytes { bytes in
            let sent = zip(values, parts).map { value, part in
                cvp_value(
                    type: part.type, bytes: value == .null ? nil : bytes.baseAddress.map { $0 + part.start },
                    count: Int32(part.count))
            }
            return cvp_run(handle, sql, sent, Int32(sent.count), &result, &state, &message)
        }
        self.state = Self.text(state)
        guard status == CVP_OK, let result else {
            throw Self.error(status, path, state: self.state, Self.text(message))
        }
        return result
    }

    // MARK: Errors

    /// That the tables of an index do not have what they should.
    func damaged(_ what: String) -> DatabaseError {
        DatabaseError(
            kind: .damaged, path: path,
            reason: "the index is damaged (\(what)); drop its tables, whose names begin with openvision_, and index "
                + "the folder again")
    }

    static func missingVectors(_ path: String) -> DatabaseError {
        DatabaseError(
            kind: .unsupported, path: path,
            reason: "the server has no pgvector (Debian: apt-get install postgresql-17-pgvector on the server)")
    }

    private static func error(
        _ status: cvp_status, _ path: String, state: String, _ message: String
    ) -> DatabaseError {
        func make(_ kind: DatabaseError.Kind, _ reason: String) -> DatabaseError {
            DatabaseError(kind: kind, path: path, reason: reason)
        }
        switch status {
        case CVP_NO_LIBRARY:
            return make(.noLibrary, "databases of PostgreSQL need the system's libpq (Debian: apt-get install libpq5)")
        case CVP_BAD_ADDRESS:
            return make(
                .io,
                "the address is not valid; it is postgresql://USER@HOST:PORT/DATABASE, with special characters of a "
                    + "password percent-encoded")
        case CVP_UNREACHABLE: return make(.unreachable, "the server cannot be reached: \(message)")
        case CVP_REFUSED: return make(.refused, "the server refuses the connection: \(message)")
        case CVP_DISCONNECTED:
            return make(
                .disconnected, "the connection to the server broke; what is stored stays, run the command again")
        case CVP_NO_MEMORY: return make(.outOfMemory, "there is not enough memory")
        default: break
        }
        // Classes of the states are in appendix A of PostgreSQL's manual.
        switch state {
        case "42501": return make(.refused, "the user may not do this: \(message)")
        case "55P03", "40001", "40P01": return make(.busy, "other programs are using the database: \(message)")
        case "25006": return make(.refused, "the database cannot be written: \(message)")
        case "57P01", "57P02", "57P03":
            return make(.disconnected, "the server is being shut down; what is stored stays, run the command again")
        case "42P01", "42703", "42804", "42883":
            return make(.foreign, "its tables are not those of an index: \(message)")
        case _ where state.hasPrefix("53"): return make(.full, "the server has no space left: \(message)")
        default: return make(.io, "the database fails: \(message)")
        }
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
