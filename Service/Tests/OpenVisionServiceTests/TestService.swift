import Foundation
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import Vision
import VisionFilters
import XCTest

@testable import OpenVisionService

/// Services and images for tests.
enum TestService {
    /// A service; the closure changes its configuration.
    static func make(_ change: (inout ServiceConfiguration) -> Void = { _ in }) throws -> AnalysisService {
        var configuration = ServiceConfiguration()
        configuration.limits.workers = 1
        change(&configuration)
        return try AnalysisService(configuration)
    }

    static func application(
        _ service: AnalysisService
    ) -> Application<RouterResponder<ServiceRequestContext>> {
        Application(
            router: service.makeRouter(), server: service.makeServer(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
    }

    /// A QR code with a text, as PNG.
    static func code(_ text: String) throws -> Data {
        let filter = CIFilter.qrCodeGenerator()
        filter.message = Data(text.utf8)
        let image = try XCTUnwrap(filter.outputImage).transformed(by: CGAffineTransform(scaleX: 6, y: 6))
        return try XCTUnwrap(
            CIContext().pngRepresentation(of: image, format: .RGBA8, colorSpace: CGColorSpaceCreateDeviceRGB()))
    }
}

/// The answer of a service as JSON.
struct Answer {
    let status: Int
    let headers: HTTPFields
    let object: [String: Any]

    init(_ response: TestResponse) {
        status = response.status.code
        headers = response.headers
        object = (try? JSONSerialization.jsonObject(with: Data(buffer: response.body)) as? [String: Any]) ?? [:]
    }

    /// The code of an error.
    var code: String? { (object["error"] as? [String: Any])?["code"] as? String }

    var message: String? { (object["error"] as? [String: Any])?["message"] as? String }

    /// The results of a request.
    func results(_ name: String) -> [[String: Any]] {
        (object["results"] as? [String: Any])?[name] as? [[String: Any]] ?? []
    }
}

extension TestClientProtocol {
    /// Posts a body.
    func post(
        _ uri: String, _ body: Data, type: String? = "image/png", headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPFields()
        fields[.contentType] = type
        for (name, value) in headers { fields[try XCTUnwrap(HTTPField.Name(name))] = value }
        return Answer(
            try await execute(uri: uri, method: .post, headers: fields, body: ByteBuffer(bytes: body)))
    }

    /// Gets what is at an address.
    func get(_ uri: String, headers: [String: String] = [:]) async throws -> TestResponse {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try XCTUnwrap(HTTPField.Name(name))] = value }
        return try await execute(uri: uri, method: .get, headers: fields)
    }
}

/// A client that sends any bytes, for what no proper client sends.
final class RawClient {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        XCTAssertEqual(result, 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    private var isClosed = false

    func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }

    func send(_ data: Data) {
        data.withUnsafeBytes { _ = Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    func send(_ text: String) { send(Data(text.utf8)) }

    /// Reads until the other side closes, or until the answer's header is there; fails when neither comes in time.
    func readHead(line: UInt = #line) -> String {
        read(line) { $0.range(of: Data("\r\n\r\n".utf8)) != nil }
    }

    /// Reads until the other side closes; fails when it does not in time.
    func readAll(line: UInt = #line) -> String { read(line) { _ in false } }

    private func read(_ line: UInt, until isComplete: (Data) -> Bool) -> String {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isComplete(data) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { XCTFail("Nothing came, and the connection stays open.", line: line) }
            guard count > 0 else { break }
            data.append(contentsOf: buffer[..<count])
        }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Waits until a condition holds; fails after many tries.
func eventually(_ condition: () -> Bool, line: UInt = #line) async throws {
    for _ in 0..<2000 {
        if condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    XCTFail("It did not come about.", line: line)
}

/// Something that a test holds up.
actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}

/// A value that several tasks write.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    var current: Value { value.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) { value.withLock { body(&$0) } }
}
