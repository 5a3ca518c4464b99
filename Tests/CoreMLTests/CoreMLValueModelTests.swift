import CoreML
import ModelFixtures
import ModelTestSupport
import XCTest

/// Core ML models that are no networks, and pipelines.
final class CoreMLValueModelTests: XCTestCase {
    private typealias Builder = CoreMLFileBuilder

    private func load(_ builder: CoreMLFileBuilder, _ kind: Int, _ content: ProtoFields) throws -> MLModel {
        let folder = try TemporaryFolder()
        return try MLModel(contentsOf: folder.write(Data(builder.file(kind, content)), "m.mlmodel"))
    }

    private func predict(_ model: MLModel, _ features: [String: Any]) throws -> any MLFeatureProvider {
        try model.prediction(from: MLDictionaryFeatureProvider(dictionary: features))
    }

    private func numbers(_ value: MLFeatureValue?) throws -> [Double] {
        let array = try XCTUnwrap(value?.multiArrayValue)
        return (0..<array.count).map { array[$0].doubleValue }
    }

    private var regressor: CoreMLFileBuilder {
        var builder = Builder()
        builder.inputs = [Builder.array("x", [2])]
        builder.outputs = [Builder.double("y")]
        builder.predictedFeature = "y"
        return builder
    }

    private var classifier: CoreMLFileBuilder {
        var builder = Builder()
        builder.inputs = [Builder.array("x", [2])]
        builder.outputs = [Builder.string("label"), Builder.dictionary("all")]
        (builder.predictedFeature, builder.predictedProbabilities) = ("label", "all")
        return builder
    }

    private func labels(_ texts: String...) -> ProtoValue { .message([1: .repeated(texts.map { .string($0) })]) }

    private func assertClassified(
        _ model: MLModel, _ x: [Double], _ label: String, _ probabilities: [String: Double], line: UInt = #line
    ) throws {
        let result = try predict(model, ["x": MLMultiArray(x)])
        XCTAssertEqual(result.featureValue(for: "label")?.stringValue, label, line: line)
        let all = try XCTUnwrap(result.featureValue(for: "all")?.dictionaryValue)
        for (key, value) in probabilities {
            XCTAssertEqual(try XCTUnwrap(all[key]?.doubleValue), value, accuracy: 1e-9, key, line: line)
        }
    }

    // MARK: Linear models

    func testLinearModels() throws {
        func row(_ weights: [Double]) -> ProtoValue { .message([1: .doubles(weights)]) }
        for (transform, expected) in [(0, 3.5), (1, 1 / (1 + exp(-3.5))), (2, erfc(-3.5 / 2.0.squareRoot()) / 2)] {
            let model = try load(
                regressor, 300, [1: .repeated([row([1, 2])]), 2: .doubles([0.5]), 3: .int(transform)])
            let y = try predict(model, ["x": MLMultiArray([1, 1] as [Double])]).featureValue(for: "y")?.doubleValue
            XCTAssertEqual(try XCTUnwrap(y), expected, accuracy: 1e-12)
        }
        let binary = try load(classifier, 400, [1: .repeated([row([1, 0])]), 2: .doubles([0]), 100: labels("a", "b")])
        try assertClassified(binary, [log(3), 0], "b", ["a": 0.25, "b": 0.75])
        let reference = try load(
            classifier, 400,
            [1: .repeated([row([1, 0]), row([0, 1])]), 2: .doubles([0, 0]), 100: labels("a", "b", "c")])
        try assertClassified(reference, [log(2), 0], "b", ["a": 0.25, "b": 0.5, "c": 0.25])
        let others = try load(
            classifier, 400,
            [1: .repeated([row([1, 0]), row([0, 1])]), 2: .doubles([0, 0]), 4: .int(1), 100: labels("a", "b")])
        try assertClassified(others, [log(3), 0], "a", ["a": 0.6, "b": 0.4])
        XCTAssertThrowsError(try load(classifier, 400, [1: .repeated([row([1])]), 100: labels("a", "b", "c")]))
        XCTAssertThrowsError(try predict(binary, ["x": MLMultiArray([] as [Double])]))
    }

    // MARK: Trees

    private func node(_ tree: Int, _ number: Int, _ fields: [(Int, ProtoValue)]) -> ProtoValue {
        .bytes(
            fields.reduce(ProtoWriter.bytes([1: .int(tree), 2: .int(number)])) { $0 + ProtoWriter.bytes([$1.0: $1.1]) })
    }

    private func leaf(_ tree: Int, _ number: Int, _ value: Double, index: Int = 0) -> ProtoValue {
        node(tree, number, [(3, .int(6)), (20, .message([1: .int(index), 2: .double(value)]))])
    }

