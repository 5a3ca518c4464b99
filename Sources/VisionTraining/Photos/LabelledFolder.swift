package import Foundation
import VisionPhotos

/// A photo to train or to evaluate with.
package struct LabelledPhoto: Sendable, Hashable {
    package let url: URL
    package let label: String

    package init(url: URL, label: String) {
        self.url = url
        self.label = label
    }
}

/// A file or folder that cannot be used, and the reason.
package struct SkippedFile: Sendable, Hashable {
    package let path: String
    package let reason: String
}

/// Finds photos that are labelled by their folder or by their name.
///
/// Photos are files with the extension of an image format. Files and folders whose names start with a point are
/// ignored. Links are followed, but no folder is entered twice for one label, so cycles of links end.
package struct LabelledFolder {
    package private(set) var photos: [LabelledPhoto] = []
    package private(set) var skipped: [SkippedFile] = []
    /// The labels, including those without photos.
    package private(set) var labels: Set<String> = []

    package enum Failure: Error, Equatable {
        case unreadable(path: String, reason: String)
    }

    /// Finds the photos of a folder whose subfolders are the labels; deeper folders belong to their label.
    ///
    /// - Throws: `Failure` when the folder itself cannot be read.
    package init(directoriesAt root: URL) throws {
        let root = FilePath(root.path)
        var folders: [FilePath] = []
        try walk(root, isRecursive: false) { finding in
            if case .folder(let folder) = finding { folders.append(folder) }
            return nil
        }
        for folder in folders {
            guard let label = text(folder, in: root) else { continue }
            labels.insert(label)
            // The folder of a label that cannot be read is skipped like any other subfolder.
            try? walk(root.appending(folder), isRecursive: true) { finding in
                guard case .photo(let photo) = finding else { return nil }
                return (photo.path, label)
            }
        }
        finish()
    }

    /// Finds the photos in a folder whose names up to their first point are the labels.
    ///
    /// - Throws: `Failure` when the folder cannot be read.
    package init(filesAt root: URL) throws {
        try walk(FilePath(root.path), isRecursive: false) { finding in
            guard case .photo(let photo) = finding else { return nil }
            return (photo.path, String(photo.path.text.prefix { $0 != "." }))
        }
        labels = Set(photos.map(\.label))
        finish()
    }

    /// Walks a folder and collects the photos for which `label` returns a label.
    ///
    /// - Throws: `Failure` when the folder itself cannot be read; then it is listed as well.
    private mutating func walk(
        _ root: FilePath, isRecursive: Bool, label: (FolderWalk.Finding) -> (path: FilePath, label: String)?
    ) throws {
        _ = try FolderWalk(root: root, followsLinks: true, isRecursive: isRecursive).run { finding in
            if case .unreadable(let path, _, let reason) = finding {
                let full = path.bytes.isEmpty ? root : root.appending(path)
                skipped.append(SkippedFile(path: full.text, reason: reason))
                if path.bytes.isEmpty { throw Failure.unreadable(path: root.text, reason: reason) }
            }
            guard let photo = label(finding), let path = text(photo.path, in: root) else { return }
            photos.append(
                LabelledPhoto(url: URL(fileURLWithPath: root.text + "/" + path, isDirectory: false), label: photo.label)
            )
        }
    }

    /// A name as text; one that is not UTF-8 is skipped, because paths are texts in this API.
    private mutating func text(_ path: FilePath, in root: FilePath) -> String? {
        if let text = String(validating: path.bytes, as: UTF8.self) { return text }
        skipped.append(SkippedFile(path: root.appending(path).text, reason: "its name is not UTF-8"))
        return nil
    }

    /// Sorted, because the order of directory entries is not defined.
    private mutating func finish() {
        photos.sort { ($0.label, $0.url.path) < ($1.label, $1.url.path) }
        skipped.sort { $0.path < $1.path }
    }
}
