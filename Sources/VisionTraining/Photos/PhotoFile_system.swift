import Foundation
import VisionImage

/// What a file is known by without being read: another content has another stamp.
struct PhotoStamp: Hashable, Sendable {
    /// Device, node, size, and the times of the last changes of the content and of the file's entry, in nanoseconds.
    let words: [UInt64]
    let size: Int
    /// When the file was last changed, in seconds since 1970.
    let changed: Double

    fileprivate init(_ status: stat) {
        func nanoseconds(_ time: timespec) -> UInt64 {
            UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(bitPattern: Int64(time.tv_nsec))
        }
        size = Int(status.st_size)
        words = [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
        ]
        changed =
            max(
                Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9,
                Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) * 1e-9)
    }
}

/// Reading photos as they lie on the disk.
enum PhotoFile {
    /// Bytes that a file may have. Several are in memory at once, and no photo is as large.
    static let sizeLimit = 512 << 20

    struct Failure: Error, Equatable {
        let reason: String

        init(_ reason: String) { self.reason = reason }

        fileprivate static var system: Failure { Failure(String(cString: strerror(errno))) }
    }

    /// The stamp of a file that is there and can be a photo.
    static func stamp(of path: String) throws(Failure) -> PhotoStamp {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("is not a regular file") }
        return PhotoStamp(status)
    }

    /// The whole file, and its stamp from before the first byte was read: a file that changes meanwhile has another one the
    /// next time. Not mapped: a file that shrinks under a map would end the process.
    static func read(_ path: String) throws(Failure) -> (data: Data, stamp: PhotoStamp) {
        // A pipe with the name of a photo must not be waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .system }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("is not a regular file") }
        let size = Int(status.st_size)
        guard size <= sizeLimit else {
            throw Failure("has \(size >> 20) MiB, more than the limit of \(sizeLimit >> 20)")
        }
        guard size > 0 else { throw Failure("is empty") }
        var data = Data(count: size)
        var count = 0
        while count < size {
            let start = count
            let got = data.withUnsafeMutableBytes { bytes in
                Foundation.read(
                    file, UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).baseAddress, size - start)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .system }
            guard got > 0 else { break }
            count += got
        }
        return (count == size ? data : data.prefix(count), PhotoStamp(status))
    }
}