    private func branch(_ tree: Int, _ feature: Int, _ threshold: Double, missing: Bool = false) -> ProtoValue {
        node(
            tree, 0,
            [
                (10, .int(feature)), (11, .double(threshold)), (12, .int(1)), (13, .int(2)),
                (14, .int(missing ? 1 : 0)),
            ])
    }

    func testTreesAddUp() throws {
        let nodes: ProtoValue = .repeated([
            branch(0, 0, 1), leaf(0, 1, 10), leaf(0, 2, 20), branch(1, 1, 5, missing: true), leaf(1, 1, 1),
            leaf(1, 2, 2),
        ])
        let model = try load(regressor, 302, [1: .message([1: nodes, 2: .int(1), 3: .doubles([0.5])])])
        for (x, expected) in [([1, 5], 11.5), ([2, 6], 22.5), ([0, .nan], 11.5)] as [([Double], Double)] {
            let result = try predict(model, ["x": MLMultiArray(x)])
            XCTAssertEqual(result.featureValue(for: "y")?.doubleValue, expected, "\(x)")
        }
        let ensemble: ProtoValue = .message([
            1: .repeated([branch(0, 0, 0), leaf(0, 1, log(3)), leaf(0, 2, log(3), index: 1)]), 2: .int(2),
        ])
        let softmax = try load(classifier, 402, [1: ensemble, 2: .int(1), 100: labels("a", "b")])
        try assertClassified(softmax, [1, 0], "b", ["a": 0.25, "b": 0.75])
        // Two trees whose shares add up to two.
        let forest: ProtoValue = .message([
            1: .repeated([
                branch(0, 0, 0), leaf(0, 1, 1), leaf(0, 2, 1, index: 1), leaf(1, 0, 1),
            ]), 2: .int(2),
        ])
        let shares = try load(classifier, 402, [1: forest, 100: labels("a", "b")])
        try assertClassified(shares, [1, 0], "a", ["a": 0.5, "b": 0.5])
        let single: ProtoValue = .message([1: .repeated([leaf(0, 0, log(3))]), 2: .int(1)])
        let logistic = try load(classifier, 402, [1: single, 2: .int(2), 100: labels("a", "b")])
        try assertClassified(logistic, [0, 0], "b", ["a": 0.25])
    }

    func testTreesThatAreNoTreesAreRefused() {
        for nodes in [
            [branch(0, 0, 1), leaf(0, 1, 1)],
            [branch(0, 0, 1), leaf(0, 1, 1), leaf(0, 1, 1), leaf(0, 2, 1)],
            [leaf(0, 0, 1), leaf(0, 1, 1)],
            [node(0, 0, [(12, .int(0)), (13, .int(0))])],
            [node(0, 0, [(12, .int(1)), (13, .int(2))]), node(0, 1, [(12, .int(0)), (13, .int(2))]), leaf(0, 2, 1)],
            [leaf(0, 0, 1, index: 3)], [node(0, 0, [(3, .int(9))])], [],
        ] {
            XCTAssertThrowsError(
                try load(regressor, 302, [1: .message([1: .repeated(nodes), 2: .int(1)])]), "\(nodes)")
        }
    }

    // MARK: Support vectors and neighbours

    func testSupportVectors() throws {
        let dense: ProtoValue = .message([
            1: .repeated([.message([1: .doubles([1, 0])]), .message([1: .doubles([0, 2])])])
        ])
        let model = try load(
            regressor, 301,
            [1: .message([1: .message([:])]), 3: dense, 4: .message([1: .doubles([1, 10])]), 5: .double(0.5)])
        let y = try predict(model, ["x": MLMultiArray([3, 4] as [Double])]).featureValue(for: "y")?.doubleValue
        XCTAssertEqual(y, 3 + 80 - 0.5)
        // (1 − ‖x − a‖) against (1 − ‖x − b‖) by a radial kernel; sparse vectors count from 1.
        func sparse(_ index: Int, _ value: Double) -> ProtoValue {
            .message([1: .repeated([.message([1: .int(index), 2: .double(value)])])])
        }
        let radial: ProtoFields = [
            1: .message([2: .message([1: .double(0.5)])]), 2: .ints([1, 1]),
            3: .message([1: .repeated([sparse(1, 1), sparse(2, 1)])]),
            5: .repeated([.message([1: .doubles([1, -1])])]),
            6: .doubles([0]), 7: .doubles([-2]), 8: .doubles([0]), 100: labels("a", "b"),
        ]
        let machine = try load(classifier, 401, radial)
        let decision = 1 - exp(-1.0)
        let first = 1 / (1 + exp(-2 * decision))
        let result = try predict(machine, ["x": MLMultiArray([1, 0] as [Double])])
        XCTAssertEqual(result.featureValue(for: "label")?.stringValue, "a")
        XCTAssertEqual(
            try XCTUnwrap(result.featureValue(for: "all")?.dictionaryValue["a"]?.doubleValue), first, accuracy: 5e-3)
        let other = try predict(machine, ["x": MLMultiArray([0, 1] as [Double])])
        XCTAssertEqual(other.featureValue(for: "label")?.stringValue, "b")
    }

