import CoreML
import ModelFixtures
import ModelTestSupport
import XCTest

/// Values that an ML program keeps from one prediction to the next.
final class StateTests: XCTestCase {
    private typealias Builder = CoreMLFileBuilder

    private static func tensor(_ shape: [Int]) -> ProtoValue {
        .message([
            1: .int(11), 2: .int(shape.count), 3: .repeated(shape.map { .message([1: .message([1: .int($0)])]) }),
        ])
    }

    private static func entry(_ key: String, _ value: ProtoValue) -> ProtoValue {
        .message([1: .string(key), 2: value])
    }

    private static func operation(_ type: String, _ inputs: [(String, String)], _ outputs: [String]) -> ProtoValue {
        .message([
            1: .string(type),
            2: .repeated(inputs.map { entry($0.0, .message([1: .repeated([.message([1: .string($0.1)])])])) }),
            3: .repeated(outputs.map { .message([1: .string($0), 2: .message([1: tensor([2])])]) }),
        ])
    }

    /// Keeps the sum of all x; y is the sum before x was added times the one after.
    private func model() throws -> MLModel {
        var builder = Builder()
        builder.version = 9
        builder.inputs = [Builder.array("x", [2])]
        builder.outputs = [Builder.array("y", [2])]
        builder.states = [
            .message([1: .string("sum"), 3: .message([8: .message([1: .message([1: .ints([2]), 2: .int(65552)])])])])
        ]
        let operations = [
            Self.operation("read_state", [("input", "sum")], ["before"]),
            Self.operation("add", [("x", "before"), ("y", "x")], ["after"]),
            Self.operation("write_state", [("input", "sum"), ("data", "after")], []),
            Self.operation("read_state", [("input", "sum")], ["again"]),
            Self.operation("mul", [("x", "before"), ("y", "again")], ["y"]),
        ]
        let block: ProtoValue = .message([2: .string("y"), 3: .repeated(operations)])
        let function: ProtoValue = .message([
            1: .repeated([
                .message([1: .string("sum"), 2: .message([5: .message([1: .message([1: Self.tensor([2])])])])]),
                .message([1: .string("x"), 2: .message([1: Self.tensor([2])])]),
            ]), 2: .string("CoreML8"), 3: .repeated([Self.entry("CoreML8", block)]),
        ])
        let folder = try TemporaryFolder()
        let file = try folder.write(
            Data(builder.file(502, [1: .int(1), 2: .repeated([Self.entry("main", function)])])), "m.mlmodel")
        return try MLModel(contentsOf: file)
    }

    private func input(_ numbers: [Double]) throws -> MLDictionaryFeatureProvider {
        let array = try MLMultiArray(shape: [2], dataType: .float32)
        for (index, number) in numbers.enumerated() { array[index] = NSNumber(value: number) }
        return try MLDictionaryFeatureProvider(dictionary: ["x": array])
    }

    private func numbers(_ output: any MLFeatureProvider) throws -> [Double] {
        let array = try XCTUnwrap(output.featureValue(for: "y")?.multiArrayValue)
        return (0..<array.count).map { array[$0].doubleValue }
    }

    func testAStateGoesFromOnePredictionToTheNext() throws {
        let model = try model()
        XCTAssertEqual(Array(model.modelDescription.inputDescriptionsByName.keys), ["x"])
        XCTAssertEqual(Array(model.modelDescription.outputDescriptionsByName.keys), ["y"])
        let (state, other) = (model.makeState(), model.makeState())
        XCTAssertEqual(try numbers(model.prediction(from: input([1, 2]), using: state)), [0, 0])
        XCTAssertEqual(try numbers(model.prediction(from: input([3, 4]), using: state)), [4, 12])
        XCTAssertEqual(
            try numbers(model.prediction(from: input([0, 1]), using: state, options: MLPredictionOptions())), [16, 42])
        state.withMultiArray(for: "sum") { XCTAssertEqual([$0[0], $0[1]], [4, 7]) }
        XCTAssertEqual(try numbers(model.prediction(from: input([3, 4]), using: other)), [0, 0])
        other.withMultiArray(for: "sum") { $0[0] = 100 }
        XCTAssertEqual(try numbers(model.prediction(from: input([0, 0]), using: other)), [10000, 16])
        // Without one every prediction begins with zeros.
        XCTAssertEqual(try numbers(model.prediction(from: input([3, 4]))), [0, 0])
        XCTAssertEqual(try numbers(model.prediction(from: input([3, 4]))), [0, 0])
    }

