import Foundation
import Hummingbird
import HummingbirdTesting
import XCTest

@testable import OpenVisionService

/// Limits of bodies, pixels, time and the queue; clients that are slow or go away; the end of the service.
final class LimitTests: XCTestCase {
    /// Holds up the only worker of a service while a test runs.
    private func whileBusy(
        _ service: AnalysisService, _ body: @escaping @Sendable (Gate) async throws -> Void
    ) async throws {
        let gate = Gate()
        async let held: Void = service.jobs.run { await gate.wait() }
        try await eventually { service.jobs.load.running == 1 }
        do {
            try await body(gate)
        } catch {
            await gate.open()
            throw error
        }
        await gate.open()
        try await held
    }

    func testBodiesAndPixelsHaveLimits() async throws {
        let image = try TestService.code("limits")
        let service = try TestService.make { $0.limits.bodyBytes = image.count }
        try await TestService.application(service).test(.router) { client in
            let whole = try await client.post("/v1/barcodes", image)
            XCTAssertEqual(whole.status, 200)
            let more = try await client.post("/v1/barcodes", image + Data([0]))
            XCTAssertEqual([String(more.status), more.code], ["413", "body_too_large"])
        }
        let small = try TestService.make { $0.limits.pixels = 99 }
        try await TestService.application(small).test(.router) { client in
            let answer = try await client.post("/v1/barcodes", image)
            XCTAssertEqual([String(answer.status), answer.code], ["422", "too_many_pixels"])
        }
    }

