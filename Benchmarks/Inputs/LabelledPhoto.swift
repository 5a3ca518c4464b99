import ArgumentParser
import Foundation

/// A photo and the class that it is named after.
struct LabelledPhoto {
    let url: URL
    let label: Int

    /// The photos of a folder and of the folders in it whose name, or whose folder's name, starts with one of the
    /// labels.
    static func photos(in folder: String, labels: [String]) throws -> [LabelledPhoto] {
        let root = URL(fileURLWithPath: folder, isDirectory: true)
        let folders = try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
            .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }
        let files = try ([root] + folders.sorted { $0.path < $1.path }).flatMap { try imageFiles(in: $0) }
        let index = Dictionary(labels.enumerated().map { ($1, $0) }) { first, _ in first }
        let photos = files.compactMap { file -> LabelledPhoto? in
            let names = [file.lastPathComponent, file.deletingLastPathComponent().lastPathComponent]
            let label = names.lazy.compactMap { index[String($0.prefix { $0 != "_" && $0 != "." })] }.first
            return label.map { LabelledPhoto(url: file, label: $0) }
        }
        guard !photos.isEmpty else {
            throw ValidationError("no photo in \(folder) is named after one of the labels.")
        }
        return photos
    }
}
