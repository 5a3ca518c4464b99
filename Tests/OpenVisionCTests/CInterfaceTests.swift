import COpenVision
import Foundation

import ModelTestSupport
import OpenVisionC
import VisionInference
import XCTest

/// The C interface, called as C programs do.
final class CInterfaceTests: XCTestCase {
    /// Owns a result.
    private final class Returned {
        let pointer: OpaquePointer?

        init(_ pointer: OpaquePointer?) { self.pointer = pointer }

        deinit { openvision_result_free(pointer) }

        var error: String? { openvision_result_error(pointer).map { String(cString: $0) } }

        func object() throws -> [String: Any] {
            let text = try XCTUnwrap(openvision_result_json(pointer).map { String(cString: $0) }, error ?? "")
            return try XCTUnwrap(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }

        func array(_ index: Int = 0) -> openvision_array? {
            var array = openvision_array()
            return openvision_result_array(pointer, index, &array) == 1 ? array : nil
        }
    }

    /// A bright card on a dark table, as RGB.
    private let card = (0..<240).flatMap { y in
        (0..<320).flatMap { x in
            [UInt8](repeating: (60..<220).contains(x) && (50..<170).contains(y) ? 230 : 40, count: 3)
        }
    }

    private func analyzed(_ pixels: openvision_pixels, _ requests: String?) -> Returned {
        withUnsafePointer(to: pixels) { Returned(openvision_analyze_pixels($0, requests)) }
    }

    private func pixels(
        _ data: UnsafeRawPointer?, _ width: Int64 = 320, _ height: Int64 = 240, _ rowBytes: Int64 = 960,
        _ format: Int = OPENVISION_RGB
    ) -> openvision_pixels {
        openvision_pixels(data: data, width: width, height: height, row_bytes: rowBytes, format: Int32(format))
    }

    func testTheVersionIsThatOfTheHeader() {
        XCTAssertEqual(openvision_abi_version(), Int32(OPENVISION_ABI_VERSION))
    }