    func testTheStateOfAnotherModelIsRefused() throws {
        let model = try model()
        XCTAssertThrowsError(try model.prediction(from: input([1, 2]), using: plainModel().makeState())) { error in
            XCTAssertEqual((error as? MLModelError)?.code, .featureType)
        }
    }

    /// A model that keeps nothing.
    private func plainModel() throws -> MLModel {
        var builder = Builder()
        builder.inputs = [Builder.array("x", [2])]
        builder.outputs = [Builder.array("y", [2])]
        let layer = Builder.layer("r", ["x"], ["y"], 130, [10: .message([:])])
        let folder = try TemporaryFolder()
        return try MLModel(
            contentsOf: folder.write(Data(builder.file(500, [1: .repeated([layer])])), "m.mlmodel"))
    }

    func testPredictionsWithOneStateFollowEachOther() throws {
        let model = try model()
        let state = model.makeState()
        let input = try input([1, 2])
        DispatchQueue.concurrentPerform(iterations: 50) { _ in _ = try? model.prediction(from: input, using: state) }
        state.withMultiArray(for: "sum") { XCTAssertEqual([$0[0], $0[1]], [50, 100]) }
    }

    /// Outputs go to the arrays of the options, those of pixel buffers as well.
    func testOutputsGoToArraysOfTheCaller() throws {
        let model = try model()
        let type = try XCTUnwrap(
            model.prediction(from: input([1, 2])).featureValue(for: "y")?.multiArrayValue?.dataType)
        var made: CVPixelBuffer?
        let format = type == .float16 ? kCVPixelFormatType_OneComponent16Half : kCVPixelFormatType_OneComponent32Float
        CVPixelBufferCreate(nil, 2, 1, format, nil, &made)
        let buffer = try XCTUnwrap(made)
        let rows = MLMultiArray(pixelBuffer: buffer, shape: [1, 2])
        XCTAssertEqual(rows.strides.last, 1)
        XCTAssertTrue(rows.pixelBuffer === buffer)
        let options = MLPredictionOptions()
        let state = model.makeState()
        options.outputBackings = ["y": MLMultiArray(pixelBuffer: buffer, shape: [2])]
        XCTAssertEqual(try numbers(model.prediction(from: input([1, 2]), using: state, options: options)), [0, 0])
        XCTAssertEqual(try numbers(model.prediction(from: input([3, 4]), using: state, options: options)), [4, 12])
        XCTAssertEqual([rows[0].doubleValue, rows[1].doubleValue], [4, 12])
        for wrong in [["y": rows], ["z": rows], ["y": 5]] as [[String: Any]] {
            options.outputBackings = wrong
            XCTAssertThrowsError(try model.prediction(from: input([1, 2]), options: options)) {
                XCTAssertEqual(($0 as? MLModelError)?.code, .featureType)
            }
            // The state does not go on.
            let before = state.withMultiArray(for: "sum") { [$0[0].doubleValue, $0[1].doubleValue] }
            XCTAssertThrowsError(try model.prediction(from: input([1, 2]), using: state, options: options)) {
                XCTAssertEqual(($0 as? MLModelError)?.code, .featureType)
            }
            XCTAssertEqual(state.withMultiArray(for: "sum") { [$0[0].doubleValue, $0[1].doubleValue] }, before)
        }
    }
}
