import CoreML
import ModelFixtures
import ModelTestSupport
import XCTest

/// Multiplies by a parameter and by its weights: one for each channel, (sequence, batch, channel, row, column).
private final class ChannelScale: MLCustomLayer {
    private let factor: Float
    private let isActive: Bool
    private var weights: [Float] = []

    required init(parameters: [String: Any]) throws {
        guard let factor = parameters["factor"] as? Double, parameters["factor"] as? Float == 0.5,
            parameters["title"] as? String == "scale",
            let count = parameters["count"] as? Int, count == -2, let isActive = parameters["active"] as? Bool
        else { throw MLModelError(.customLayer, userInfo: [NSLocalizedDescriptionKey: "parameters: \(parameters)"]) }
        self.factor = Float(factor)
        self.isActive = isActive
    }

    func setWeightData(_ weights: [Data]) throws {
        self.weights = weights.flatMap { data in
            stride(from: 0, to: data.count, by: 4).map { start in
                data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Float.self) }
            }
        }
    }

    func outputShapes(forInputShapes inputShapes: [[NSNumber]]) throws -> [[NSNumber]] { inputShapes }

    func evaluate(inputs: [MLMultiArray], outputs: [MLMultiArray]) throws {
        XCTAssertEqual(inputs[0].shape.count, 5)
        let channels = inputs[0].shape[2].intValue
        for index in 0..<inputs[0].count {
            let channel = index / (inputs[0].count / channels)
            outputs[0][index] = (isActive ? inputs[0][index].floatValue * factor * weights[channel] : 0) as NSNumber
        }
    }
}

/// Has the shape that its parameter says, and fails where it is to.
private final class Shaper: MLCustomLayer {
    private let parameters: [String: Any]

    required init(parameters: [String: Any]) throws { self.parameters = parameters }

    func setWeightData(_ weights: [Data]) throws {}

    func outputShapes(forInputShapes inputShapes: [[NSNumber]]) throws -> [[NSNumber]] {
        if parameters["refuses"] != nil { throw CocoaError(.featureUnsupported) }
        return [[NSNumber(value: parameters["length"] as? Int ?? 1)]]
    }

    func evaluate(inputs: [MLMultiArray], outputs: [MLMultiArray]) throws {
        if parameters["fails"] != nil { throw CocoaError(.featureUnsupported) }
    }
}

/// Layers of neural networks that classes of the program compute.
final class CustomLayerTests: XCTestCase {
    private typealias Builder = CoreMLFileBuilder

    private func parameters(_ className: String, _ values: [(String, ProtoFields)], weights: [ProtoValue] = [])
        -> ProtoFields
    {
        [
            10: .string(className), 20: .repeated(weights),
            30: .repeated(values.map { .message([1: .string($0.0), 2: .message($0.1)]) }),
        ]
    }

    /// A custom layer between two that the engine has.
    private func network(_ layer: ProtoFields, exactRanks: Bool = false) -> [UInt8] {
        var builder = Builder()
        builder.inputs = [Builder.array("x", exactRanks ? [2] : [2, 1, 2])]
        builder.outputs = [Builder.array("y", exactRanks ? [] : [2, 1, 2])]
        let relu: ProtoFields = [10: .message([:])]
        return builder.file(
            500,
            [
                1: .repeated([
                    Builder.layer("before", ["x"], ["a"], 130, relu),
                    Builder.layer("mine", ["a"], ["b"], 500, layer),
                    Builder.layer("after", ["b"], ["y"], 130, [5: .message([1: .float(2)])]),
                ]), 5: .int(exactRanks ? 1 : 0),
            ])
    }

