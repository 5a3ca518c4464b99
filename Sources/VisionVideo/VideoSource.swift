public import Foundation

/// Where the frames of a video come from.
///
/// A file never makes the reader touch a network or a device, whatever its name or its contents are: playlists and
/// addresses inside of files are not followed. Networks and cameras have cases of their own.
public enum VideoSource: Sendable, Hashable, CustomStringConvertible {
    /// A video file of the local disk.
    case file(URL)
    /// The standard input: a file or a pipe.
    ///
    /// MP4, QuickTime and AVI videos in a pipe are copied to a temporary file first, because their index may be at
    /// their end. Others (Matroska, MPEG-TS, FLV, raw H.264, …) are read as they come, so they may have no end.
    case standardInput
    /// An address with the scheme http, https or rtsp. FFmpeg 5 does not check the certificates of rtsps.
    ///
    /// RTSP is read over one TCP connection; over HTTP, a video file or a stream of JPEG images (multipart).
    /// Redirections are followed, to HTTP addresses only; certificates are checked. HLS and DASH playlists are not
    /// read. Do not pass on addresses of strangers: the server behind them may be in your own network.
    case network(URL)
    /// A camera by its Video4Linux device, such as "/dev/video0".
    case device(String)

    static let schemes: Set<String> = ["http", "https", "rtsp"]

    /// Reads an argument of a command line: "-", an address with one of the schemes above, a device of `/dev/video*` or
    /// `/dev/v4l`, or a path.
    package init(argument: String) {
        if argument == "-" {
            self = .standardInput
        } else if let colon = argument.range(of: "://"),
            Self.schemes.contains(argument[..<colon.lowerBound].lowercased()), let url = URL(string: argument)
        {
            self = .network(url)
        } else if argument.hasPrefix("/dev/video") || argument.hasPrefix("/dev/v4l/") {
            self = .device(argument)
        } else {
            self = .file(URL(fileURLWithPath: argument))
        }
    }

    /// Whether the argument names a network address or a camera.
    package static func isStream(argument: String) -> Bool {
        switch VideoSource(argument: argument) {
        case .network, .device: true
        case .file, .standardInput: false
        }
    }

    /// The path, or the address without a password; "-" for the standard input.
    public var description: String {
        switch self {
        case .file(let url) where url.isFileURL: return url.path
        case .standardInput: return "-"
        case .device(let path): return path
        case .file(let url), .network(let url):
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            if parts?.password != nil { parts?.password = "…" }
            return parts?.string?.removingPercentEncoding ?? "an address"
        }
    }
}