    func testPixelsAreAnalysed() throws {
        try card.withUnsafeBytes { bytes in
            let found = analyzed(pixels(bytes.baseAddress), #"["rectangles", "horizon"]"#)
            XCTAssertNil(found.error)
            let results = try XCTUnwrap(try found.object()["results"] as? [String: [[String: Any]]])
            let corners = try XCTUnwrap(results["rectangles"]?.first?["corners"] as? [[Double]])
            for (corner, expected) in zip(corners, [[60, 50], [220, 50], [220, 170], [60, 170]]) {
                XCTAssertEqual(corner[0], Double(expected[0]), accuracy: 2)
                XCTAssertEqual(corner[1], Double(expected[1]), accuracy: 2)
            }
            XCTAssertNil(found.array())
        }
    }

    func testAPrintIsAnArrayToo() throws {
        let found = card.withUnsafeBytes { analyzed(pixels($0.baseAddress), #""print""#) }
        let report = try found.object()
        let reason = (report["error"] as? String) ?? ""
        _ = try requireModel { if !reason.isEmpty { throw XCTSkip(reason) } }
        let array = try XCTUnwrap(found.array())
        XCTAssertEqual(String(cString: array.name), "print")
        XCTAssertEqual([array.rank, array.type], [1, Int32(OPENVISION_FLOAT32)])
        XCTAssertEqual(array.shape[0], 512)
        let elements = UnsafeBufferPointer(start: array.data.assumingMemoryBound(to: Float.self), count: 512)
        XCTAssertEqual(elements.reduce(0) { $0 + $1 * $1 }, 1, accuracy: 1e-3)
        let results = report["results"] as? [String: [[String: Any]]]
        let text = try XCTUnwrap(results?["print"]?.first?["base64"] as? String)
        XCTAssertEqual(Data(base64Encoded: text), Data(buffer: elements))
    }

    func testWrongArgumentsAreSentences() throws {
        let names = [#"["horizon"]"#, nil, "", "{", "[]", #"["smell"]"#, #"{"name": "faces", "top": 1}"#]
        card.withUnsafeBytes { bytes in
            for (number, requests) in names.enumerated() {
                let error = analyzed(pixels(bytes.baseAddress), requests).error
                XCTAssertEqual(error == nil, number == 0, requests ?? "NULL")
                XCTAssertFalse(error?.contains("error 1") == true)
            }
            let wrong = [
                pixels(nil), pixels(bytes.baseAddress, 0), pixels(bytes.baseAddress, -1),
                pixels(bytes.baseAddress, .max), pixels(bytes.baseAddress, 320, 0),
                pixels(bytes.baseAddress, 320, .min), pixels(bytes.baseAddress, 320, 240, 959),
                pixels(bytes.baseAddress, 320, 240, .max), pixels(bytes.baseAddress, 320, 240, 960, 0),
                pixels(bytes.baseAddress, 320, 240, 960, 77),
            ]
            for pixels in wrong { XCTAssertNotNil(analyzed(pixels, #""horizon""#).error, "\(pixels)") }
            XCTAssertNotNil(Returned(openvision_analyze_pixels(nil, #""horizon""#)).error)
            XCTAssertNotNil(Returned(openvision_analyze_file(bytes.baseAddress, 0, #""horizon""#)).error)
            XCTAssertNotNil(Returned(openvision_analyze_file(nil, 7, #""horizon""#)).error)
        }
        // Bytes that are no image are a report with an error, as the worker's.
        let file = Data("no image".utf8).withUnsafeBytes {
            Returned(openvision_analyze_file($0.baseAddress, $0.count, #""horizon""#))
        }
        XCTAssertNotNil(try file.object()["error"] as? String)
        let invalid: [CChar] = [34, -1, -2, 34, 0]
        let text = card.withUnsafeBytes { bytes in
            withUnsafePointer(to: pixels(bytes.baseAddress)) { Returned(openvision_analyze_pixels($0, invalid)) }
        }
        XCTAssertEqual(text.error?.contains("UTF-8"), true)
        openvision_result_free(nil)
        openvision_model_free(nil)
        XCTAssertNil(openvision_result_json(nil))
        XCTAssertEqual(openvision_result_array_count(nil), 0)
    }

    // MARK: - Models

    private func open(_ path: String) -> (Returned, OpaquePointer?) {
        var model: OpaquePointer?
        let result = Returned(openvision_model_open(path, &model))
        return (result, model)
    }

    private func array(_ data: UnsafeRawPointer?, _ shape: UnsafePointer<Int64>?, _ rank: Int32, _ type: Int)
        -> openvision_array
    {
        openvision_array(name: nil, data: data, shape: shape, rank: rank, type: Int32(type))
    }

    private func predicted(_ model: OpaquePointer?, _ name: String, _ array: openvision_array) -> Returned {
        name.withCString { name in
            var input = openvision_input()
            (input.name, input.kind, input.array) = (name, Int32(OPENVISION_INPUT_ARRAY), array)
            return Returned(openvision_model_predict(model, &input, 1))
        }
    }

    func testAModelRuns() throws {
        let scratch = try Scratch()
        let path = scratch.path("double.onnx")
        var builder = ONNXBuilder(opset: 17)
        let x = builder.input("x", [1, 4])
        builder.output(builder.node("Add", [x, x], output: "twice"), [1, 4])
        try builder.data().write(to: URL(fileURLWithPath: path))
        let (opened, model) = open(path)
        defer { openvision_model_free(model) }
        XCTAssertNil(opened.error)
        let inputs = try XCTUnwrap(try opened.object()["inputs"] as? [[String: Any]])
        let name = try XCTUnwrap(inputs.first?["name"] as? String)
        let (numbers, shape): ([Float], [Int64]) = ([1, -2, 3, 0.5], [1, 4])
        let result = predicted(model, name, array(numbers, shape, 2, OPENVISION_FLOAT32))
        let output = try XCTUnwrap(result.array(), result.error ?? "")
        XCTAssertEqual(
            Array(UnsafeBufferPointer(start: output.data.assumingMemoryBound(to: Float.self), count: 4)),
            [2, -4, 6, 1])
        let hostile: [(shape: [Int64], rank: Int32, type: Int)] = [
            ([1, 4], 0, OPENVISION_FLOAT32), ([1, 4], 17, OPENVISION_FLOAT32), ([1, -4], 2, OPENVISION_FLOAT32),
            ([.max, .max], 2, OPENVISION_FLOAT32), ([1 << 39, 4], 2, OPENVISION_FLOAT32),
            ([0, 4], 2, OPENVISION_INT32),
            ([1, 4], 2, OPENVISION_UINT8), ([1, 4], 2, 99),
        ]
        for (shape, rank, type) in hostile {
            XCTAssertNotNil(predicted(model, name, array(numbers, shape, rank, type)).error, "\(shape) \(rank) \(type)")
        }
        XCTAssertNotNil(predicted(model, name, array(nil, shape, 2, OPENVISION_FLOAT32)).error)
        XCTAssertNotNil(predicted(model, "other", array(numbers, shape, 2, OPENVISION_FLOAT32)).error)
        XCTAssertNotNil(predicted(nil, name, array(numbers, shape, 2, OPENVISION_FLOAT32)).error)
        XCTAssertNotNil(Returned(openvision_model_predict(model, nil, 5)).error)
    }

    func testAnOutputOfASingleNumberHasNoAxes() throws {
        let scratch = try Scratch()
        let path = scratch.path("sum.onnx")
        var builder = ONNXBuilder(opset: 17)
        let x = builder.input("x", [1, 4])
        builder.output(builder.node("ReduceMax", [x], ["keepdims": 0], output: "most"), [])
        try builder.data().write(to: URL(fileURLWithPath: path))
        let (opened, model) = open(path)
        defer { openvision_model_free(model) }
        XCTAssertNil(opened.error)
        let (numbers, shape): ([Float], [Int64]) = ([1, -2, 3, 0.5], [1, 4])
        let result = predicted(model, "x", array(numbers, shape, 2, OPENVISION_FLOAT32))
        let output = try XCTUnwrap(result.array(), result.error ?? "")
        XCTAssertEqual((0..<Int(output.rank)).reduce(1) { $0 * Int(output.shape[$1]) }, 1)
        XCTAssertEqual(output.data.load(as: Float.self), 3)
    }

    func testWhatIsNoModelIsAnError() throws {
        let scratch = try Scratch()
        try Data("text".utf8).write(to: URL(fileURLWithPath: scratch.path("text.mlmodel")))
        for path in [scratch.path("missing.onnx"), scratch.path("text.mlmodel"), scratch.path("."), ""] {
            let (result, model) = open(path)
            XCTAssertNil(model)
            XCTAssertNotNil(result.error, path)
        }
        XCTAssertNotNil(Returned(openvision_model_open(nil, nil)).error)
    }

    // MARK: Trackers

    func testAThingIsFollowedThroughFrames() throws {
        /// The card, moved to the right.
        func frame(_ shift: Int) -> [UInt8] {
            (0..<240).flatMap { y in
                (0..<320).flatMap { x in
                    let inside = (60..<140).contains(x - shift) && (50..<130).contains(y)
                    return [UInt8](repeating: inside ? UInt8(170 + (x - shift + y) % 16 * 5) : 40, count: 3)
                }
            }
        }
        func target(_ result: Returned) throws -> (x: Double, confidence: Double) {
            XCTAssertNil(result.error)
            let found = try XCTUnwrap((try result.object()["targets"] as? [[String: Any]])?.first)
            return (
                try XCTUnwrap((found["box"] as? [String: Double])?["x"]), try XCTUnwrap(found["confidence"] as? Double)
            )
        }
        var tracker: OpaquePointer?
        defer { openvision_tracker_free(tracker) }
        let options = #"{"boxes": [[60, 50, 80, 80]], "revision": 1}"#
        try frame(0).withUnsafeBytes { bytes in
            let first = withUnsafePointer(to: pixels(bytes.baseAddress)) {
                Returned(openvision_tracker_start($0, options, &tracker))
            }
            XCTAssertEqual(try target(first).x, 60, accuracy: 0.01)
        }
        for shift in [5, 10, 15, 20] {
            try frame(shift).withUnsafeBytes { bytes in
                let next = withUnsafePointer(to: pixels(bytes.baseAddress)) {
                    Returned(openvision_tracker_next(tracker, $0))
                }
                XCTAssertEqual(try target(next).x, Double(60 + shift), accuracy: 6)
                XCTAssertGreaterThan(try target(next).confidence, 0)
            }
        }
        // What cannot be used leaves the tracker as it is.
        try card.withUnsafeBytes { bytes in
            let small = withUnsafePointer(to: pixels(bytes.baseAddress, 300, 240, 960)) {
                Returned(openvision_tracker_next(tracker, $0))
            }
            XCTAssertTrue(try XCTUnwrap(small.error).contains("300 × 240"))
        }
        XCTAssertNotNil(Returned(openvision_tracker_next(tracker, nil)).error)
        XCTAssertNotNil(Returned(openvision_tracker_next(nil, nil)).error)
        openvision_tracker_free(nil)
    }

    func testWhatIsNothingToTrackIsAnError() throws {
        card.withUnsafeBytes { bytes in
            for options in [
                nil, "", "[]", "{}", #"{"boxes": []}"#, #"{"boxes": [[1, 2, 3]]}"#, #"{"boxes": [[1, 2, 1e400, 3]]}"#,
                #"{"boxes": [[60, 50, 20, 20]], "speed": 1}"#, #"{"boxes": [[60, 50, 20, 20]], "revision": 7}"#,
                #"{"boxes": [[1000, 50, 20, 20]], "revision": 1}"#,
            ] {
                var tracker: OpaquePointer?
                let result = withUnsafePointer(to: pixels(bytes.baseAddress)) {
                    Returned(openvision_tracker_start($0, options, &tracker))
                }
                XCTAssertNotNil(result.error, options ?? "NULL")
                XCTAssertNil(tracker)
            }
        }
        XCTAssertNotNil(Returned(openvision_tracker_start(nil, #"{"boxes": [[1, 2, 3, 4]]}"#, nil)).error)
    }
}
