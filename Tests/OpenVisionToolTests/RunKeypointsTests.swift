import Foundation
import ModelTestSupport
import Vision
import VisionInference
import XCTest

@testable import openvision

/// Points that `openvision run` reads from the outputs of networks for poses.
final class RunKeypointsTests: XCTestCase {
    /// 84 cells of strides 8, 16 and 32 in 64 × 64 pixels.
    private static let cells = 84

    /// A network that gives the same numbers for every image.
    private func network(_ output: String, _ shape: [Int], _ values: [Float], _ properties: [String: String] = [:])
        throws -> Data
    {
        var builder = ONNXBuilder(opset: 17)
        builder.model.metadata = properties
        let input = builder.input("images", [1, 3, 64, 64])
        let zero = try builder.initialiser("zero", [1], [Float(0)])
        let nothing = builder.node("Mul", [builder.node("ReduceMax", [input]), zero])
        let flat = builder.node("Flatten", [nothing])
        let constant = try builder.initialiser("numbers", shape, values)
        builder.output(builder.node("Add", [flat, constant], output: output), shape.map { .fixed($0) })
        return builder.data()
    }

    /// The columns of an Ultralytics pose network: two boxes of one person, and a second person.
    private static var people: [Float] {
        var values = [Float](repeating: 0, count: 56 * cells)
        func person(cell: Int, x: Float, y: Float, score: Float) {
            for (row, value) in [x, y, 20, 30, score].enumerated() { values[row * cells + cell] = value }
            for point in 0..<17 {
                for (row, value) in [x - 8 + Float(point), y - 12 + Float(point), 0.9].enumerated() {
                    values[(5 + 3 * point + row) * cells + cell] = value
                }
            }
        }
        person(cell: 10, x: 21, y: 31, score: 0.8)
        person(cell: 11, x: 20, y: 30, score: 0.9)
        person(cell: 40, x: 50, y: 34, score: 0.6)
        person(cell: 41, x: 10, y: 34, score: 0.1)
        return values
    }

    private static let properties = ["names": "{0: 'person'}", "kpt_shape": "[17, 3]", "task": "pose"]

