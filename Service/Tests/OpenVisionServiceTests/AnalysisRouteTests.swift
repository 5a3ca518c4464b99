import Foundation
import Hummingbird
import HummingbirdTesting
import VisionAnalysis
import XCTest

@testable import OpenVisionService

/// Images in all forms, and what is found in them.
final class AnalysisRouteTests: XCTestCase {
    private func form(_ parts: [(name: String, data: Data)], boundary: String = "limit") -> Data {
        var body = Data()
        for part in parts {
            body += Data(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"; filename=\"a;b\"\r\n\r\n".utf8)
            body += part.data + Data("\r\n".utf8)
        }
        return body + Data("--\(boundary)--\r\n".utf8)
    }

    private let formType = "multipart/form-data; boundary=limit"

    func testAnImageMayBeTheBodyAPartOfAFormOrBase64() async throws {
        let image = try TestService.code("one two")
        let json = try JSONSerialization.data(
            withJSONObject: ["image": image.base64EncodedString(), "requests": ["barcodes", ["name": "horizon"]]])
        let parts = form([("requests", Data(#"["barcodes", {"name": "horizon"}]"#.utf8)), ("image", image)])
        let service = try TestService.make()
        let formType = formType
        try await TestService.application(service).test(.router) { client in
            let answers = [
                try await client.post("/v1/analyze?requests=barcodes,horizon", image),
                try await client.post("/v1/analyze?requests=barcodes%2Chorizon", image, type: "IMAGE/x-any; a=b"),
                try await client.post("/v1/analyze?requests=barcodes,horizon", image, type: nil),
                try await client.post("/v1/analyze", parts, type: formType),
                try await client.post("/v1/analyze", json, type: "application/json; charset=utf-8"),
            ]
            for (index, answer) in answers.enumerated() {
                XCTAssertEqual(answer.status, 200, "\(index) \(answer.message ?? "")")
                XCTAssertEqual(answer.results("barcodes").first?["payload"] as? String, "one two", "\(index)")
                XCTAssertEqual(Set((answer.object["results"] as? [String: Any] ?? [:]).keys), ["barcodes", "horizon"])
                XCTAssertEqual(answer.object["kind"] as? String, "analyze")
                let size = answer.object["image"] as? [String: Any]
                XCTAssertEqual(size?["width"] as? Int, size?["height"] as? Int)
                XCTAssertTrue(size?["path"] is NSNull)
            }
        }
    }

    func testTheAnswerIsTheReportOfTheWorker() async throws {
        let image = try TestService.code("same")
        let report = try await AnalysisPlan(names: "barcodes,rectangles").analyze(image)
        let expected = try report.json()
        try await TestService.application(TestService.make()).test(.router) { client in
            let answer = try await client.post("/v1/analyze?requests=barcodes,rectangles", image)
            XCTAssertEqual(
                answer.object as NSDictionary, try JSONSerialization.jsonObject(with: expected) as? NSDictionary)
        }
    }

    func testEachAnalysisHasARouteWithParametersInTheQueryOrTheBody() async throws {
        let image = try TestService.code("three")
        let json = try JSONSerialization.data(
            withJSONObject: ["image": image.base64EncodedString(), "symbologies": ["qr", "ean13"]] as [String: Any])
        let other = try JSONSerialization.data(
            withJSONObject: ["image": image.base64EncodedString(), "symbologies": ["ean13"]] as [String: Any])
        let parts = form([("image", image), ("symbologies", Data("ean13".utf8))])
        let formType = formType
        try await TestService.application(TestService.make()).test(.router) { client in
            for (answer, count) in [
                (try await client.post("/v1/barcodes", image), 1),
                (try await client.post("/v1/barcodes?symbologies=ean13,qr", image), 1),
                (try await client.post("/v1/barcodes?symbologies=ean13", image), 0),
                (try await client.post("/v1/barcodes", json, type: "application/json"), 1),
                (try await client.post("/v1/barcodes", other, type: "application/json"), 0),
                (try await client.post("/v1/barcodes", parts, type: formType), 0),
            ] {
                XCTAssertEqual(answer.status, 200, answer.message ?? "")
                XCTAssertEqual(answer.results("barcodes").count, count)
                XCTAssertEqual(Array((answer.object["results"] as? [String: Any] ?? [:]).keys), ["barcodes"])
            }
        }
    }

    func testWhatIsWrongWithARequestIsSaid() async throws {
        let image = try TestService.code("four")
        let base64 = image.base64EncodedString()
        let json = "application/json"
        let cases: [(uri: String, body: Data, type: String, status: Int, code: String, message: String)] = [
            ("/v1/analyze", image, "image/png", 400, "invalid_request", "No request is named"),
            ("/v1/analyze?requests=", image, "image/png", 400, "invalid_request", "No request"),
            ("/v1/analyze?requests=smell", image, "image/png", 400, "invalid_request", "\"smell\""),
            ("/v1/analyze?requests=text,text", image, "image/png", 400, "invalid_request", "twice"),
            ("/v1/analyze?requests=text&top=3", image, "image/png", 400, "invalid_request", "\"top\""),
            ("/v1/analyze?requests=%5B%7B", image, "image/png", 400, "invalid_request", "JSON"),
            ("/v1/analyze?requests=%ZZ", image, "image/png", 400, "invalid_request", "query"),
            ("/v1/classify?top=0", image, "image/png", 400, "invalid_request", "top of classify"),
            ("/v1/classify?top=1&top=2", image, "image/png", 400, "invalid_request", "twice"),
            ("/v1/faces?landmarks=1", image, "image/png", 400, "invalid_request", "true or false"),
            ("/v1/people?minConfidence=nan", image, "image/png", 400, "invalid_request", "from 0 to 1"),
            ("/v1/horizon?path=/etc/passwd", image, "image/png", 400, "invalid_request", "\"path\""),
            ("/v1/horizon", Data(), "image/png", 400, "invalid_request", "no image"),
            ("/v1/horizon", Data("[]".utf8), json, 400, "invalid_request", "object"),
            ("/v1/horizon", Data("{".utf8), json, 400, "invalid_request", "JSON"),
            ("/v1/horizon", Data(#"{"path": "/etc/passwd"}"#.utf8), json, 400, "invalid_request", "\"image\""),
            ("/v1/horizon", Data(#"{"image": "http://example.org/"}"#.utf8), json, 400, "invalid_request", "Base64"),
            ("/v1/horizon?x=1", Data(#"{"image": "\#(base64)", "y": 1}"#.utf8), json, 400, "invalid_request", "both"),
            (
                "/v1/horizon", Data(#"{"image": "\#(base64)", "url": "file:///etc"}"#.utf8), json, 400,
                "invalid_request",
                "\"url\""
            ),
            ("/v1/horizon", image, "text/plain", 415, "unsupported_media_type", "text/plain"),
            ("/v1/horizon", image, "application/x-www-form-urlencoded", 415, "unsupported_media_type", "image/*"),
            ("/v1/horizon", image, "multipart/form-data", 400, "invalid_request", "boundary"),
            ("/v1/horizon", Data("no image".utf8), "image/png", 422, "invalid_image", "JPEG"),
            ("/v1/horizon", image.prefix(60), "image/png", 422, "invalid_image", ""),
            ("/v1/nothing", image, "image/png", 404, "not_found", "nothing"),
        ]
        try await TestService.application(TestService.make()).test(.router) { client in
            for (uri, body, type, status, code, message) in cases {
                let answer = try await client.post(uri, body, type: type)
                XCTAssertEqual(answer.status, status, "\(uri) \(answer.message ?? "")")
                XCTAssertEqual(answer.code, code, uri)
                let text = message == "both" ? "in the query and in the body" : message
                XCTAssertTrue(
                    message.isEmpty || answer.message?.contains(text) == true, "\(uri): \(answer.message ?? "")")
            }
            let zipped = try await client.post("/v1/horizon", image, headers: ["Content-Encoding": "gzip"])
            XCTAssertEqual(zipped.code, "unsupported_media_type")
        }
    }

    func testTheElementsOfAListMayBePartsOfAForm() async throws {
        let image = try TestService.code("six")
        let list = form([("requests", Data("horizon".utf8)), ("image", image), ("requests", Data("barcodes".utf8))])
        let kinds = form([("image", image), ("symbologies", Data("ean13".utf8)), ("symbologies", Data("qr".utf8))])
        let numbers = form([("top", Data("1".utf8)), ("top", Data("2".utf8)), ("image", image)])
        let images = form([("image", image), ("requests", Data("barcodes".utf8)), ("image", image)])
        let formType = formType
        try await TestService.application(TestService.make()).test(.router) { client in
            let several = try await client.post("/v1/analyze", list, type: formType)
            XCTAssertEqual(Set((several.object["results"] as? [String: Any] ?? [:]).keys), ["barcodes", "horizon"])
            let found = try await client.post("/v1/barcodes", kinds, type: formType)
            XCTAssertEqual(found.results("barcodes").first?["payload"] as? String, "six")
            let two = try await client.post("/v1/classify", numbers, type: formType)
            XCTAssertEqual(two.code, "invalid_request")
            let twice = try await client.post("/v1/analyze", images, type: formType)
            XCTAssertEqual(twice.message, "The form has 2 parts \"image\"; it must have one.")
        }
    }

    func testDamagedFormsAreRefused() async throws {
        let image = try TestService.code("five")
        let whole = form([("requests", Data("barcodes".utf8)), ("image", image)])
        var bodies = [
            Data(), Data("--limit".utf8), Data("--limit--".utf8), Data("--limit\r\n\r\n--limit--".utf8),
            form([]), form([("image", image), ("image", image)]), form([("photo", image)]),
        ]
        for text in [
            "--limit\r\nContent-Disposition: form-data\r\n\r\nx\r\n--limit--",
            "--limit\r\nContent-Disposition: attachment; name=\"image\"\r\n\r\nx\r\n--limit--",
            "--limit\r\nContent-Disposition: form-data; name=\"image\r\n\r\nx",
            "--limit" + String(repeating: " ", count: 100_000),
            "--limit\r\n" + String(repeating: "A", count: 100_000) + "\r\n\r\nx\r\n--limit--",
        ] { bodies.append(Data(text.utf8)) }
        bodies.append(form((0..<40).map { (name: "part\($0)", data: Data()) }))
        for count in stride(from: 0, to: whole.count - 8, by: 7) { bodies.append(whole.prefix(count)) }
        let (formType, damaged) = (formType, bodies)
        try await TestService.application(TestService.make()).test(.router) { client in
            for body in damaged {
                let answer = try await client.post("/v1/analyze", body, type: formType)
                XCTAssertEqual(answer.code, "invalid_request", "\(body.count) bytes: \(answer.status)")
            }
            let answer = try await client.post("/v1/analyze", whole, type: formType)
            XCTAssertEqual(answer.results("barcodes").count, 1)
        }
    }

    func testDeepJSONIsRefused() async throws {
        let deep = String(repeating: "[", count: 200_000)
        try await TestService.application(TestService.make()).test(.router) { client in
            for text in [
                deep, #"{"image": "AAAA", "requests": "# + deep, #"{"image": "AAAA", "requests": "\#(deep)"}"#,
            ] {
                let answer = try await client.post("/v1/analyze", Data(text.utf8), type: "application/json")
                XCTAssertEqual(answer.code, "invalid_request")
            }
        }
    }
}
