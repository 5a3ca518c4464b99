package import Foundation

/// The folders that are searched for models.
package struct ModelLocations: Hashable, Sendable {
    /// The folder in which models are installed; searched first.
    package let writable: URL
    /// Folders of the system, searched after it.
    package let readOnly: [URL]

    package var all: [URL] { [writable] + readOnly }

    package init(writable: URL, readOnly: [URL] = []) {
        self.writable = writable
        self.readOnly = readOnly
    }

    /// `$OPENVISION_MODELS` and nothing else; without it the user's cache folder, then the folders of the system.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let folder = environment["OPENVISION_MODELS"], !folder.isEmpty {
            self.init(writable: URL(fileURLWithPath: folder, isDirectory: true))
            return
        }
        let cache: URL
        // The XDG rules: a relative path in the variable is to be ignored.
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
            cache = URL(fileURLWithPath: folder, isDirectory: true)
        } else {
            let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
            cache = URL(fileURLWithPath: home, isDirectory: true).appendingPathComponent(".cache", isDirectory: true)
        }
        self.init(
            writable: cache.appendingPathComponent("openvision/models", isDirectory: true),
            readOnly: ["/usr/local/share/openvision/models", "/usr/share/openvision/models"].map {
                URL(fileURLWithPath: $0, isDirectory: true)
            })
    }
}