    func testPeopleOfAPoseNetworkAreFoundOnceAndDrawn() throws {
        let scratch = try Scratch()
        let model = try scratch.write(
            try network("output0", [1, 56, Self.cells], Self.people, Self.properties), "pose.onnx")
        // 64 × 64 pixels of the input show 96 × 96 of the image, which has bars of 16 above and below.
        let photo = try DrawnPhotos.write(Colour(red: 90, green: 90, blue: 90), "grey.png", in: scratch)
        let run = try openvision(["run", model, photo, "--json", "--render", scratch.path("drawn.png")])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 2, run.output)
        let first = try run.object(0)
        XCTAssertEqual(first["label"] as? String, "person")
        XCTAssertEqual(try XCTUnwrap(first["confidence"] as? Double), 0.9, accuracy: 1e-4)
        let box = numbers(first["box"])
        for (found, expected) in zip(box, [15.0, 6.5, 30, 45]) { XCTAssertEqual(found, expected, accuracy: 0.01) }
        let points = try XCTUnwrap(first["points"] as? [[String: Any]])
        XCTAssertEqual(points.count, 17)
        let place = try XCTUnwrap(points[4]["point"] as? [Double])
        XCTAssertEqual(place[0], (20 - 8 + 4) * 1.5, accuracy: 0.01)
        XCTAssertEqual(place[1], (30 - 12 + 4) * 1.5 - 16, accuracy: 0.01)
        XCTAssertEqual(try XCTUnwrap(points[4]["confidence"] as? Double), 0.9, accuracy: 1e-4)
        let drawn = try Data(contentsOf: URL(fileURLWithPath: scratch.path("drawn.png")))
        XCTAssertNotEqual(drawn, try Data(contentsOf: URL(fileURLWithPath: photo)))
        let text = try openvision(["run", model, photo])
        XCTAssertTrue(text.output.contains("17 points, 17 of them clear"), text.output)
        XCTAssertEqual(try openvision(["run", model, photo, "--min-confidence", "0.7", "--json"]).lines.count, 1)
    }

    func testHeatMapsBecomePoints() throws {
        let scratch = try Scratch()
        var values = [Float](repeating: 0, count: 3 * 16 * 16)
        values[4 * 16 + 8] = 0.75
        values[4 * 16 + 9] = 0.5
        values[256 + 12 * 16 + 2] = 0.5
        // The background is no point.
        for cell in 512..<768 { values[cell] = 1 }
        let model = try scratch.write(try network("heatmaps", [1, 3, 16, 16], values), "maps.onnx")
        let photo = try DrawnPhotos.write(Colour(red: 90, green: 90, blue: 90), "grey.png", in: scratch)
        let run = try openvision(["run", model, photo, "--json", "--render", scratch.path("drawn.png")])
        XCTAssertEqual(run.code, 0, run.errors)
        let points = try XCTUnwrap(try run.object(0)["points"] as? [[String: Any]])
        XCTAssertEqual(points.count, 2)
        let place = try XCTUnwrap(points[0]["point"] as? [Double])
        XCTAssertEqual(place[0], 8.75 / 16 * 96, accuracy: 0.01)
        XCTAssertEqual(place[1], 4.5 / 16 * 96 - 16, accuracy: 0.01)
        XCTAssertEqual(points[1]["confidence"] as? Double, 0.5)
        XCTAssertNil(Keypoints(heatMaps: "scores", shape: [1, 3, 16, 16]) { values }, "classes of a segmentation")
        XCTAssertEqual(Keypoints(heatMaps: "pose", shape: [16, 16, 3]) { values.reordered }?.points.count, 2)
        XCTAssertNil(Keypoints(heatMaps: "pose", shape: [1, 3, 16, 16]) { values.map { _ in .nan } })
        XCTAssertNil(Keypoints(heatMaps: "pose", shape: [1, 3, 16, 16]) { [] })
    }

    func testRowsOfOtherShapesAndNumbersAreNoPeople() throws {
        func rows(_ shape: String?, labels: Int? = 1, size: (Int, Int)? = (64, 64)) -> KeypointRows? {
            KeypointRows(properties: shape.map { ["kpt_shape": $0] } ?? [:], labelCount: labels, inputSize: size)
        }
        for shape in [nil, "", "[17]", "[17, 4]", "[0, 3]", "[100000000000, 3]", "[-1, 2]", "(17, 3)"] {
            XCTAssertNil(rows(shape), "\(shape ?? "none")")
        }
        XCTAssertNil(rows("[17, 3]", size: nil))
        let network = try XCTUnwrap(rows("[17, 3]"))
        XCTAssertNil(network.objects(shape: [1, 57, 84]) { [Float](repeating: 0, count: 57 * 84) })
        XCTAssertNil(network.objects(shape: [1, 56, 84]) { [] })
        XCTAssertEqual(network.objects(shape: [1, 56, 84]) { Self.people }?.count, 2)
        XCTAssertEqual(network.objects(shape: [1, 56, 84]) { Self.people.map { _ in .nan } }?.count, 0)
        XCTAssertEqual(network.objects(shape: [1, 56, 84]) { Self.people.map { _ in .infinity } }?.count, 0)
        // Chosen by the network: corners, score, label, points.
        var chosen = [Float](repeating: 0, count: 3 * 57)
        chosen.replaceSubrange(0..<9, with: [4, 8, 20, 40, 0.5, 0, 12, 24, 0.75])
        chosen.replaceSubrange(57..<63, with: [4, 8, 20, 40, 0.9, 7])
        let found = try XCTUnwrap(network.objects(shape: [1, 3, 57]) { chosen })
        XCTAssertEqual(found.count, 1)
        XCTAssertEqual(found.first?.object?.box.width, 0.25)
        XCTAssertEqual(found.first?.points.first?.x, 12.0 / 64)
        XCTAssertEqual(found.first?.points.first?.confidence, 0.75)
    }
}

extension [Float] {
    /// Three planes of 256 values with the planes last.
    fileprivate var reordered: [Float] { (0..<count).map { self[$0 % 3 * 256 + $0 / 3] } }
}
