import Foundation

/// File operations that survive a crash: a file is complete or missing.
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
        // The calls that follow would overwrite errno.
        let error = isGood && fsync(file) == 0 ? nil : failure(url)
        guard close(file) == 0, error == nil else { throw error ?? failure(url) }
    }

    /// Opens a file for writing, empty, and locks it until it is closed.
    ///
    /// - Returns: nil when another process, or another part of this one, has it open in this way.
    static func openExclusively(_ url: URL) throws -> FileHandle? {
        let file = open(url.path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard file >= 0 else { throw failure(url) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw failure(url)
        }
        // Whoever had it locked may have renamed it before it was locked here.
        var (opened, named) = (stat(), stat())
        guard fstat(file, &opened) == 0, stat(url.path, &named) == 0, opened.st_ino == named.st_ino,
            opened.st_dev == named.st_dev
        else { return nil }
        guard opened.st_mode & S_IFMT == S_IFREG else {
            throw ModelStoreError.io(path: url.path, reason: "is not a regular file")
        }
        guard ftruncate(file, 0) == 0 else { throw failure(url) }
        return handle
    }

    /// Waits until the directory entries of a folder are on the disk.
    static func synchronise(folder: URL) throws {
        let file = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure(folder) }
        defer { close(file) }
        // Some file systems do not support this for folders.
        guard fsync(file) == 0 || errno == EINVAL else { throw failure(folder) }
    }

    /// Renames a file or folder; an existing file or empty folder of that name is replaced.
    static func rename(_ from: URL, to: URL) throws {
        guard Foundation.rename(from.path, to.path) == 0 else { throw failure(to) }
    }

    static func failure(_ url: URL) -> ModelStoreError {
        .io(path: url.path, reason: String(cString: strerror(errno)))
    }
}
