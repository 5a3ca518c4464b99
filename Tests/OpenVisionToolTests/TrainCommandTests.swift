import ModelTestSupport
import Foundation
import Vision
import VisionVideo
import XCTest

@testable import openvision
import VisionPhotos

/// Trains and evaluates as users do, with drawn photos.
final class TrainCommandTests: XCTestCase {
    private func requireNetwork() throws {
        _ = try requireModel { try PhotoPrinter(revision: nil) }
    }

    /// Bars, standing or lying, of any colours.
    private func write(_ label: String, _ number: Int, to folder: String) throws {
        let buffer = try CVPixelBuffer.make(width: 120, height: 120, format: kCVPixelFormatType_32BGRA, path: "test")
        let ground = Colour(red: UInt8(number * 9 % 80), green: UInt8(number * 17 % 80), blue: UInt8(number * 5 % 80))
        let ink = Colour(
            red: UInt8(150 + number * 7 % 100), green: UInt8(150 + number * 13 % 100), blue: UInt8(150 + number % 100))
        let step = 12 + number % 5 * 3
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: 120, height: 120), ground)
            for start in stride(from: number % step, to: 120, by: step) {
                let bar =
                    label == "standing"
                    ? PixelRectangle(x: start, y: 0, width: step / 2, height: 120)
                    : PixelRectangle(x: 0, y: start, width: 120, height: step / 2)
                canvas.fill(bar, ink)
            }
        }
        let path = "\(folder)/\(label)/\(number).png"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try ImageFile.write(buffer, to: path)
    }

    private func run(_ arguments: [String], _ scratch: Scratch) throws -> ToolRun {
        try openvision(arguments, environment: ["OPENVISION_FEATURES": scratch.path("features")])
    }

    func testFoldersBecomeAClassifierThatIsEvaluated() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let (photos, test, model) = (scratch.path("photos"), scratch.path("test"), scratch.path("bars.mlmodel"))
        for label in ["standing", "lying"] {
            for number in 0..<12 { try write(label, number, to: photos) }
            for number in 30..<36 { try write(label, number, to: test) }
        }
        usleep(80_000)
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: photos + "/lying/broken.jpg"))
        let trained = try run(["train", photos, "--output", model], scratch)
        XCTAssertEqual(trained.code, 0, trained.errors)
        XCTAssertTrue(trained.output.contains("Skipped: "), trained.output)
        XCTAssertTrue(trained.output.contains("broken.jpg"))
        XCTAssertTrue(trained.output.contains("Training accuracy: 100.00 %"))

        let again = try run(["train", photos, "--output", model, "--json"], scratch).object(0)
        XCTAssertEqual(again["networkRuns"] as? Int, 0)
        XCTAssertEqual(again["fromCache"] as? Int, 24)
        XCTAssertEqual(again["labels"] as? [String], ["lying", "standing"])
        XCTAssertEqual(
            again["bytes"] as? Int, try FileManager.default.attributesOfItem(atPath: model)[.size] as? Int)

        let info = try run(["model-info", model, "--json"], scratch)
        XCTAssertEqual(info.code, 0, info.errors)
        XCTAssertEqual(try info.object(0)["labels"] as? [String], ["lying", "standing"])
        XCTAssertGreaterThan(try XCTUnwrap(try info.object(0)["parameters"] as? Int), 1_000_000)
        let profile = try run(["profile", model, "--runs", "1", "--json"], scratch)
        XCTAssertEqual(profile.code, 0, profile.errors)
        let layers = try profile.lines.indices.dropLast().map { try profile.object($0)["layer"] as? String ?? "" }
        XCTAssertTrue(layers.contains { $0.hasPrefix("features/") } && layers.contains { $0.hasPrefix("classifier/") })

        let image = scratch.path("confusion.png")
        let text = try run(["evaluate", model, test, "--picture", image], scratch)
        XCTAssertEqual(text.code, 0, text.errors)
        XCTAssertTrue(text.output.contains("Accuracy 100.00 %: 12 of 12 photos"), text.output)
        XCTAssertNotNil(
            CGImageSourceCreateWithURL(URL(fileURLWithPath: image), nil).flatMap {
                CGImageSourceCreateImageAtIndex($0, 0, nil)
            })
        let json = try run(["evaluate", model, test, "--json", "--no-cache"], scratch).object(0)
        XCTAssertEqual(json["accuracy"] as? Double, 1)
        XCTAssertEqual(json["confusion"] as? [[Int]], [[6, 0], [0, 6]])
        // As a build step: labels that the photos do not have make it fail.
        try FileManager.default.moveItem(atPath: test + "/lying", toPath: test + "/other")
        XCTAssertEqual(try run(["evaluate", model, test, "--minimum", "0.9", "--quiet"], scratch).code, 1)
        let warned = try run(["evaluate", model, test], scratch)
        XCTAssertEqual(warned.code, 0)
        XCTAssertTrue(warned.errors.contains("does not know other"), warned.errors)
        // With no label that the classifier knows, an accuracy of 0 % would say nothing.
        try FileManager.default.moveItem(atPath: test + "/standing", toPath: test + "/another")
        let refused = try run(["evaluate", model, test], scratch)
        XCTAssertEqual(refused.code, 1)
        XCTAssertTrue(refused.errors.contains("none of its labels: another, other"), refused.errors)
    }

    func testInvalidCommandsAreRefused() throws {
        let scratch = try Scratch()
        for arguments in [
            ["train"], ["train", "a"], ["train", "a", "--output", "b", "--augment", "sparkle"],
            ["train", "a", "--output", "b", "--revision", "3"], ["train", "a", "--output", "b", "--iterations", "0"],
            ["train", "a", "--output", "b", "--extractor-output", "x"], ["evaluate", "a"],
            ["evaluate", "a", "b", "--minimum", "2"],
        ] {
            XCTAssertEqual(try run(arguments, scratch).code, 64, "\(arguments)")
        }
        try requireNetwork()
        let missing = try run(["train", scratch.path("nowhere"), "--output", scratch.path("m")], scratch)
        XCTAssertEqual(missing.code, 1)
        XCTAssertTrue(missing.errors.contains("nowhere"), missing.errors)
        XCTAssertEqual(try run(["evaluate", scratch.path("nowhere"), scratch.path("b")], scratch).code, 1)
    }

    func testConfusionMatrixImagesHaveACellForEveryPair() throws {
        let small = try ConfusionMatrixImage(labels: ["é", "日本"], counts: [[3, 1], [0, 9]]).render()
        let large = try ConfusionMatrixImage(
            labels: (0..<30).map { "class \($0)" },
            counts: (0..<30).map { row in (0..<30).map { $0 == row ? 12345 : 0 } }
        ).render()
        XCTAssertGreaterThan(CVPixelBufferGetWidth(large), 5 * CVPixelBufferGetWidth(small))
        XCTAssertEqual(
            [0, 25, 26, 51, 52, 701, 702].map(ConfusionMatrixImage.shortName),
            ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
    }
}
