import Foundation
import VisionFiles

/// The range of frames of a video to process.
struct FrameRange: Equatable {
    /// The first frame to process; frames count from 0.
    var start = 0
    /// The end of the range, exclusive; nil for the end of the video.
    var end: Int?

    /// Returns the number of frames of the range in a video of `count` frames; nil when it is not known.
    func count(of count: Int?) -> Int? {
        let last = [count, end].compactMap { $0 }.min()
        return last.map { max(0, $0 - start) }
    }
}

enum OpenVideo {
    /// Opens a video, a folder of images, or the video in the standard input ("-"), and seeks to the first frame of the
    /// range.
    static func open(_ path: String, folderRate: Ratio = Ratio(25, 1), range: FrameRange = FrameRange()) throws
        -> any FrameSource
    {
        if path == "-" {
            // Videos are not read in one go, so the input goes through a file, which has no name once it is open.
            let copy = try StandardInputFile()
            return try started(try VideoReader(path: copy.path), path, range)
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            // A loop of links, or a name that is too long, is not missing: the system's reason says more.
            var reason = "no such file or folder"
            do { _ = try RegularFile(path: path) } catch { if error.kind != .missing { reason = error.reason } }
            throw VideoError(kind: .io, path: path, reason: reason)
        }
        let source: any FrameSource =
            isFolder.boolValue ? try ImageFolder(path: path, rate: folderRate) : try VideoReader(path: path)
        return try started(source, path, range)
    }

    private static func started(
        _ source: any FrameSource, _ path: String, _ range: FrameRange
    ) throws -> any FrameSource {
        for frame in 0..<range.start where try !source.skip() {
            throw VideoError(
                kind: .damaged, path: path, reason: "has only \(frame) frames; the range starts at frame \(range.start)"
            )
        }
        return source
    }
}

/// A copy of the standard input, removed when it is not used any more.
private final class StandardInputFile {
    let path: String

    /// Reads the standard input to its end.
    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("openvision-\(UUID().uuidString)")
        path = url.path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw VideoError(kind: .io, path: path, reason: "cannot be created") }
        defer { try? file.close() }
        do {
            while let part = try FileHandle.standardInput.read(upToCount: 1 << 20), !part.isEmpty {
                try file.write(contentsOf: part)
            }
        } catch {
            throw VideoError(kind: .io, path: "-", reason: "the standard input cannot be copied to \(path)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
