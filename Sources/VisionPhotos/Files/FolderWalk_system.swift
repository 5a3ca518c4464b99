import Foundation
import VisionFiles

/// Finds the photos in a folder and its subfolders.
///
/// Photos are files with the extension of an image format. Files and folders whose names start with a point are
/// ignored; so are links, unless requested. No folder is entered twice, so cycles of links end.
package struct FolderWalk {
    package let root: FilePath
    package var followsLinks: Bool
    /// Whether subfolders are entered.
    package var isRecursive: Bool

    package init(root: FilePath, followsLinks: Bool = false, isRecursive: Bool = true) {
        self.root = root
        self.followsLinks = followsLinks
        self.isRecursive = isRecursive
    }

    package enum Finding: Equatable {
        case photo(FoundPhoto)
        /// A subfolder, whether it is entered or not.
        case folder(FilePath)
        /// A folder or file that cannot be read. The path is empty for the root itself.
        case unreadable(FilePath, isFolder: Bool, reason: String)
    }

    package struct Counts: Equatable {
        package var photos = 0
        /// Links to files and folders that were not followed.
        package var links = 0
    }

    private struct Place: Hashable {
        var device: UInt64
        var node: UInt64
    }

    /// Calls `found` with each finding, in no particular order.
    ///
    /// - Throws: The errors of `found`. Folders that cannot be read are findings, not errors.
    package func run(_ found: (Finding) throws -> Void) throws -> Counts {
        var counts = Counts()
        var visited: Set<Place> = []
        // A list instead of recursion, because folders may be nested deeply.
        var folders = [FilePath(bytes: [])]
        while let folder = folders.popLast() {
            let full = root.appending(folder)
            guard let directory = opendir(full.system) else {
                try found(.unreadable(folder, isFolder: true, reason: Self.reason))
                continue
            }
            defer { closedir(directory) }
            if followsLinks {
                var status = stat()
                guard fstat(dirfd(directory), &status) == 0,
                    visited.insert(Place(device: UInt64(status.st_dev), node: UInt64(status.st_ino))).inserted
                else { continue }
            }
            while true {
                errno = 0
                guard let entry = readdir(directory) else {
                    if errno != 0 { try found(.unreadable(folder, isFolder: true, reason: Self.reason)) }
                    break
                }
                let name = Self.name(of: entry)
                guard name.bytes.first != UInt8(ascii: ".") else { continue }
                let path = folder.appending(name)
                switch classify(name, in: directory, isListed: entry.pointee.d_type, &counts) {
                case .folder:
                    if isRecursive { folders.append(path) }
                    try found(.folder(path))
                case .photo(let stamp):
                    counts.photos += 1
                    try found(.photo(FoundPhoto(path: path, stamp: stamp)))
                case .unreadable(let reason): try found(.unreadable(path, isFolder: false, reason: reason))
                case .other: break
                }
            }
        }
        return counts
    }

    private enum Kind {
        case folder
        case photo(FileStamp)
        case unreadable(String)
        case other
    }

    private func classify(
        _ name: FilePath, in directory: OpaquePointer, isListed type: UInt8, _ counts: inout Counts
    ) -> Kind {
        let isPhoto = name.pathExtension.map(PhotoFile.extensions.contains) ?? false
        // The type in the directory entry avoids a system call for most files that are not photos.
        guard isPhoto || type == UInt8(DT_DIR) || type == UInt8(DT_LNK) || type == UInt8(DT_UNKNOWN) else {
            return .other
        }
        var status = stat()
        guard fstatat(dirfd(directory), name.system, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            // Deleted since the directory was read.
            return errno == ENOENT ? .other : isPhoto ? .unreadable(Self.reason) : .other
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            var target = stat()
            guard fstatat(dirfd(directory), name.system, &target, 0) == 0 else {
                return isPhoto ? .unreadable("the link leads nowhere") : .other
            }
            let isFolder = target.st_mode & S_IFMT == S_IFDIR
            guard isFolder || isPhoto else { return .other }
            guard followsLinks else {
                counts.links += 1
                return .other
            }
            status = target
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG where isPhoto: return .photo(FileStamp(FileIdentity(status)))
        default: return .other
        }
    }

    /// The name in an entry: it ends with a zero, or with the entry.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> FilePath {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let room = max(0, Int(entry.pointee.d_reclen) - offset)
        let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(entry) + offset, count: room)
        return FilePath(bytes: Array(bytes.prefix { $0 != 0 }))
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
