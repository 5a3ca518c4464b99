package import Foundation
package import VisionFiles

/// Reads photo files.
package enum PhotoFile {
    /// The extensions of image files, in lower case.
    package static let extensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "tif", "tiff", "heic", "heif", "avif", "gif",
        // RAW files of cameras: their previews are read.
        "dng", "cr2", "cr3", "nef", "nrw", "arw", "raf", "rw2", "orf", "pef", "srw",
    ]

    /// The maximum size of a file in bytes. Several files are in memory at once.
    package static let sizeLimit = 512 << 20

    /// Why a file is not read: the predicate of a sentence whose subject is the file.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Reads the whole file.
    ///
    /// The file is not mapped: one that shrinks under a map would end the process.
    ///
    /// - Returns: The bytes, and the file's identity from before the first byte was read: a file that changes meanwhile
    ///   has another one the next time.
    package static func read(_ path: FilePath) throws(Failure) -> (data: Data, identity: FileIdentity) {
        if path == .standardInput { return try standardInput.get() }
        let file = try open(path)
        guard file.size <= sizeLimit else {
            throw Failure(description: "has \(file.size >> 20) MiB, more than the limit of \(sizeLimit >> 20)")
        }
        guard file.size > 0 else { throw Failure(description: "is empty") }
        do {
            return (try file.contents(), file.identity)
        } catch {
            throw Failure(description: error.reason)
        }
    }

    /// The identity of a file that is there and can be a photo; it is not read.
    package static func identity(of path: FilePath) throws(Failure) -> FileIdentity {
        path == .standardInput ? try standardInput.get().identity : try open(path).identity
    }

    /// The standard input, read to its end once, and no further than files are read.
    private static let standardInput: Result<(data: Data, identity: FileIdentity), Failure> = {
        var status = stat()
        fstat(STDIN_FILENO, &status)
        var data = Data()
        do {
            while let part = try FileHandle.standardInput.read(upToCount: 1 << 20), !part.isEmpty {
                data += part
                guard data.count <= sizeLimit else {
                    return .failure(
                        Failure(description: "has more bytes than the limit of \(sizeLimit >> 20) MiB"))
                }
            }
        } catch {
            return .failure(Failure(description: "cannot be read"))
        }
        return data.isEmpty ? .failure(Failure(description: "is empty")) : .success((data, FileIdentity(status)))
    }()

    private static func open(_ path: FilePath) throws(Failure) -> RegularFile {
        do {
            return try RegularFile(systemPath: path.system)
        } catch {
            throw Failure(description: error.reason)
        }
    }
}

extension FilePath {
    /// What the command line calls the standard input; a file of that name is "./-".
    package static let standardInput = FilePath("-")

    /// Whether both are names of one file that is there.
    package func isSameFile(as other: FilePath) -> Bool {
        var (left, right) = (stat(), stat())
        guard stat(system, &left) == 0, stat(other.system, &right) == 0 else { return false }
        return left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }

    /// The whole path, without links; nil when there is nothing of that name.
    package var resolved: FilePath? {
        guard let path = realpath(system, nil) else { return nil }
        defer { free(path) }
        return FilePath(bytes: UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    }
}

extension Error {
    /// What went wrong, for people: without the domain and code of an `NSError` and without the name of a type.
    package var photoReason: String {
        if let text = (self as? any LocalizedError)?.errorDescription { return text }
        if type(of: self) is AnyClass || self is any CustomNSError { return localizedDescription }
        return "\(self)"
    }
}
