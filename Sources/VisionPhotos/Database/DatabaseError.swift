import Foundation

/// An error of a database: a file, or one on a server. The description is the path, or the address without its
/// password, and the reason.
package struct DatabaseError: Error, Equatable, CustomStringConvertible, LocalizedError {
    package enum Kind: Equatable {
        /// The database cannot be opened, read or written.
        case io
        /// The file is not a database.
        case notADatabase
        /// The database belongs to another program.
        case foreign
        /// The database was written by a newer version.
        case newer
        /// The pages or contents are damaged.
        case damaged
        /// Another program uses the database.
        case busy
        /// The request does not match the contents of the database.
        case mismatch
        case full
        case outOfMemory
        /// The library that speaks to the server is not installed.
        case noLibrary
        /// No server answers.
        case unreachable
        /// The server refuses the user, the password, the database or what is asked for.
        case refused
        /// The server lacks something, or is too old.
        case unsupported
        /// The connection to the server broke.
        case disconnected
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
    package var errorDescription: String? { description }

    package static func damaged(_ path: String, _ what: String) -> DatabaseError {
        DatabaseError(
            kind: .damaged, path: path,
            reason: "the database is damaged (\(what)); remove the file and index the folder again")
    }
}
