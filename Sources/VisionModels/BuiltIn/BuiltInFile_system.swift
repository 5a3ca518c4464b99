import CVisionNetworks
import Foundation

/// The files that are built into the library: networks and tables.
enum BuiltInFile {
    /// The names of all files.
    static let names: [String] = (0..<cvn_file_count()).map { String(cString: cvn_file_at($0).name) }

    /// Returns the bytes of a file, which lie in the program's own image and are not copied; nil without a file of that
    /// name.
    static func data(named name: String) -> Data? {
        guard let number = names.firstIndex(of: name) else { return nil }
        let file = cvn_file_at(number)
        guard let bytes = file.bytes else { return nil }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: UnsafeRawPointer(bytes)), count: file.count,
            deallocator: .none)
    }
}
