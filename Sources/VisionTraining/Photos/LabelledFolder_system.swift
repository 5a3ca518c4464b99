package import Foundation

/// A photo to train or to evaluate with.
package struct LabelledPhoto: Sendable, Hashable {
    package let url: URL
    package let label: String

    package init(url: URL, label: String) {
        self.url = url
        self.label = label
    }
}

/// A file or folder that could not be used, and why.
package struct SkippedFile: Sendable, Hashable {
    package let path: String
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// Finds the photos that are labelled by where they lie or how they are called.
///
/// Photos are files with the extension of an image format. Names with a point in front are left out, of folders as well; links
/// are followed, and no folder is entered twice for one label, so that circles of links end.
package struct LabelledFolder {
    package static let extensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "tif", "tiff", "heic", "heif", "gif",
    ]

    package private(set) var photos: [LabelledPhoto] = []
    package private(set) var skipped: [SkippedFile] = []
    /// The labels, also those without photos.
    package private(set) var labels: Set<String> = []

    package enum Failure: Error, Equatable {
        case unreadable(path: String, reason: String)
    }

    /// The folders in a folder are the labels; whatever lies in them or deeper belongs to them.
    ///
    /// - Throws: `Failure` where the folder itself cannot be read.
    package init(directoriesAt root: URL) throws {
        for entry in try Self.entries(of: root.path, &skipped) where entry.kind == .folder {
            labels.insert(entry.name)
            walk(root.path + "/" + entry.name, label: entry.name)
        }
        finish()
    }

    /// What a file is called up to its first point is its label.
    ///
    /// - Throws: `Failure` where the folder cannot be read.
    package init(filesAt root: URL) throws {
        for entry in try Self.entries(of: root.path, &skipped) where entry.kind == .file && Self.isPhoto(entry.name) {
            let label = String(entry.name.prefix { $0 != "." })
            labels.insert(label)
            photos.append(LabelledPhoto(url: URL(fileURLWithPath: root.path + "/" + entry.name), label: label))
        }
        finish()
    }

    /// In an order that does not depend on how the system lists files.
    private mutating func finish() {
        photos.sort { ($0.label, $0.url.path) < ($1.label, $1.url.path) }
        skipped.sort { $0.path < $1.path }
    }

    private static func isPhoto(_ name: String) -> Bool {
        guard let point = name.lastIndex(of: ".") else { return false }
        return extensions.contains(name[name.index(after: point)...].lowercased())
    }

    // MARK: - Walking

    private struct Place: Hashable {
        let device: UInt64
        let node: UInt64
    }

    private mutating func walk(_ folder: String, label: String) {
        var visited: Set<Place> = []
        // A list, not recursion: how deep folders lie must not matter.
        var folders = [folder]
        while let path = folders.popLast() {
            var status = stat()
            guard stat(path, &status) == 0 else {
                skipped.append(SkippedFile(path: path, reason: Self.reason))
                continue
            }
            guard visited.insert(Place(device: UInt64(status.st_dev), node: UInt64(status.st_ino))).inserted else {
                continue
            }
            let entries: [Entry]
            do {
                entries = try Self.entries(of: path, &skipped)
            } catch Failure.unreadable(let path, let reason) {
                skipped.append(SkippedFile(path: path, reason: reason))
                continue
            } catch {
                continue
            }
            for entry in entries {
                let full = path + "/" + entry.name
                switch entry.kind {
                case .folder: folders.append(full)
                case .file:
                    if Self.isPhoto(entry.name) {
                        photos.append(LabelledPhoto(url: URL(fileURLWithPath: full), label: label))
                    }
                case .dead:
                    if Self.isPhoto(entry.name) {
                        skipped.append(SkippedFile(path: full, reason: "the link leads nowhere"))
                    }
                case .other: break
                }
            }
        }
    }

    private struct Entry {
        enum Kind { case folder, file, dead, other }

        let name: String
        let kind: Kind
    }

    /// What lies in a folder, hidden things left out.
    private static func entries(of path: String, _ skipped: inout [SkippedFile]) throws -> [Entry] {
        guard let directory = opendir(path) else { throw Failure.unreadable(path: path, reason: reason) }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                guard errno == 0 else { throw Failure.unreadable(path: path, reason: reason) }
                return entries
            }
            let bytes = nameBytes(of: entry)
            guard bytes.first != UInt8(ascii: "."), !bytes.isEmpty else { continue }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                // Paths are texts in this API: such a file could not be named.
                skipped.append(
                    SkippedFile(
                        path: path + "/" + String(decoding: bytes, as: UTF8.self), reason: "its name is not UTF-8"))
                continue
            }
            entries.append(Entry(name: name, kind: kind(of: name, in: directory, listed: entry.pointee.d_type)))
        }
    }

    private static func kind(of name: String, in directory: OpaquePointer, listed type: UInt8) -> Entry.Kind {
        // What the list says spares a look at most files.
        if type == UInt8(DT_DIR) { return .folder }
        if type == UInt8(DT_REG) { return .file }
        guard type == UInt8(DT_LNK) || type == UInt8(DT_UNKNOWN) else { return .other }
        var status = stat()
        guard fstatat(dirfd(directory), name, &status, 0) == 0 else { return .dead }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .file
        default: return .other
        }
    }

    /// The name in an entry: it ends with a zero, or with the entry.
    private static func nameBytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let room = max(0, Int(entry.pointee.d_reclen) - offset)
        let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(entry) + offset, count: room)
        return Array(bytes.prefix { $0 != 0 })
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
