import Foundation

/// A video or a folder of images, opened, with the range of frames to work on.
struct FrameRange: Equatable {
    /// The first frame to work on; frames count from 0.
    var start = 0
    /// The frame to stop before; nil for the end of the video.
    var end: Int?

    /// How many frames that is of a video of `count`, as far as it is known.
    func count(of count: Int?) -> Int? {
        let last = [count, end].compactMap { $0 }.min()
        return last.map { max(0, $0 - start) }
    }
}

enum OpenVideo {
    /// Opens what lies at the path and goes to the first frame of the range.
    static func open(_ path: String, folderRate: Ratio = Ratio(25, 1), range: FrameRange = FrameRange()) throws
        -> any FrameSource
    {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw VideoError(kind: .io, path: path, reason: "no such file or folder")
        }
        let source: any FrameSource =
            isFolder.boolValue ? try ImageFolder(path: path, rate: folderRate) : try VideoReader(path: path)
        for frame in 0..<range.start where try !source.skip() {
            throw VideoError(kind: .damaged, path: path, reason: "has \(frame) frames only, none to start at")
        }
        return source
    }
}