    func testNearestNeighbours() throws {
        let samples: ProtoValue = .repeated([[0, 0], [1, 0], [5, 5]].map { .message([1: .floats($0)]) })
        let model = try load(
            classifier, 404,
            [
                1: .message([1: .int(2), 2: samples]), 3: .message([1: .int(3)]), 100: labels("a", "a", "b"),
                200: .message([:]),
            ])
        try assertClassified(model, [5, 5], "a", ["a": 2.0 / 3, "b": 1.0 / 3])
    }

    // MARK: Transforms

    func testTransforms() throws {
        var builder = Builder()
        builder.inputs = [Builder.array("x", [3])]
        builder.outputs = [Builder.array("y", [3], type: 65600)]
        func check(_ kind: Int, _ content: ProtoFields, _ x: [Double], _ expected: [Double], line: UInt = #line) throws
        {
            let result = try predict(load(builder, kind, content), ["x": MLMultiArray(x)])
            XCTAssertEqual(try numbers(result.featureValue(for: "y")), expected, line: line)
        }
        try check(604, [1: .doubles([1]), 2: .doubles([1, 2, 3])], [1, 1, 1], [2, 4, 6])
        try check(607, [1: .int(0)], [1, -4, 2], [0.25, -1, 0.5])
        try check(607, [1: .int(1)], [1, -1, 2], [0.25, -0.25, 0.5])
        try check(607, [1: .int(2)], [3, 0, 4], [0.6, 0, 0.8])
        try check(601, [1: .double(7)], [1, .nan, 3], [1, 7, 3])
        try check(601, [4: .message([1: .doubles([7, 8, 9])]), 11: .double(0)], [0, 1, 0], [7, 1, 9])
        try check(609, [1: .ints([2, 0])], [1, 2, 3], [3, 1])
        try check(900, [:], [1, 2, 3], [1, 2, 3])
        builder.inputs = [Builder.string("x")]
        let encoder = try load(builder, 600, [1: labels("a", "b", "c")])
        XCTAssertEqual(try numbers(predict(encoder, ["x": "b"]).featureValue(for: "y")), [0, 1, 0])
        XCTAssertThrowsError(try predict(encoder, ["x": "z"]))
        let lenient = try load(builder, 600, [1: labels("a", "b", "c"), 11: .int(1)])
        XCTAssertEqual(try numbers(predict(lenient, ["x": "z"]).featureValue(for: "y")), [0, 0, 0])
        builder.inputs = [Builder.dictionary("x")]
        let vectoriser = try load(builder, 603, [1: labels("a", "b", "c")])
        XCTAssertEqual(
            try numbers(predict(vectoriser, ["x": ["c": 2, "a": 1]]).featureValue(for: "y")), [1, 0, 2])
        // Described as a dictionary, the result has what is not zero.
        builder.outputs = [.message([1: .string("y"), 3: .message([6: .message([1: .message([:])])])])]
        let sparse = try load(builder, 603, [1: labels("a", "b", "c")])
        let entries = try predict(sparse, ["x": ["c": 2, "a": 1]]).featureValue(for: "y")?.dictionaryValue
        XCTAssertEqual(entries as? [Int64: NSNumber], [0: 1, 2: 2])
    }

    // MARK: Pipelines

    func testPipelinesPassFeaturesOn() throws {
        var vectoriser = Builder()
        vectoriser.inputs = [Builder.double("a"), Builder.double("b")]
        vectoriser.outputs = [Builder.array("x", [2], type: 65600)]
        let columns: ProtoValue = .repeated(["a", "b"].map { .message([1: .string($0), 2: .int(1)]) })
        let model = classifier.fields(
            400, [1: .repeated([.message([1: .doubles([1, 1])])]), 2: .doubles([-3]), 100: labels("low", "high")])
        var builder = classifier
        builder.inputs = vectoriser.inputs
        let pipeline: ProtoFields = [
            1: .repeated([.message(vectoriser.fields(602, [1: columns])), .message(model)])
        ]
        let whole = try load(builder, 200, [1: .message(pipeline)])
        XCTAssertEqual(try predict(whole, ["a": 1.0, "b": 1.0]).featureValue(for: "label")?.stringValue, "low")
        XCTAssertEqual(try predict(whole, ["a": 2.0, "b": 2.0]).featureValue(for: "label")?.stringValue, "high")
        XCTAssertEqual(whole.modelDescription.classLabels as? [String], ["low", "high"])
        XCTAssertThrowsError(try predict(whole, ["a": 2.0]))
        XCTAssertThrowsError(try load(builder, 202, [:]))
    }

    func testPipelinesWithinPipelinesEnd() {
        var fields = regressor.fields(300, [1: .repeated([.message([1: .doubles([1, 1])])]), 2: .doubles([0])])
        for _ in 0..<20 { fields = regressor.fields(202, [1: .repeated([.message(fields)])]) }
        let folder = try? TemporaryFolder()
        XCTAssertThrowsError(
            try MLModel(contentsOf: XCTUnwrap(folder).write(Data(ProtoWriter.bytes(fields)), "m.mlmodel")))
    }

    func testDamagedModelsAreRefusedOrRun() throws {
        var vectoriser = Builder()
        vectoriser.inputs = [Builder.double("a"), Builder.double("b")]
        vectoriser.outputs = [Builder.array("x", [2], type: 65600)]
        let columns: ProtoValue = .repeated(["a", "b"].map { .message([1: .string($0), 2: .int(1)]) })
        let nodes: [ProtoValue] = [branch(0, 1, 0), leaf(0, 1, 1), leaf(0, 2, 2, index: 1)]
        let trees: ProtoValue = .message([1: .repeated(nodes), 2: .int(2)])
        var builder = classifier
        builder.inputs = vectoriser.inputs
        let models: [ProtoValue] = [
            .message(vectoriser.fields(602, [1: columns])),
            .message(classifier.fields(402, [1: trees, 2: .int(1), 100: labels("low", "high")])),
        ]
        let bytes = builder.file(200, [1: .message([1: .repeated(models)])])
        let folder = try TemporaryFolder()
        func use(_ bytes: [UInt8]) {
            do {
                let model = try MLModel(contentsOf: folder.write(Data(bytes), "m.mlmodel"))
                _ = try predict(model, ["a": 1.0, "b": -1.0])
            } catch {
                XCTAssertTrue(error is MLModelError, "\(error)")
            }
        }
        use(bytes)
        for length in 1..<bytes.count { use(Array(bytes[..<length])) }
        var random = SystemRandomNumberGenerator.Seeded(seed: 3)
        for _ in 0..<1000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            use(damaged)
        }
    }

