package import Foundation

/// A folder that goes with the test.
package final class Scratch {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("openvision-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    @discardableResult
    package func write(_ data: Data, _ name: String) throws -> String {
        try data.write(to: url.appendingPathComponent(name))
        return path(name)
    }
}
