package import Foundation

/// A folder that is gone with the object.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("openvision-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file into the folder.
    @discardableResult
    package func write(_ data: Data, _ name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }

    @discardableResult
    package func write(_ text: String, _ name: String) throws -> URL { try write(Data(text.utf8), name) }
}
