package import Foundation

/// A regular file, open for reading.
///
/// All paths from users and folders are opened with this type, because it refuses named pipes, sockets, devices and
/// folders before anything blocks on them.
package final class RegularFile: Sendable {
    private let descriptor: Int32
    private let path: String
    /// The identity of the file when it was opened. If the file changes while it is read, its identity changes.
    package let identity: FileIdentity

    package var size: Int { Int(identity.size) }

    /// Opens a file; symbolic links are followed.
    ///
    /// - Throws: `RegularFileError` if the file does not exist, is not a regular file or cannot be opened.
    package convenience init(_ url: URL) throws(RegularFileError) {
        guard url.isFileURL else {
            throw RegularFileError(.system, path: url.absoluteString, reason: "is not a file URL")
        }
        try self.init(path: url.path)
    }

    /// Opens a file; symbolic links are followed. See `init(_:)`.
    package convenience init(path: String) throws(RegularFileError) {
        guard !path.utf8.contains(0) else {
            throw RegularFileError(.missing, path: path, reason: "is not a path: it contains a zero byte")
        }
        try self.init(systemPath: path.utf8.map { CChar(bitPattern: $0) } + [0])
    }

    /// Opens a file whose path need not be UTF-8.
    ///
    /// - Parameter systemPath: The bytes of the path, with a terminating zero.
    package init(systemPath: [CChar]) throws(RegularFileError) {
        path = String(decoding: systemPath.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard systemPath.first != 0 else {
            throw RegularFileError(.missing, path: path, reason: "the name of a file must not be empty")
        }
        var status = stat()
        guard stat(systemPath, &status) == 0 else { throw RegularFileError(errno: errno, path: path) }
        // Checked before opening, because opening can have side effects (tapes rewind) and the error of sockets is
        // unspecific.
        try Self.check(status, path)
        let descriptor = open(systemPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw RegularFileError(errno: errno, path: path) }
        // Checked again, because the file may have been replaced in between.
        guard fstat(descriptor, &status) == 0 else {
            let error = RegularFileError(errno: errno, path: path)
            close(descriptor)
            throw error
        }
        do {
            try Self.check(status, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        identity = FileIdentity(status)
    }

    deinit { close(descriptor) }

    private static func check(_ status: stat, _ path: String) throws(RegularFileError) {
        let kind: String
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: kind = "a folder"
        case S_IFIFO: kind = "a named pipe"
        case S_IFSOCK: kind = "a socket"
        case S_IFCHR, S_IFBLK: kind = "a device"
        default: kind = "something else"
        }
        throw RegularFileError(.notRegular, path: path, reason: "is not a regular file but \(kind)")
    }

    /// Reads from the current position.
    ///
    /// - Returns: The number of bytes read: less than the size of the buffer only at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(RegularFileError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let got = Foundation.read(descriptor, rest.baseAddress, rest.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw RegularFileError(errno: errno, path: path) }
            guard got > 0 else { break }
            count += got
        }
        return count
    }

    /// Reads from an offset, wherever the current position is, which stays. Several threads may do so at once.
    ///
    /// - Returns: The number of bytes read: less than the size of the buffer only at the end of the file.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(RegularFileError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw RegularFileError(errno: errno, path: path) }
            guard got > 0 else { break }
            count += got
        }
        return count
    }

    /// Reads the rest of the file, up to its size when it was opened. A file that was truncated since then
    /// yields fewer bytes.
    ///
    /// - Parameter limit: The largest allowed size of the file in bytes.
    package func contents(limit: Int = .max) throws(RegularFileError) -> Data {
        guard size <= limit else {
            throw RegularFileError(
                .tooLarge, path: path, reason: "has \(size) bytes, more than the limit of \(limit)")
        }
        var data = Data(count: size)
        // Typed errors do not pass through the closures of Foundation.
        let result = data.withUnsafeMutableBytes { buffer in
            Result { () throws(RegularFileError) in try read(into: buffer) }
        }
        let count = try result.get()
        return count == data.count ? data : data.prefix(count)
    }
}

/// The reason why a file cannot be read.
package struct RegularFileError: Error, Equatable, CustomStringConvertible, Sendable {
    package enum Kind: Sendable {
        /// The file does not exist.
        case missing
        /// A folder, a named pipe, a socket or a device.
        case notRegular
        case tooLarge
        /// The system refuses access: permissions, a loop of links, an I/O error.
        case system
    }

    package let kind: Kind
    package let path: String
    /// The predicate of a sentence whose subject is the path, or "the file".
    package let reason: String

    package init(_ kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    init(errno number: Int32, path: String) {
        self.init(
            number == ENOENT ? .missing : .system, path: path,
            reason: number == ENOENT ? "does not exist" : "cannot be read: \(String(cString: strerror(number)))")
    }

    package var description: String { "\(path) \(reason)" }
}

/// Identifies the version of a file without reading it: a change of the contents changes a time stamp.
package struct FileIdentity: Hashable, Codable, Sendable {
    package let device: UInt64
    /// The file's inode number, which stays when the file is renamed.
    package let node: UInt64
    package let size: Int64
    /// When the contents were last changed, in nanoseconds since 1970.
    package let modified: Int64
    /// When the contents or the file's inode were last changed. Unlike `modified` it cannot be set.
    package let changed: Int64

    /// The identity of the file at a path; nil where the system knows none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
    }
}
