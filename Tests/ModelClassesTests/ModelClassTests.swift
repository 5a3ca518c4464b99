import ModelClasses
import XCTest

/// The Swift classes of models. Those in `Generated` are what the generator writes for the files made here: this target
/// compiles them, and the tests call them.
///
/// `OPENVISION_WRITE_CLASSES=1 swift test --filter ModelClassesTests` writes them anew.
final class ModelClassTests: XCTestCase {
    private func generated(
        _ bytes: [UInt8], _ fileName: String, access: ModelClass.Access = .internal,
        bundle: ModelClass.ResourceBundle = .main
    ) throws -> ModelClass {
        let url = try write(bytes, fileName)
        return try ModelClass(coreMLAt: url, access: access, bundle: bundle)
    }

    func testTheClassesAreThoseThatAreCompiledHere() throws {
        for model in [
            try generated(ClassFixtures.colourNames, "ColourNames.mlmodel"),
            try generated(ClassFixtures.oddNames, "odd-names.mlmodel", access: .public),
            try generated(ClassFixtures.everyKind, "EveryKind.mlmodel"),
        ] {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("Generated/\(model.name).swift")
            if ProcessInfo.processInfo.environment["OPENVISION_WRITE_CLASSES"] != nil {
                try Data(model.source.utf8).write(to: file)
            }
            XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), model.source, file.lastPathComponent)
        }
    }

    func testNamesAndDescriptionsOfModelsStayText() {
        let feature = ModelFeature(
            name: "x\"\\(y)\n", summary: "one\n} two\r\u{2029}three \u{202E}", kind: .double, isOptional: false)
        let source = ModelClass(
            name: "1 bad-name", fileName: "1 \"bad\"-name.mlmodel", inputs: [feature], outputs: []
        ).source
        XCTAssertTrue(source.contains("\nnonisolated class _1_bad_name: @unchecked Sendable {"), source)
        XCTAssertTrue(source.contains("/// one } two three as double value\n"), source)
        XCTAssertTrue(source.contains("var x___y__: Double\n"), source)
        XCTAssertTrue(source.contains(#""x\"\\(y)\u{a}""#), source)
        XCTAssertTrue(source.contains(#"forResource: "1 \"bad\"-name", withExtension"#), source)
        XCTAssertTrue(source.contains("Bundle.module"), source)
    }

    func testIdentifiers() {
        for (name, identifier) in [
            ("image", "image"), ("473", "_473"), ("input.1", "input_1"), ("conv2d/bias:0", "conv2d_bias_0"), ("", "_0"),
            ("größe", "größe"), ("init", "init_"), ("a b", "a_b"), ("🦆", "__0"),
        ] {
            XCTAssertEqual(SwiftText.identifier(name), identifier)
        }
        XCTAssertEqual(SwiftText.escaped("class"), "`class`")
        XCTAssertEqual(SwiftText.escaped("classes"), "classes")
    }

    func testWhatIsNoCoreMLFileIsRefused() throws {
        XCTAssertThrowsError(try generated([1, 2, 3], "a.mlmodel"))
        XCTAssertThrowsError(try generated(Array(ClassFixtures.colourNames.dropLast(200)), "a.mlmodel"))
        XCTAssertThrowsError(try ModelClass(coreMLAt: URL(fileURLWithPath: "/nowhere.mlpackage")))
    }
}
