import NetworkMetadata
import CoreML
import ModelTestSupport
import XCTest

final class MetadataTests: XCTestCase {
    private func read(_ json: String) throws -> ModelMetadata { try ModelMetadata(json: Data(json.utf8)) }

    func testAllFieldsAreReadBack() throws {
        let metadata = try read(
            """
            {"formatVersion": 1, "description": "d", "author": "a", "license": "l", "version": "2",
             "userDefined": {"key": "value"}, "labels": ["x", "y"],
             "inputs": {"image": {"type": "image", "colorOrder": "BGR", "layout": "NHWC", "scale": 0.5, "bias": [1, 2, \
             3],
                                  "width": 20, "height": 10},
                        "mix": {"type": "number", "default": 0.25}},
             "outputs": {"out": {"type": "image", "pixelFormat": "OneComponent8", "scale": 255}},
             "detector": {"kind": "ssd", "confidenceThreshold": 0.5, "iouThreshold": 0.6, "boxes": "b", "scores": "s",
                          "boxOrder": "yxyx", "units": "pixels", "background": -1, "maximumCount": 7}}
            """)
        XCTAssertEqual(metadata.description, "d")
        XCTAssertEqual([metadata.author, metadata.license, metadata.version], ["a", "l", "2"])
        XCTAssertEqual(metadata.userDefined, ["key": "value"])
        XCTAssertEqual(metadata.labels, ["x", "y"])
        let image = try XCTUnwrap(metadata.inputs["image"])
        XCTAssertEqual(image.kind, .image)
        XCTAssertEqual(image.colourOrder, .bgr)
        XCTAssertEqual(image.layout, .channelsLast)
        XCTAssertEqual(image.scale, SIMD3(repeating: 0.5))
        XCTAssertEqual(image.bias, SIMD3(1, 2, 3))
        XCTAssertEqual([image.width, image.height], [20, 10])
        XCTAssertEqual(metadata.inputs["mix"]?.defaultValue, 0.25)
        XCTAssertEqual(metadata.outputs["out"]?.pixelFormat, .grey)
        XCTAssertEqual(metadata.detector.kind, .ssd)
        XCTAssertEqual(metadata.detector.boxOrder, .yxyx)
        XCTAssertEqual(metadata.detector.background, -1)
        XCTAssertEqual(metadata.detector.maximumCount, 7)
    }

    func testMistakesAreRefusedWithTheirPosition() {
        let mistakes = [
            ("[]", "must be an object"),
            ("{", "not JSON"),
            (#"{"lables": ["a"]}"#, "lables"),
            (#"{"formatVersion": 2}"#, "formatVersion"),
            (#"{"labels": "a"}"#, "labels"),
            (#"{"labels": []}"#, "labels"),
            (#"{"labels": ["a", 1]}"#, "labels[1]"),
            (#"{"labelsFile": "../secrets"}"#, "labelsFile"),
            (#"{"inputs": {"x": {"scale": [1, 2]}}}"#, "inputs.x.scale"),
            (#"{"inputs": {"x": {"width": 0}}}"#, "inputs.x.width"),
            (#"{"inputs": {"x": {"width": 1.5}}}"#, "inputs.x.width"),
            (#"{"inputs": {"x": {"colorOrder": "RBG"}}}"#, "inputs.x.colorOrder"),
            (#"{"inputs": {"x": {"type": "number", "scale": 2}}}"#, "inputs.x.type"),
            (#"{"inputs": {"x": {"pixelFormat": "32BGRA"}}}"#, "inputs.x.pixelFormat"),
            (#"{"outputs": {"x": {"type": "number"}}}"#, "outputs.x.type"),
            (#"{"outputs": {"x": {"pixelFormat": "32BGRA"}}}"#, "outputs.x.pixelFormat"),
            (#"{"classifier": {"activation": "relu"}}"#, "classifier.activation"),
            (#"{"classifier": {}, "detector": {"kind": "ssd"}}"#, "detector"),
            (#"{"detector": {"iouThreshold": 2}}"#, "detector.iouThreshold"),
            (#"{"detector": {"kind": "rcnn"}}"#, "detector.kind"),
            (#"{"userDefined": {"a": 1}}"#, "userDefined.a"),
        ]
        for (json, text) in mistakes {
            XCTAssertThrowsError(try read(json), json) { error in
                XCTAssertTrue("\(error)".contains(text), "\(json): \(error)")
            }
        }
    }

    func testDeeplyNestedTextDoesNotEndTheProcess() {
        let depth = 200_000
        XCTAssertThrowsError(
            try read(
                #"{"userDefined": "# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
            ))
    }

    func testNamesThatTheModelDoesNotHaveAreRefused() throws {
        let session = try echo("x", .float32, [1])
        for json in [
            #"{"inputs": {"y": {}}}"#, #"{"outputs": {"y": {}}}"#, #"{"detector": {"boxes": "y"}}"#,
        ] {
            XCTAssertThrowsError(try makeModel(session, json), json) { error in
                XCTAssertTrue(error.localizedDescription.contains("“y”"), error.localizedDescription)
            }
        }
        XCTAssertThrowsError(try makeModel(session, #"{"inputs": {"x": {"type": "image"}}}"#))
        XCTAssertThrowsError(
            try makeModel(echo("x", .float32, [1, 3, 4, 4]), #"{"inputs": {"x": {"width": 5}}}"#))
    }

    func testUltralyticsNamesAreRead() throws {
        let metadata = try ModelMetadata.find(
            besideModelAt: nil, properties: ["names": #"{1: "b's", 0: 'a, \'q\''}"#, "author": "U"])
        XCTAssertEqual(metadata.labels, ["a, 'q'", "b's"])
        XCTAssertEqual(metadata.author, "U")
        for damaged in ["{0: 'a'", "{0: 'a', 2: 'b'}", "{0 'a'}", "", "{}", "{0: 'a' 1: 'b'}"] {
            XCTAssertNil(
                try ModelMetadata.find(besideModelAt: nil, properties: ["names": damaged]).labels, damaged)
        }
    }

    func testTheFileBesideTheModelOverridesTheModelsOwnProperty() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("metadata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appendingPathComponent("food.onnx")
        let properties = ["openvision": #"{"labels": ["own"]}"#, "names": "{0: 'python'}"]
        XCTAssertEqual(try ModelMetadata.find(besideModelAt: model, properties: properties).labels, ["own"])
        try "bagel\r\negg\n\n".write(
            to: folder.appendingPathComponent("food.txt"), atomically: true, encoding: .utf8)
        let file = folder.appendingPathComponent("food.json")
        try #"{"labelsFile": "food.txt"}"#.write(to: file, atomically: true, encoding: .utf8)
        XCTAssertEqual(try ModelMetadata.find(besideModelAt: model, properties: properties).labels, ["bagel", "egg"])
        try #"{"labelsFile": "none.txt"}"#.write(to: file, atomically: true, encoding: .utf8)
        XCTAssertThrowsError(try ModelMetadata.find(besideModelAt: model, properties: properties)) { error in
            XCTAssertTrue(error.localizedDescription.contains(file.path), error.localizedDescription)
        }
    }
}
