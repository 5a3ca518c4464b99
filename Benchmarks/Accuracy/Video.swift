import Foundation
import VisionImage

/// A labelled video as a folder: img/*.jpg, the frames in the order of their names, and groundtruth.txt with x,y,w,h of
/// the target a line, in pixels with the origin at the top left.
struct Video {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let frames: [URL]
    let truth: [PixelRegion]

    /// The videos in a folder of such folders.
    static func all(in folder: String) throws -> [Video] {
        let root = URL(fileURLWithPath: folder, isDirectory: true)
        let entries = try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
        let videos = try entries.sorted { $0.lastPathComponent < $1.lastPathComponent }
            .filter { FileManager.default.fileExists(atPath: $0.appendingPathComponent("groundtruth.txt").path) }
            .map(Video.init)
        guard !videos.isEmpty else { throw Unreadable(description: "no folder with a groundtruth.txt in \(folder)") }
        return videos
    }

    init(folder: URL) throws {
        name = folder.lastPathComponent
        let text = try String(contentsOf: folder.appendingPathComponent("groundtruth.txt"), encoding: .utf8)
        truth = try text.split(whereSeparator: \.isNewline).map { line in
            let numbers = line.split { ", \t".contains($0) }.map { Double($0) ?? .nan }
            guard numbers.count >= 4 else { throw Unreadable(description: "\(folder.path)/groundtruth.txt: \(line)") }
            return PixelRegion(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
        frames = try imageFiles(in: folder.appendingPathComponent("img"))
        guard let first = truth.first, first.width > 0, first.height > 0, !frames.isEmpty else {
            throw Unreadable(description: "\(folder.path): no frames, or no box of the first frame")
        }
    }
}

/// The JPEG and PNG files of a folder in the order of their names.
func imageFiles(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { ["jpg", "jpeg", "png"].contains($0.pathExtension.lowercased()) }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
}
