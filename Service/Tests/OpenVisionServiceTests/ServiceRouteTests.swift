import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import VisionAnalysis
import XCTest

@testable import OpenVisionService

/// Descriptions, tokens, metrics, and the page.
final class ServiceRouteTests: XCTestCase {
    func testOtherMethodsAreRefusedWithTheAllowedOnes() async throws {
        try await TestService.application(TestService.make()).test(.router) { client in
            for (uri, method, allowed) in [
                ("/v1/analyze", HTTPRequest.Method.get, "POST"), ("/healthz", .post, "GET, HEAD"),
                ("/", .delete, "GET, HEAD"), ("/v1/requests", .put, "GET, HEAD"),
            ] {
                let response = try await client.execute(uri: uri, method: method)
                XCTAssertEqual(response.status, .methodNotAllowed)
                XCTAssertEqual(response.headers[.allow], allowed)
                XCTAssertEqual(Answer(response).code, "method_not_allowed")
            }
            let other = try await client.execute(uri: "/v1/search", method: .post)
            XCTAssertEqual(Answer(other).code, "not_found")
        }
    }

    func testHeadRequestsHaveNoBodyAndKeepTheConnection() async throws {
        try await TestService.application(TestService.make()).test(.live) { client in
            for (uri, status) in [("/healthz", "200"), ("/v1/analyze", "405"), ("/nothing", "404")] {
                let raw = try RawClient(port: try XCTUnwrap(client.port))
                raw.send("HEAD \(uri) HTTP/1.1\r\nHost: a\r\n\r\n")
                raw.send("GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let answers = raw.readAll().components(separatedBy: "\r\n\r\n")
                XCTAssertTrue(answers[0].hasPrefix("HTTP/1.1 \(status) "), answers[0])
                // The next answer follows at once.
                XCTAssertTrue(answers[1].hasPrefix("HTTP/1.1 200 "), answers[1])
                XCTAssertEqual(answers.last, #"{"status":"ready"}"#)
            }
        }
    }

    func testModelsAreNotNamedToThoseWithoutTheToken() throws {
        let names = try [nil, BearerToken("0123456789abcdef")].map { token in
            var configuration = ServiceConfiguration()
            configuration.token = token
            let route = ServiceRoute(method: .post, path: "/v1/models/{name}", summary: "", action: .model)
            return String(decoding: try JSON.data(OpenAPIDocument([route], configuration).json), as: UTF8.self)
        }
        // The list of the models' names; there are none here.
        XCTAssertTrue(names[0].contains("\"enum\":[]"))
        XCTAssertFalse(names[1].contains("\"enum\":[]"))
    }

    func testATokenIsNeededWhereThereIsOne() async throws {
        let token = "0123456789abcdef"
        let service = try TestService.make { $0.token = BearerToken(" \(token)\n") }
        let image = try TestService.code("token")
        try await TestService.application(service).test(.router) { client in
            for header in [
                nil, "", token, "Bearer", "Bearer ", "Bearer \(token)x", "Bearer 0123456789abcdeF", "Basic \(token)",
            ] {
                let headers = header.map { ["Authorization": $0] } ?? [:]
                let answer = try await client.post("/v1/barcodes", image, headers: headers)
                XCTAssertEqual([String(answer.status), answer.code], ["401", "unauthorized"], header ?? "none")
                XCTAssertEqual(answer.headers[.wwwAuthenticate], "Bearer")
            }
            for header in ["Bearer \(token)", "bearer \(token)"] {
                let answer = try await client.post("/v1/barcodes", image, headers: ["Authorization": header])
                XCTAssertEqual(answer.status, 200)
            }
            for uri in ["/v1/requests", "/metrics"] {
                let refused = try await client.get(uri)
                XCTAssertEqual(refused.status, .unauthorized, uri)
                let taken = try await client.get(uri, headers: ["Authorization": "Bearer \(token)"])
                XCTAssertEqual(taken.status, .ok, uri)
            }
            for uri in ["/", "/healthz", "/readyz", "/openapi.json"] {
                let open = try await client.get(uri)
                XCTAssertEqual(open.status, .ok, uri)
            }
        }
        for text in ["", "short", "fifteen letters", "with blanks in between", "umlaut-äääääääääääää"] {
            XCTAssertNil(BearerToken(text), text)
        }
    }

    func testRequestsHaveNumbers() async throws {
        try await TestService.application(TestService.make()).test(.router) { client in
            let name = try XCTUnwrap(HTTPField.Name("X-Request-Id"))
            let given = try await client.get("/healthz", headers: ["X-Request-Id": "proxy-7.1"])
            XCTAssertEqual(given.headers[name], "proxy-7.1")
            let odd = try await client.get("/healthz", headers: ["X-Request-Id": "a b\"c"])
            XCTAssertNotEqual(odd.headers[name], "a b\"c")
            let none = try await client.get("/healthz")
            XCTAssertFalse(none.headers[name]?.isEmpty ?? true)
        }
    }

    func testTheRequestsAreDescribed() async throws {
        try await TestService.application(TestService.make()).test(.router) { client in
            let answer = Answer(try await client.get("/v1/requests"))
            let requests = try XCTUnwrap(answer.object["requests"] as? [[String: Any]])
            XCTAssertEqual(requests.compactMap { $0["name"] as? String }, AnalysisDescription.all.map(\.name))
            let classify = try XCTUnwrap(requests.first?["parameters"] as? [String: [String: Any]])
            XCTAssertEqual(classify["top"]?["maximum"] as? Int, 10_000)
            XCTAssertEqual(classify["minConfidence"]?["default"] as? Double, 0.01)
            XCTAssertEqual(classify["ancestors"]?["type"] as? String, "boolean")
        }
    }

    func testThePageIsWholeAndLoadsNothingFromElsewhere() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Page")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardized.path).sorted()
        XCTAssertEqual(PageFile.all.map(\.name).sorted(), files)
        try await TestService.application(TestService.make()).test(.router) { client in
            for file in files {
                let response = try await client.get(file == "index.html" ? "/" : "/page/\(file)")
                XCTAssertEqual(response.status, .ok, file)
                XCTAssertEqual(
                    Data(buffer: response.body), try Data(contentsOf: folder.standardized.appendingPathComponent(file)))
                XCTAssertNotEqual(response.headers[.contentType], "application/octet-stream", file)
                let policy = try XCTUnwrap(response.headers[.contentSecurityPolicy])
                XCTAssertTrue(policy.hasPrefix("default-src 'self'; img-src 'self' blob: data:;"), policy)
                XCTAssertFalse(policy.contains("unsafe"))
            }
            let other = try await client.get("/page/..%2fPackage.swift")
            XCTAssertEqual(other.status, .notFound)
        }
    }

    func testMetricsCountByRouteAndStatus() async throws {
        let image = try TestService.code("metrics")
        try await TestService.application(TestService.make()).test(.router) { client in
            for body in [image, image, Data("x".utf8)] { _ = try await client.post("/v1/barcodes", body) }
            _ = try await client.execute(uri: "/any/\"\n", method: HTTPRequest.Method("ODD") ?? .get)
            let response = try await client.get("/metrics")
            XCTAssertEqual(response.headers[.contentType], "text/plain; version=0.0.4; charset=utf-8")
            let text = String(buffer: response.body)
            let lines = Set(text.split(separator: "\n").map(String.init))
            for line in [
                "# TYPE openvision_http_requests_total counter",
                #"openvision_http_requests_total{method="POST",route="/v1/barcodes",status="200"} 2.0"#,
                #"openvision_http_requests_total{method="POST",route="/v1/barcodes",status="422"} 1.0"#,
                #"openvision_http_requests_total{method="other",route="other",status="404"} 1.0"#,
                #"openvision_http_request_duration_seconds_count{route="/v1/barcodes"} 3"#,
                #"openvision_http_request_duration_seconds_bucket{route="/v1/barcodes",le="+Inf"} 3"#,
                "openvision_jobs_waiting 0.0", "openvision_jobs_running 0.0",
            ] { XCTAssertTrue(lines.contains(line), "\(line) is not in\n\(text)") }
            let side = try await client.post("/v1/barcodes", image)
            let size = try XCTUnwrap(side.object["image"] as? [String: Any])["width"] as? Int ?? 0
            XCTAssertTrue(lines.contains("openvision_pixels_total \(Double(2 * size * size))"), text)
        }
    }

    func testTheOpenAPIDocumentHasTheRoutesAndTheirParameters() async throws {
        let service = try TestService.make { $0.token = BearerToken("0123456789abcdef") }
        try await TestService.application(service).test(.router) { client in
            let document = Answer(try await client.get("/openapi.json")).object
            XCTAssertEqual(document["openapi"] as? String, "3.1.0")
            let paths = try XCTUnwrap(document["paths"] as? [String: [String: [String: Any]]])
            XCTAssertEqual(Set(paths.keys), Set(service.routes.map(\.path)))
            var identifiers = Set<String>()
            for route in service.routes {
                let operation = try XCTUnwrap(paths[route.path]?[route.method.rawValue.lowercased()], route.path)
                identifiers.insert(try XCTUnwrap(operation["operationId"] as? String))
                let parameters = (operation["parameters"] as? [[String: Any]] ?? []).compactMap {
                    $0["name"] as? String
                }
                XCTAssertEqual(parameters, route.action == .analyze ? ["requests"] : route.parameters.map(\.name))
                XCTAssertEqual(operation["requestBody"] != nil, route.takesImage)
                XCTAssertEqual(operation["security"] != nil, route.needsToken)
                // What is described is there.
                let response = try await client.execute(uri: route.path, method: route.method)
                let described = try XCTUnwrap(operation["responses"] as? [String: Any])
                XCTAssertNotNil(described[String(response.status.code)], "\(route.path) \(response.status)")
            }
            XCTAssertEqual(identifiers.count, service.routes.count)
        }
    }
}
