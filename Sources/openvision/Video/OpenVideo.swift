import ArgumentParser
import Foundation
import VisionFiles
import VisionVideo

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

/// The argument of commands that read one video.
enum VideoArgument {
    static let help = ArgumentHelp(
        """
        A video file, a folder of images, or - for the standard input. A network or a camera only where it is named: \
        http://…, https://…, rtsp://… or /dev/video0; they end after 10 seconds without a frame.
        """, valueName: "video")
}

enum OpenVideo {
    /// Opens a video, a folder of images, a camera (/dev/video0), an address (http, https, rtsp), or the video in the
    /// standard input ("-"), and seeks to the first frame of the range.
    static func open(_ path: String, folderRate: Ratio = Ratio(25, 1), range: FrameRange = FrameRange()) throws
        -> any FrameSource
    {
        let named = VideoSource(argument: path)
        switch named {
        case .file: break
        // Who writes to a pipe may take any time: a password may be asked for first.
        case .standardInput:
            return try started(try VideoDecoder(named, options: DecoderOptions(timeout: nil)), path, range)
        case .network, .device: return try started(try VideoDecoder(named), path, range)
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            // A loop of links, or a name that is too long, is not missing: the system's reason says more.
            var reason = "no such file or folder"
            do { _ = try RegularFile(path: path) } catch { if error.kind != .missing { reason = error.reason } }
            throw VideoError(kind: .io, path: path, reason: reason)
        }
        let source: any FrameSource =
            isFolder.boolValue ? try ImageFolder(path: path, rate: folderRate) : try VideoDecoder(path: path)
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