    func testBodiesWithoutALengthHaveTheLimitToo() async throws {
        let service = try TestService.make { $0.limits.bodyBytes = 1000 }
        try await TestService.application(service).test(.live) { client in
            let raw = try RawClient(port: try XCTUnwrap(client.port))
            raw.send("POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let part = String(repeating: "x", count: 512)
            for _ in 0..<3 { raw.send("200\r\n\(part)\r\n") }
            let head = raw.readHead()
            XCTAssertTrue(head.hasPrefix("HTTP/1.1 413 "), head)
            XCTAssertTrue(head.lowercased().contains("connection: close"), head)
        }
    }

    func testTheBodiesOfAllHaveALimitTogether() async throws {
        let image = try TestService.code("budget")
        let service = try TestService.make { $0.limits.bodyBytesInFlight = image.count * 3 / 2 }
        let application = TestService.application(service)
        try await whileBusy(service) { gate in
            try await application.test(.router) { client in
                async let first = client.post("/v1/barcodes", image)
                try await eventually { service.jobs.load.waiting == 1 }
                let second = try await client.post("/v1/barcodes", image)
                XCTAssertEqual([String(second.status), second.code], ["429", "busy"])
                await gate.open()
                let answer = try await first
                XCTAssertEqual(answer.status, 200)
                let third = try await client.post("/v1/barcodes", image)
                XCTAssertEqual(third.status, 200)
            }
        }
    }

    func testAFullQueueIsAnsweredAtOnce() async throws {
        let image = try TestService.code("queue")
        let service = try TestService.make { $0.limits.queue = 0 }
        let application = TestService.application(service)
        try await whileBusy(service) { _ in
            try await application.test(.router) { client in
                let answer = try await client.post("/v1/barcodes", image)
                XCTAssertEqual([String(answer.status), answer.code], ["429", "busy"])
                XCTAssertEqual(answer.headers[.retryAfter], "1")
                let ready = try await client.get("/readyz")
                XCTAssertEqual(ready.status, .ok)
            }
        }
        try await application.test(.router) { client in
            let answer = try await client.post("/v1/barcodes", image)
            XCTAssertEqual(answer.status, 200)
        }
    }

    func testARequestWhoseTimeIsUpLeavesTheQueue() async throws {
        let image = try TestService.code("time")
        let service = try TestService.make { $0.limits.time = .milliseconds(30) }
        let application = TestService.application(service)
        try await whileBusy(service) { _ in
            try await application.test(.router) { client in
                let answer = try await client.post("/v1/barcodes", image)
                XCTAssertEqual([String(answer.status), answer.code], ["503", "timeout"])
                XCTAssertEqual(service.jobs.load.waiting, 0)
            }
        }
    }

    func testAClientThatGoesAwayLeavesTheQueue() async throws {
        let image = try TestService.code("gone")
        let service = try TestService.make()
        let application = TestService.application(service)
        try await whileBusy(service) { _ in
            try await application.test(.live) { client in
                let raw = try RawClient(port: try XCTUnwrap(client.port))
                raw.send("POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nContent-Length: \(image.count)\r\n\r\n")
                raw.send(image)
                try await eventually { service.jobs.load.waiting == 1 }
                raw.close()
                try await eventually { service.jobs.load.waiting == 0 }
                XCTAssertEqual(service.jobs.load.running, 1)
            }
        }
    }

    func testAClientThatLeavesAtOnceIsNoticed() async throws {
        let image = try TestService.code("gone")
        let service = try TestService.make()
        try await whileBusy(service) { _ in
            try await TestService.application(service).test(.live) { client in
                for _ in 0..<20 {
                    let raw = try RawClient(port: try XCTUnwrap(client.port))
                    raw.send(
                        Data("POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nContent-Length: \(image.count)\r\n\r\n".utf8)
                            + image)
                    // Before the service has read the body.
                    raw.close()
                }
                let last = try RawClient(port: try XCTUnwrap(client.port))
                last.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                XCTAssertTrue(last.readHead().hasPrefix("HTTP/1.1 200 "))
                try await eventually { service.jobs.load.waiting == 0 }
                XCTAssertEqual(service.jobs.load.running, 1)
            }
        }
    }

    func testConnectionsEndWhereBodiesAreNotRead() async throws {
        let service = try TestService.make()
        try await TestService.application(service).test(.live) { client in
            for (head, status) in [
                ("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000000\r\n", "200"),
                ("POST /v1/horizon HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 4000\r\n", "415"),
                ("POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n", "404"),
            ] {
                let raw = try RawClient(port: try XCTUnwrap(client.port))
                raw.send(head + "\r\n")
                let answer = raw.readAll()
                XCTAssertTrue(answer.hasPrefix("HTTP/1.1 \(status) "), answer)
                XCTAssertTrue(answer.lowercased().contains("connection: close"), answer)
            }
        }
    }

    func testConnectionsStayWhereLongBodiesAreRead() async throws {
        let service = try TestService.make()
        let damaged = Data(repeating: 7, count: 5 << 20)
        try await TestService.application(service).test(.live) { client in
            let raw = try RawClient(port: try XCTUnwrap(client.port))
            raw.send("POST /v1/horizon HTTP/1.1\r\nHost: a\r\nContent-Length: \(damaged.count)\r\n\r\n")
            raw.send(damaged)
            let head = raw.readHead()
            XCTAssertTrue(head.hasPrefix("HTTP/1.1 422 "), head)
            XCTAssertFalse(head.lowercased().contains("connection: close"), head)
            raw.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            XCTAssertTrue(raw.readAll().contains(#"{"status":"ok"}"#))
        }
    }

    func testAClientThatExpectsItIsToldToSendItsBody() async throws {
        let image = try TestService.code("expected")
        let service = try TestService.make()
        try await TestService.application(service).test(.live) { client in
            let raw = try RawClient(port: try XCTUnwrap(client.port))
            raw.send(
                "POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n"
                    + "Content-Length: \(image.count)\r\n\r\n")
            let head = raw.readHead()
            XCTAssertTrue(head.hasPrefix("HTTP/1.1 100 "), head)
            raw.send(image)
            let answer = raw.readAll()
            XCTAssertTrue(answer.hasPrefix("HTTP/1.1 200 "), answer)
            XCTAssertTrue(answer.contains("expected"), answer)
        }
    }

    func testSlowAndCutOffBodies() async throws {
        let service = try TestService.make { $0.limits.bodyTime = .milliseconds(100) }
        try await TestService.application(service).test(.live) { client in
            let slow = try RawClient(port: try XCTUnwrap(client.port))
            slow.send("POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx")
            let head = slow.readHead()
            XCTAssertTrue(head.hasPrefix("HTTP/1.1 408 "), head)
            let cut = try RawClient(port: try XCTUnwrap(client.port))
            cut.send("POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nxyz")
            cut.close()
            try await eventually { service.bodyBytesInUse == 0 }
            let health = try await client.get("/healthz")
            XCTAssertEqual(health.status, .ok)
        }
    }

    func testAServiceThatIsAboutToEndAnswersWhatItHas() async throws {
        let image = try TestService.code("end")
        let service = try TestService.make()
        let application = TestService.application(service)
        let gate = Gate()
        async let held: Void = service.jobs.run { await gate.wait() }
        try await eventually { service.jobs.load.running == 1 }
        try await application.test(.router) { client in
            async let waiting = client.post("/v1/barcodes", image)
            try await eventually { service.jobs.load.waiting == 1 }
            service.close()
            let late = try await client.post("/v1/barcodes", image)
            XCTAssertEqual([String(late.status), late.code], ["503", "closing"])
            let ready = try await client.get("/readyz")
            XCTAssertEqual(ready.status, .serviceUnavailable)
            let health = try await client.get("/healthz")
            XCTAssertEqual(health.status, .ok)
            await gate.open()
            let answer = try await waiting
            XCTAssertEqual(answer.results("barcodes").first?["payload"] as? String, "end")
        }
        try await held
    }

    func testDamagedRequestsAreRefusedAndTheServiceLives() async throws {
        let service = try TestService.make()
        try await TestService.application(service).test(.live) { client in
            let port = try XCTUnwrap(client.port)
            let long = String(repeating: "a", count: 200_000)
            for text in [
                "nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                "POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                "POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello",
                "GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n",
                "POST /v1/barcodes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "GET /healthz?%00%ff HTTP/1.1\r\nHost: \u{1}\r\n\r\n",
                "GET http://[::1/%zz HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET :: HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
            ] {
                let raw = try RawClient(port: port)
                raw.send(text)
                let head = raw.readHead()
                XCTAssertTrue(
                    head.isEmpty || head.hasPrefix("HTTP/1.1 4"), "\(text.prefix(60)): \(head.prefix(60))")
            }
            let health = try await client.get("/healthz")
            XCTAssertEqual(health.status, .ok)
        }
    }
}
