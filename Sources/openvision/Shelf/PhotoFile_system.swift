import Foundation
import VisionImage
import VisionFiles

/// Reading photos as they lie on the disk.
enum PhotoFile {
    /// Bytes that a file may have. Several are in memory at once, and no photo is as large.
    static let sizeLimit = 512 << 20

    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The whole file, and its stamp from before the first byte was read: a file that changes meanwhile differs from it
    /// the next time.
    ///
    /// The file is not mapped: one that shrinks under a map would end the process.
    static func read(_ path: FilePath) throws -> (data: Data, stamp: FileStamp) {
        do {
            let file = try RegularFile(systemPath: path.system)
            guard file.size <= sizeLimit else {
                throw Failure(
                    description: "has \(file.size >> 20) MiB, more than the limit of \(sizeLimit >> 20)")
            }
            return (try file.contents(), FileStamp(file.identity))
        } catch let error as RegularFileError {
            throw Failure(description: error.reason)
        }
    }
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
