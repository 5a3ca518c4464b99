import Foundation
import VisionImage
import VisionFiles

/// What a file is known by without being read: another content has another stamp.
struct PhotoStamp: Hashable, Sendable {
    /// Device, node, size, and the times of the last changes of the content and of the file's entry, in nanoseconds.
    let words: [UInt64]
    let size: Int
    /// When the file was last changed, in seconds since 1970.
    let changed: Double

    fileprivate init(_ file: FileIdentity) {
        size = Int(file.size)
        words = [
            file.device, file.node, UInt64(bitPattern: file.size), UInt64(bitPattern: file.modified),
            UInt64(bitPattern: file.changed),
        ]
        changed = Double(max(file.modified, file.changed)) * 1e-9
    }
}

/// Reading photos as they lie on the disk.
enum PhotoFile {
    /// Bytes that a file may have. Several are in memory at once, and no photo is as large.
    static let sizeLimit = 512 << 20

    struct Failure: Error, Equatable {
        let reason: String

        init(_ reason: String) { self.reason = reason }

        fileprivate init(_ error: RegularFileError) { reason = error.reason }
    }

    /// The stamp of a file that is there and can be a photo.
    static func stamp(of path: String) throws(Failure) -> PhotoStamp { PhotoStamp(try open(path).identity) }

    /// The whole file, and its stamp from before the first byte was read: a file that changes meanwhile has another one the
    /// next time. Not mapped: a file that shrinks under a map would end the process.
    static func read(_ path: String) throws(Failure) -> (data: Data, stamp: PhotoStamp) {
        let file = try open(path)
        guard file.size <= sizeLimit else {
            throw Failure("has \(file.size >> 20) MiB, more than the limit of \(sizeLimit >> 20)")
        }
        guard file.size > 0 else { throw Failure("is empty") }
        do {
            return (try file.contents(), PhotoStamp(file.identity))
        } catch {
            throw Failure(error)
        }
    }

    private static func open(_ path: String) throws(Failure) -> RegularFile {
        do {
            return try RegularFile(path: path)
        } catch {
            throw Failure(error)
        }
    }
}