    private func load(_ bytes: [UInt8]) throws -> MLModel {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) {
            try MLModel(contentsOf: folder.write(Data(bytes), "custom.mlmodel"))
        }
    }

    private let scale: [(String, ProtoFields)] = [
        ("factor", [10: .double(0.5)]), ("title", [20: .string("scale")]), ("count", [30: .int(-2)]),
        ("active", [50: .int(1)]),
    ]

    func testALayerOfTheProgramRunsWithinTheNetwork() throws {
        MLModel.registerCustomLayer(ChannelScale.self, named: "TestChannelScale")
        let weights = [Builder.weights([10, 20])]
        let model = try load(network(parameters("TestChannelScale", scale, weights: weights)))
        let x = try MLMultiArray(shape: [2, 1, 2], dataType: .float32)
        for (index, value) in [1, -1, 3, 4].enumerated() { x[index] = value as NSNumber }
        for _ in 0..<2 {
            let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": x]))
            let y = try XCTUnwrap(output.featureValue(for: "y")?.multiArrayValue)
            XCTAssertEqual((0..<4).map { y[$0].doubleValue }, [10, 0, 60, 80])
        }
    }

    func testWeightsAreTheBytesOfTheFile() throws {
        MLModel.registerCustomLayer(ChannelScale.self, named: "TestChannelScale")
        let raw = withUnsafeBytes(of: (Float(1), Float(3))) { Array($0) }
        let model = try load(network(parameters("TestChannelScale", scale, weights: [.message([30: .bytes(raw)])])))
        let x = try MLMultiArray([2, 2, 2, 2] as [Float])
        let shaped = MLMultiArray(MLShapedArray<Float>(x).reshaped(to: [2, 1, 2]))
        let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": shaped]))
        let y = try XCTUnwrap(output.featureValue(for: "y")?.multiArrayValue)
        XCTAssertEqual((0..<4).map { y[$0].doubleValue }, [2, 2, 6, 6])
    }

    private func assertRefused(
        _ bytes: [UInt8], _ code: MLModelError.Code, _ text: String, line: UInt = #line
    ) {
        XCTAssertThrowsError(try load(bytes), line: line) { error in
            XCTAssertEqual((error as? MLModelError)?.code, code, "\(error)", line: line)
            XCTAssertTrue(error.localizedDescription.contains(text), error.localizedDescription, line: line)
        }
    }

    func testALayerWithoutAClassIsNamed() {
        assertRefused(
            network(parameters("NobodysLayer", [])), .customLayer,
            "registerCustomLayer(TheClass.self, named: \"NobodysLayer\")")
        assertRefused(network(parameters("Foundation.NSObject", [])), .customLayer, "“mine”")
        assertRefused(network(parameters("../\u{0}(x)", [])), .customLayer, "“mine”")
        MLModel.registerCustomLayer(ChannelScale.self, named: "TestChannelScale")
        assertRefused(network(parameters("TestChannelScale", [])), .customLayer, "parameters")
    }

    func testShapesAreCheckedAndErrorsReported() throws {
        MLModel.registerCustomLayer(Shaper.self)
        func file(_ name: String, _ value: ProtoFields, exactRanks: Bool = true) -> [UInt8] {
            network(parameters("Shaper", [(name, value)]), exactRanks: exactRanks)
        }
        assertRefused(file("length", [30: .int(-1)]), .generic, "the shape [-1]")
        assertRefused(file("length", [40: .int(1 << 62)]), .generic, "custom")
        assertRefused(file("length", [30: .int(3)], exactRanks: false), .generic, "five axes")
        assertRefused(file("refuses", [50: .int(1)]), .customLayer, "“mine”")
        let model = try load(file("fails", [50: .int(1)]))
        let x = try MLDictionaryFeatureProvider(dictionary: ["x": MLMultiArray([1, 2] as [Float])])
        XCTAssertThrowsError(try model.prediction(from: x)) { error in
            XCTAssertEqual((error as? MLModelError)?.code, .customLayer, "\(error)")
        }
        let longer = try load(file("length", [30: .int(3)])).prediction(from: x)
        XCTAssertEqual(longer.featureValue(for: "y")?.multiArrayValue?.shape, [3])
    }
}
