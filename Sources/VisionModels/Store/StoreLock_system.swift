package import Foundation

/// An exclusive lock of a store for changes; it ends with the process.
package final class StoreLock: Sendable {
    private let file: Int32

    /// - Returns: nil when another process holds it.
    /// - Throws: `ModelStoreError.io` when the folder cannot be made or written.
    package init?(folder: URL) throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw ModelStoreError.io(path: folder.path, reason: "cannot be created")
        }
        let url = folder.appendingPathComponent(".lock")
        // Closed in children: one that outlives this process must not keep the lock.
        let file = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard file >= 0 else { throw DurableFiles.failure(url) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw ModelStoreError.io(path: url.path, reason: "is not a regular file")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error = DurableFiles.failure(url)
            close(file)
            if isTaken { return nil }
            throw error
        }
        self.file = file
    }

    deinit { close(file) }
}
