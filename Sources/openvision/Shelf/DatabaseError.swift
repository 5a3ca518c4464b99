/// What is wrong with a database file, with its path in front of the reason.
struct DatabaseError: Error, Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        /// The file cannot be opened, read or written.
        case io
        /// The file is no database.
        case notADatabase
        /// A database, but of another program.
        case foreign
        /// Of a version of this program that is yet to come.
        case newer
        /// Its pages or its contents make no sense.
        case damaged
        /// Another program is at work on it.
        case busy
        /// What was asked for does not go with what it holds.
        case mismatch
        case full
        case outOfMemory
    }

    let kind: Kind
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }

    static func damaged(_ path: String, _ what: String) -> DatabaseError {
        DatabaseError(
            kind: .damaged, path: path,
            reason: "the database is damaged (\(what)); remove the file and index the folder anew")
    }
}
