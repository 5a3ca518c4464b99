import Foundation

/// Files that are whole or not there, whatever happens to the machine in between.
enum DurableFiles {
    /// Writes a new file and waits until it is on the disk.
    ///
    /// - Throws: `ModelStoreError.io` when there is a file of that name, or it cannot be written.
    static func write(_ bytes: [UInt8], to url: URL) throws {
        let file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure(url) }
        var written = 0
        var isGood = true
        bytes.withUnsafeBytes { bytes in
            while isGood, written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = Foundation.write(file, rest.baseAddress, rest.count)
                if count > 0 { written += count } else { isGood = count < 0 && errno == EINTR }
            }
        }
        // What the first failure was would be lost in the calls that follow.
        let error = isGood && fsync(file) == 0 ? nil : failure(url)
        guard close(file) == 0, error == nil else { throw error ?? failure(url) }
    }

    /// Waits until the names in a folder are on the disk.
    static func synchronise(folder: URL) throws {
        let file = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure(folder) }
        defer { close(file) }
        // Some file systems cannot do this for folders; theirs is no weaker promise than before.
        guard fsync(file) == 0 || errno == EINVAL else { throw failure(folder) }
    }

    /// Gives a file or folder another name; a file in the way is replaced, an empty folder too.
    static func rename(_ from: URL, to: URL) throws {
        guard Foundation.rename(from.path, to.path) == 0 else { throw failure(to) }
    }

    static func failure(_ url: URL) -> ModelStoreError {
        .io(path: url.path, reason: String(cString: strerror(errno)))
    }
}
