import Foundation

/// Reading photos as they lie on the disk.
enum PhotoFile {
    /// Bytes that a file may have. Several are in memory at once, and no photo is as large.
    static let sizeLimit: Int64 = 512 << 20

    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The whole file, and its stamp from before the first byte was read: a file that changes meanwhile differs from it
    /// the next time.
    ///
    /// The file is not mapped: one that shrinks under a map would end the process.
    static func read(_ path: FilePath) throws -> (data: Data, stamp: FileStamp) {
        // A pipe with the name of a photo must not be waited for.
        let file = open(path.system, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "is not a regular file") }
        let size = Int64(status.st_size)
        guard size <= sizeLimit else {
            throw Failure(description: "has \(size >> 20) MiB, more than the limit of \(sizeLimit >> 20)")
        }
        var data = Data(count: Int(size))
        var count = 0
        while count < data.count {
            let start = count
            let got = data.withUnsafeMutableBytes { bytes in
                Foundation.read(
                    file, UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).baseAddress, bytes.count - start)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure() }
            guard got > 0 else { break }
            count += got
        }
        return (count == data.count ? data : data.prefix(count), FileStamp(status))
    }

    private static func failure() -> Failure { Failure(description: String(cString: strerror(errno))) }
}

extension FilePath {
    /// Whether both are names of one file that is there.
    func isSameFile(as other: FilePath) -> Bool {
        var (left, right) = (stat(), stat())
        guard stat(system, &left) == 0, stat(other.system, &right) == 0 else { return false }
        return left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }

    /// The whole path, without links; nil when there is nothing of that name.
    var resolved: FilePath? {
        guard let path = realpath(system, nil) else { return nil }
        defer { free(path) }
        return FilePath(bytes: UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    }
}