    func testSuppressionKeepsTheBestBoxes() throws {
        var builder = Builder()
        builder.inputs = [
            Builder.array("c", [3, 2]), Builder.array("b", [3, 4]), Builder.double("limit", isOptional: true),
        ]
        builder.outputs = [Builder.array("confidence", []), Builder.array("coordinates", [])]
        func model(perClass: Int) throws -> MLModel {
            try load(
                builder, 610,
                [
                    1: .message([1: .int(perClass)]), 100: labels("cat", "dog"), 110: .double(0.5), 111: .double(0.2),
                    200: .string("c"), 201: .string("b"), 203: .string("limit"), 210: .string("confidence"),
                    211: .string("coordinates"),
                ])
        }
        func array(_ values: [Float], _ columns: Int) throws -> MLMultiArray {
            let array = try MLMultiArray(shape: [3, NSNumber(value: columns)], dataType: .float32)
            for (index, value) in values.enumerated() { array[index] = NSNumber(value: value) }
            return array
        }
        let scores = try array([0.6, 0, 0, 0.9, 0.3, 0], 2)
        let boxes = try array([0.5, 0.5, 0.4, 0.4, 0.52, 0.5, 0.4, 0.4, 0.1, 0.1, 0.1, 0.1], 4)
        var result = try predict(model(perClass: 0), ["c": scores, "b": boxes])
        XCTAssertEqual(result.featureValue(for: "confidence")?.multiArrayValue?.shape, [2, 2])
        XCTAssertEqual(try numbers(result.featureValue(for: "confidence")).map { Float($0) }, [0, 0.9, 0.3, 0])
        result = try predict(model(perClass: 1), ["c": scores, "b": boxes])
        XCTAssertEqual(result.featureValue(for: "coordinates")?.multiArrayValue?.shape, [3, 4])
        result = try predict(model(perClass: 0), ["c": scores, "b": boxes, "limit": 0.5])
        XCTAssertEqual(try numbers(result.featureValue(for: "confidence")).map { Float($0) }, [0, 0.9])
        result = try predict(model(perClass: 0), ["c": scores, "b": boxes, "limit": 1.0])
        XCTAssertEqual(result.featureValue(for: "confidence")?.multiArrayValue?.count, 0)
        XCTAssertThrowsError(
            try predict(model(perClass: 0), ["c": scores, "b": array([Float](repeating: 0, count: 6), 2)]))
    }
}
