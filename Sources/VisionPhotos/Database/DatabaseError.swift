/// What is wrong with a database file, with its path in front of the reason.
package struct DatabaseError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Equatable {
        /// The file cannot be opened, read or written.
        case io
        /// The file is not a database.
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

    package let kind: Kind
    package let path: String
    package let reason: String

    package init(kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }

    package static func damaged(_ path: String, _ what: String) -> DatabaseError {
        DatabaseError(
            kind: .damaged, path: path,
            reason: "the database is damaged (\(what)); remove the file and index the folder anew")
    }
}
