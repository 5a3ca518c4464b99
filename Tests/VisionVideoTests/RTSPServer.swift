import Foundation
import ModelTestSupport
import VisionThreads

/// An RTSP server on this machine that sends one H.264 video, interleaved in the connection (RFC 2326, RFC 6184).
final class RTSPServer: Sendable {
    private let socket: Int32
    private let port: UInt16
    private let frames: [[UInt8]]
    private let seen = Locked<[String]>([])

    var url: URL {
        guard let url = URL(string: "rtsp://127.0.0.1:\(port)/camera") else { preconditionFailure("not a URL") }
        return url
    }
    /// The methods of the requests, in order.
    var methods: [String] { seen.current.map { String($0.prefix { $0 != " " }) } }
    /// Whether the client asked for everything in one connection.
    var isInterleaved: Bool { seen.current.contains { $0.hasPrefix("SETUP") && $0.contains("RTP/AVP/TCP") } }

    /// Returns the video packets of an AVI file.
    static func frames(ofAVI bytes: [UInt8]) -> [[UInt8]] {
        let marker = Array("00dc".utf8)
        var frames: [[UInt8]] = []
        // The packets follow one another in the list "movi"; behind it is an index with the same markers.
        guard var at = bytes.indices.first(where: { bytes[$0...].starts(with: Array("movi".utf8)) }) else { return [] }
        at += 4
        while at + 8 <= bytes.count, bytes[at..<at + 4].elementsEqual(marker) {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[at + 4 + $1]) << (8 * $1) }
            guard at + 8 + size <= bytes.count else { break }
            frames.append(Array(bytes[at + 8..<at + 8 + size]))
            at += 8 + size + size % 2
        }
        return frames
    }

    init(frames: [[UInt8]]) throws {
        self.frames = frames
        (socket, port) = try LocalServer.listening()
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var (buffer, request) = ([UInt8](repeating: 0, count: 4096), "")
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += String(decoding: buffer[..<count], as: UTF8.self)
            guard request.hasSuffix("\r\n\r\n") else { continue }
            let current = request
            seen.withLock { $0.append(current) }
            request = ""
            answer(current, connection)
            if current.hasPrefix("PLAY") {
                sendVideo(to: connection)
                return
            }
        }
    }

    private func answer(_ request: String, _ connection: Int32) {
        let number = request.components(separatedBy: "\r\n").first { $0.hasPrefix("CSeq:") } ?? "CSeq: 1"
        var (headers, body) = (["RTSP/1.0 200 OK", number], "")
        switch request.prefix(while: { $0 != " " }) {
        case "OPTIONS": headers.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY")
        case "DESCRIBE":
            body = [
                "v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=test", "t=0 0", "m=video 0 RTP/AVP 96",
                "a=rtpmap:96 H264/90000", "a=fmtp:96 packetization-mode=1", "a=control:track", "",
            ].joined(separator: "\r\n")
            headers += [
                "Content-Base: \(url.absoluteString)/", "Content-Type: application/sdp",
                "Content-Length: \(body.utf8.count)",
            ]
        default: headers += ["Session: 1", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1"]
        }
        LocalServer.send(Array((headers.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8), to: connection)
    }

    private func sendVideo(to connection: Int32) {
        func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
        }
        var sequence: UInt32 = 0
        for (index, frame) in frames.enumerated() {
            let units = Self.units(of: frame)
            for (position, unit) in units.enumerated() {
                let marker: UInt8 = position == units.count - 1 ? 0x80 : 0
                let header = [0x80, marker | 96] + bytes(sequence, 2) + bytes(UInt32(index * 9000), 4) + bytes(7, 4)
                let packet = header + unit
                LocalServer.send([0x24, 0] + bytes(UInt32(packet.count), 2) + packet, to: connection)
                sequence += 1
            }
        }
    }

    /// Splits a packet at its start codes (00 00 01 or 00 00 00 01).
    private static func units(of frame: [UInt8]) -> [[UInt8]] {
        var (units, start, at) = ([[UInt8]](), Int?.none, 0)
        func add(_ end: Int) {
            guard let start else { return }
            var end = end
            while end > start, frame[end - 1] == 0 { end -= 1 }
            if end > start { units.append(Array(frame[start..<end])) }
        }
        while at + 3 <= frame.count {
            if frame[at] == 0, frame[at + 1] == 0, frame[at + 2] == 1 {
                add(at)
                start = at + 3
                at += 3
            } else {
                at += 1
            }
        }
        add(frame.count)
        return units
    }
}
