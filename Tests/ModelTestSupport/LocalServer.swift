package import Foundation
import VisionThreads

/// An HTTP server on this machine that sends prepared answers.
package final class LocalServer: Sendable {
    package struct Answer: Sendable {
        var status: Int
        var headers: [String]
        var body: [UInt8]
        /// Whether the server keeps the connection open without sending the whole body.
        var isStalled: Bool
        /// Whether a part of the body is sent where the request asks for one ("Range: bytes=100-").
        var acceptsRanges: Bool

        package init(
            status: Int = 200, headers: [String] = [], body: [UInt8] = [], isStalled: Bool = false,
            acceptsRanges: Bool = false
        ) {
            (self.status, self.headers, self.body, self.isStalled) = (status, headers, body, isStalled)
            self.acceptsRanges = acceptsRanges
        }

        /// Keeps the rest of the body from the position that the request asks for.
        mutating func apply(_ request: String) {
            guard acceptsRanges else { return }
            headers.append("Accept-Ranges: bytes")
            guard let range = request.range(of: "Range: bytes="),
                let start = Int(request[range.upperBound...].prefix { $0.isNumber }), start < body.count
            else { return }
            headers.append("Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)")
            (status, body) = (206, Array(body[start...]))
        }
    }

    private let socket: Int32
    private let port: UInt16
    /// The paths that were asked for, in order.
    private let paths = Locked<[String]>([])

    package var url: URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { preconditionFailure("not a URL") }
        return url
    }
    package var requests: [String] { paths.withLock { $0 } }

    /// - Parameter answer: Gets a path and how often it was asked for before.
    package init(_ answer: @escaping @Sendable (String, Int) -> Answer) throws {
        (socket, port) = try Self.listening()
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { self.serve(connection, answer) }
            }
        }
    }

    /// Returns a socket that listens on a free port of this machine, and the port.
    package static func listening() throws -> (socket: Int32, port: UInt16) {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 8) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileReadUnknown) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Stops taking connections.
    package func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    private func serve(_ connection: Int32, _ answer: (String, Int) -> Answer) {
        defer { close(connection) }
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += buffer[..<count]
        }
        let words = String(decoding: request, as: UTF8.self).split(separator: " ")
        guard words.count > 1 else { return }
        let path = String(words[1])
        let earlier = paths.withLock { paths in
            defer { paths.append(path) }
            return paths.count { $0 == path }
        }
        var reply = answer(path, earlier)
        reply.apply(String(decoding: request, as: UTF8.self))
        let length = reply.body.count + (reply.isStalled ? 1 : 0)
        let head =
            ["HTTP/1.1 \(reply.status) Answer", "Content-Length: \(length)", "Connection: close"] + reply.headers
        Self.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + reply.body, to: connection)
        // Until the other side goes away.
        if reply.isStalled { _ = recv(connection, &buffer, buffer.count, 0) }
    }

    /// Sends all bytes, unless the other side goes away.
    package static func send(_ bytes: [UInt8], to connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
