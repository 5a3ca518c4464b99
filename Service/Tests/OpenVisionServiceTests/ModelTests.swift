import Foundation
import Glibc
import Hummingbird
import HummingbirdTesting
import Vision
import VisionFilters
import XCTest

@testable import OpenVisionService

/// Models of a folder, and their routes.
final class ModelTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/nonexistent")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("openvision-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    @discardableResult
    private func write(_ data: Data, _ name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }

    private let labels = ["red", "green", "blue"]

    private func service(_ change: (inout ServiceConfiguration) -> Void = { _ in }) throws -> AnalysisService {
        let models = try ModelFolder(folder.path).load()
        return try TestService.make { configuration in
            configuration.models = models
            change(&configuration)
        }
    }

    /// An image of one colour, as PNG.
    private func image(red: CGFloat, green: CGFloat, blue: CGFloat) throws -> Data {
        let image = CIImage(color: CIColor(red: red, green: green, blue: blue))
            .cropped(to: CGRect(x: 0, y: 0, width: 24, height: 16))
        return try XCTUnwrap(
            CIContext().pngRepresentation(of: image, format: .RGBA8, colorSpace: CGColorSpaceCreateDeviceRGB()))
    }

    // MARK: - Routes

    func testAModelAnswersWithItsLabels() async throws {
        try write(SmallModel.colours(labels), "colours.onnx")
        try write(SmallModel.colours(["rot", "grün", "blau"]), "Farben-2.1_b.ONNX")
        let (green, blue) = (try image(red: 0, green: 1, blue: 0), try image(red: 0, green: 0, blue: 1))
        let json = try JSONSerialization.data(withJSONObject: ["image": blue.base64EncodedString(), "top": 1])
        try await TestService.application(service()).test(.router) { client in
            let answer = try await client.post("/v1/models/colours", green)
            XCTAssertEqual(answer.status, 200, answer.message ?? "")
            XCTAssertEqual(Array((answer.object["results"] as? [String: Any] ?? [:]).keys), ["colours"])
            XCTAssertEqual(answer.results("colours").count, 3)
            XCTAssertEqual(answer.bestLabel("colours"), "green")
            let one = try await client.post("/v1/models/colours?top=1&crop=fill", blue)
            XCTAssertEqual(one.results("colours").compactMap { $0["label"] as? String }, ["blue"])
            let other = try await client.post("/v1/models/Farben-2.1_b", json, type: "application/json")
            XCTAssertEqual(other.results("Farben-2.1_b").compactMap { $0["label"] as? String }, ["blau"])
            // Characters of names may be escaped.
            let escaped = try await client.post("/v1/models/%46arben%2D2%2E1%5fb", green)
            XCTAssertEqual(escaped.bestLabel("Farben-2.1_b"), "grün")
            for query in ["top=0", "crop=none", "minConfidence=2", "name=colours", "path=/etc/passwd"] {
                let wrong = try await client.post("/v1/models/colours?\(query)", blue)
                XCTAssertEqual([String(wrong.status), wrong.code], ["400", "invalid_request"], query)
            }
            let damaged = try await client.post("/v1/models/colours", Data("no image".utf8))
            XCTAssertEqual([String(damaged.status), damaged.code], ["422", "invalid_image"])
            let names = Answer(try await client.get("/v1/requests")).object["models"] as? [String]
            XCTAssertEqual(names, ["Farben-2.1_b", "colours"])
        }
    }

    func testNamesLeadToNoFile() async throws {
        try write(SmallModel.colours(labels), "colours.onnx")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("inner"), withIntermediateDirectories: true)
        try write(SmallModel.colours(labels), "inner/hidden.onnx")
        try write(Data("secret".utf8), "secret.txt")
        let service = try service()
        let image = try image(red: 1, green: 0, blue: 0)
        let (path, name) = (folder.path, folder.lastPathComponent)
        let names = [
            "other", "Colours", "colours.onnx", "colours%00", "colours%20", "colours%2F", "%2Fcolours", ".", "..",
            "%2e%2e", "secret", "secret.txt", "inner", "inner%2Fhidden", "inner/hidden", "inner%5Chidden",
            "..%2F\(name)%2Fcolours", "../\(name)/colours", "..%2f..%2f..%2fetc%2fpasswd", "../../../etc/passwd",
            "%252e%252e%252fcolours", "%ff%fe", "%", "%zz", "{name}", ":name", "*", "**", "",
            String(repeating: "a", count: 5000),
        ]
        try await TestService.application(service).test(.live) { client in
            for name in names {
                // As it is: a proper client would change some of the paths.
                let raw = try RawClient(port: try XCTUnwrap(client.port))
                raw.send(
                    Data(
                        ("POST /v1/models/\(name) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                            + "Content-Type: image/png\r\nContent-Length: \(image.count)\r\n\r\n").utf8) + image)
                let answer = raw.readAll()
                XCTAssertTrue(answer.hasPrefix("HTTP/1.1 404 "), "\(name.prefix(60)): \(answer.prefix(60))")
                XCTAssertTrue(answer.contains("not_found"), "\(name.prefix(60)): \(answer)")
                XCTAssertFalse(answer.contains(path), name)
            }
        }
    }

    func testAnUnknownNameIsRefusedBeforeTheBody() async throws {
        try write(SmallModel.colours(labels), "colours.onnx")
        try await TestService.application(service()).test(.live) { client in
            let raw = try RawClient(port: try XCTUnwrap(client.port))
            raw.send("POST /v1/models/other HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
            XCTAssertTrue(raw.readHead().hasPrefix("HTTP/1.1 404 "))
        }
    }

    func testFirstRequestsMayComeTogether() async throws {
        try write(SmallModel.colours(labels), "colours.onnx")
        let images = [
            try image(red: 1, green: 0, blue: 0), try image(red: 0, green: 1, blue: 0),
            try image(red: 0, green: 0, blue: 1),
        ]
        let service = try service {
            $0.limits.workers = 4
            $0.limits.queue = 64
        }
        let labels = labels
        try await TestService.application(service).test(.router) { client in
            let answers = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for number in 0..<24 {
                    group.addTask {
                        let answer = try await client.post("/v1/models/colours?top=1", images[number % 3])
                        return (number % 3, answer.bestLabel("colours"))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            XCTAssertEqual(answers.count, 24)
            for (number, label) in answers { XCTAssertEqual(label, labels[number]) }
        }
    }

    func testAFileThatIsReplacedChangesNothing() async throws {
        let file = try write(SmallModel.colours(labels), "colours.onnx")
        let image = try image(red: 0, green: 1, blue: 0)
        let service = try service()
        let changes: [() throws -> Void] = [
            {}, { try SmallModel.colours(["rot", "grün", "blau"]).write(to: file) },
            // In place, and shorter: what was mapped would end the process.
            { _ = truncate(file.path, 3) }, { try FileManager.default.removeItem(at: file) },
            { _ = mkfifo(file.path, 0o600) },
        ]
        let application = TestService.application(service)
        for change in changes {
            try change()
            try await application.test(.router) { client in
                let answer = try await client.post("/v1/models/colours", image)
                XCTAssertEqual(answer.status, 200)
                XCTAssertEqual(answer.bestLabel("colours"), "green")
            }
        }
    }

    // MARK: - Folders

    /// The message of the error with which the folder is refused; nil when it is accepted or the load does not end.
    private func refusal(line: UInt = #line) -> String? {
        let (message, done) = (Shared<String?>(nil), DispatchSemaphore(value: 0))
        let path = folder.path
        let thread = Thread {
            do {
                _ = try ModelFolder(path).load()
            } catch let error as ConfigurationError {
                message.change { $0 = error.description }
            } catch { XCTFail("\(error)", line: line) }
            done.signal()
        }
        thread.start()
        XCTAssertEqual(done.wait(timeout: .now() + 20), .success, "The load does not end.", line: line)
        return message.current
    }

    func testWhatIsNoModelIsRefused() throws {
        let good = SmallModel.colours(labels)
        let operatorName = try XCTUnwrap(good.range(of: Data("ReduceMean".utf8)))
        var other = good
        other.replaceSubrange(operatorName, with: Data("ReduceMoon".utf8))
        let cases: [(name: String, data: Data, message: String)] = [
            ("empty.onnx", Data(), "empty"), ("cut.onnx", good.prefix(good.count / 2), "cannot be offered"),
            ("noise.onnx", Data((0..<999).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }), "cannot be offered"),
            ("text.tflite", Data("no model".utf8), "cannot be offered"),
            ("text.mlmodel", Data("no model".utf8), "cannot be offered"),
            ("operator.onnx", other, "ReduceMoon"),
            ("two words.onnx", good, "\"two words\" cannot be the name of a model"),
            ("größe.onnx", good, "cannot be the name of a model"),
            ("\(String(repeating: "a", count: 120)).onnx", good, "cannot be the name of a model"),
        ]
        for (name, data, message) in cases {
            let file = try write(data, name)
            let refusal = refusal() ?? "accepted"
            XCTAssertTrue(refusal.contains(message), "\(name): \(refusal)")
            XCTAssertTrue(refusal.contains(name.prefix(12).split(separator: ".")[0]), "\(name): \(refusal)")
            try FileManager.default.removeItem(at: file)
        }
    }

    func testWhatIsNoFileIsRefused() throws {
        let make: [(name: String, make: (URL) throws -> Void)] = [
            ("pipe.onnx", { XCTAssertEqual(mkfifo($0.path, 0o600), 0) }),
            ("pipe.mlpackage", { XCTAssertEqual(mkfifo($0.path, 0o600), 0) }),
            ("device.onnx", { XCTAssertEqual(symlink("/dev/zero", $0.path), 0) }),
            ("nowhere.onnx", { XCTAssertEqual(symlink("/nonexistent/model.onnx", $0.path), 0) }),
            ("circle.onnx", { XCTAssertEqual(symlink($0.path, $0.path), 0) }),
            ("folder.onnx", { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true) }),
            ("bare.mlpackage", { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true) }),
            (
                "piped.mlpackage",
                { url in
                    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
                    XCTAssertEqual(mkfifo(url.appendingPathComponent("Manifest.json").path, 0o600), 0)
                }
            ),
        ]
        for (name, make) in make {
            let file = folder.appendingPathComponent(name)
            try make(file)
            let refusal = refusal() ?? "accepted"
            XCTAssertTrue(refusal.contains(name) && refusal.contains("cannot be offered"), "\(name): \(refusal)")
            try FileManager.default.removeItem(at: file)
        }
        // Beside a good model.
        try write(SmallModel.colours(labels), "colours.onnx")
        XCTAssertEqual(mkfifo(folder.appendingPathComponent("colours.json").path, 0o600), 0)
        XCTAssertTrue(refusal()?.contains("cannot be offered") ?? false)
    }

    func testFoldersAreReadAsAWhole() throws {
        XCTAssertTrue(refusal()?.contains("has no models") ?? false)
        try write(Data("notes".utf8), "notes.txt")
        // What macOS leaves beside files.
        try write(Data("no model".utf8), "._colours.onnx")
        XCTAssertTrue(refusal()?.contains("has no models") ?? false)
        try write(SmallModel.colours(labels), "colours.onnx")
        XCTAssertEqual(Array(try ModelFolder(folder.path).load().keys), ["colours"])
        let link = folder.appendingPathComponent("linked.onnx")
        XCTAssertEqual(symlink("colours.onnx", link.path), 0)
        XCTAssertEqual(try ModelFolder(folder.path).load().keys.sorted(), ["colours", "linked"])
        try write(SmallModel.colours(labels), "colours.mlmodel")
        XCTAssertEqual(refusal(), "\(folder.path) has two models with the name colours.")
        XCTAssertThrowsError(try ModelFolder(folder.path + "/nothing").load()) { error in
            XCTAssertTrue("\(error)".contains("cannot be read"), "\(error)")
        }
    }

    func testAServiceRefusesNamesThatArePaths() throws {
        try write(SmallModel.colours(labels), "colours.onnx")
        let model = try XCTUnwrap(try ModelFolder(folder.path).load()["colours"])
        for name in ["", ".", "..", "../a", "a/b", "a b", "a%2Fb", "ä", String(repeating: "a", count: 101)] {
            XCTAssertThrowsError(try TestService.make { $0.models = [name: model] }, name) { error in
                XCTAssertTrue(error is ConfigurationError, "\(error)")
            }
        }
    }
}

extension Answer {
    /// The first label of a model's results.
    fileprivate func bestLabel(_ model: String) -> String? { results(model).first?["label"] as? String }
}
