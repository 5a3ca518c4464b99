import Foundation
import VisionThreads

/// The standard input as a video: a pipe that is read as it comes, or a temporary copy.
enum StandardInput {
    /// A pipe whose first bytes were read already, or a file with all of them, which the caller removes.
    enum Contents {
        case pipe(prefix: [UInt8])
        case copy(path: String)
    }

    private static let partSize = 1 << 16
    /// Containers whose index may be at their end: the types of the first box of MP4 and QuickTime.
    private static let boxes: Set<String> = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]

    /// Reads the first bytes, and all of them where the container needs it.
    ///
    /// - Parameter timeout: The longest time to wait for more bytes; nil for no limit.
    static func open(_ cancellation: VideoCancellation, timeout: Duration?) throws(VideoError) -> Contents {
        var head: [UInt8] = []
        while head.count < 12 {
            let part = try read(upTo: 12 - head.count, cancellation, timeout)
            guard !part.isEmpty else { break }
            head += part
        }
        let isRIFF = head.starts(with: Array("RIFF".utf8))
        guard head.count == 12, isRIFF || boxes.contains(String(decoding: head[4..<8], as: UTF8.self)) else {
            return .pipe(prefix: head)
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("openvision-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw VideoError(kind: .io, path: path, reason: "cannot be created") }
        defer { try? file.close() }
        do {
            var part = head
            while !part.isEmpty {
                try file.write(contentsOf: part)
                part = try read(upTo: partSize, cancellation, timeout)
            }
            return .copy(path: path)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error as? VideoError
                ?? VideoError(kind: .io, path: "-", reason: "the standard input cannot be copied to \(path)")
        }
    }

    /// Returns the next bytes; none at the end.
    private static func read(
        upTo count: Int, _ cancellation: VideoCancellation, _ timeout: Duration?
    ) throws(VideoError) -> [UInt8] {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            if cancellation.isCancelled { throw VideoError(kind: .cancelled, path: "-", reason: "was cancelled") }
            if let deadline, ContinuousClock.now > deadline {
                throw VideoError(kind: .timeout, path: "-", reason: "the standard input sent nothing in time")
            }
            var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            let found = poll(&ready, 1, 50)
            if found == 0 || (found < 0 && errno == EINTR) { continue }
            let size = Foundation.read(0, &bytes, count)
            if size < 0, errno == EINTR || errno == EAGAIN { continue }
            guard size >= 0 else {
                throw VideoError(
                    kind: .io, path: "-",
                    reason: "the standard input cannot be read: \(String(cString: strerror(errno)))")
            }
            bytes.removeLast(count - size)
            return bytes
        }
    }
}
