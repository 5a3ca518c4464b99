import NetworkMetadata
import CoreML
import ModelTestSupport
import VisionInference
import XCTest

final class ModelTests: XCTestCase {
    // MARK: - Images in

    /// Red at the left, green at the right.
    private func redAndGreen(width: Int = 4, height: Int = 2) throws -> CVPixelBuffer {
        try pixelBuffer(width: width, height: height) { x, _ in x < width / 2 ? (255, 0, 0) : (0, 255, 0) }
    }

    private func echoed(_ model: MLModel, _ buffer: CVPixelBuffer, _ input: String) throws -> MLMultiArray {
        let provider = try MLDictionaryFeatureProvider(dictionary: [input: buffer])
        return try XCTUnwrap(model.prediction(from: provider).featureValue(for: "echo")?.multiArrayValue)
    }

    private func floats(_ array: MLMultiArray) -> [Float] { (0..<array.count).map { array[$0].floatValue } }

    func testAnInputNamedLikeAnImageIsOneWithPixelsFrom0To1RedFirst() throws {
        let model = try makeModel(echo("input_image", .float32, [1, 3, 2, 4]))
        let constraint = try XCTUnwrap(model.modelDescription.inputDescriptionsByName["input_image"]?.imageConstraint)
        XCTAssertEqual([constraint.pixelsWide, constraint.pixelsHigh], [4, 2])
        XCTAssertEqual(constraint.pixelFormatType, kCVPixelFormatType_32BGRA)
        let array = try echoed(model, redAndGreen(), "input_image")
        XCTAssertEqual(array.shape, [1, 3, 2, 4])
        XCTAssertEqual(
            floats(array), [1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    func testChannelsMayComeLastAndBlueFirst() throws {
        let model = try makeModel(
            echo("data", .float32, [1, 2, 4, 3]),
            #"{"inputs": {"data": {"colorOrder": "BGR", "scale": [1, 2, 4], "bias": [0, -1, 10]}}}"#)
        let array = try echoed(model, redAndGreen(), "data")
        // Blue × 4 + 10, green × 2 - 1, red.
        XCTAssertEqual(Array(floats(array).prefix(3)), [10, -1, 255])
        XCTAssertEqual(Array(floats(array).suffix(3)), [10, 509, 0])
    }

    func testBytesGoInAsTheyAre() throws {
        let model = try makeModel(
            try makeSession(
                inputs: [("image", .uint8, [1, 2, 4, 3])], outputs: [("echo", nil)], shapes: { $0 }, body: { $0 }))
        XCTAssertEqual(Array(floats(try echoed(model, redAndGreen(), "image")).prefix(3)), [255, 0, 0])
    }

    func testGreyImagesAreMadeOfColourOnes() throws {
        let model = try makeModel(echo("image", .float32, [1, 1, 2, 4]), #"{"inputs": {"image": {"scale": 1}}}"#)
        XCTAssertEqual(
            model.modelDescription.inputDescriptionsByName["image"]?.imageConstraint?.pixelFormatType,
            kCVPixelFormatType_OneComponent8)
        // BT.601 weighs red with 0.299 and green with 0.587.
        XCTAssertEqual(floats(try echoed(model, redAndGreen(), "image")).prefix(4), [76, 76, 150, 150])
    }

    func testImagesOfAnySizeAreStretched() throws {
        let model = try makeModel(echo("image", .float32, [1, 3, 2, 4]))
        let array = try echoed(model, redAndGreen(width: 400, height: 20), "image")
        XCTAssertEqual(floats(array)[0], 1, accuracy: 1e-6)
        XCTAssertEqual(floats(array)[3], 0, accuracy: 1e-6)
    }

    func testUnknownSidesTakeTheSizeOfTheImageOrOfTheMetadata() throws {
        let model = try makeModel(echo("image", .float32, [nil, 3, nil, nil]))
        XCTAssertEqual(try echoed(model, redAndGreen(), "image").shape, [1, 3, 2, 4])
        let sized = try makeModel(
            echo("image", .float32, [nil, 3, nil, nil]), #"{"inputs": {"image": {"width": 8, "height": 6}}}"#)
        XCTAssertEqual(try echoed(sized, redAndGreen(), "image").shape, [1, 3, 6, 8])
        XCTAssertEqual(
            sized.modelDescription.inputDescriptionsByName["image"]?.imageConstraint?.sizeConstraint.type, .enumerated)
        XCTAssertEqual(
            model.modelDescription.inputDescriptionsByName["image"]?.imageConstraint?.sizeConstraint.type, .range)
    }

    func testOtherNamesAndShapesAreArraysUnlessTheMetadataSaysOtherwise() throws {
        func type(_ name: String, _ shape: [Int?], alone: Bool = true, _ json: String = "{}") throws -> MLFeatureType? {
            let session = try makeSession(
                inputs: [(name, .float32, shape)] + (alone ? [] : [("other", .float32, [1])]), outputs: [("o", nil)],
                shapes: { _ in [[1]] }, body: { _ in [[0]] })
            return try makeModel(session, json).modelDescription.inputDescriptionsByName[name]?.type
        }
        XCTAssertEqual(try type("x", [1, 3, 2, 4]), .image, "It is all that the model takes.")
        XCTAssertEqual(try type("x", [1, 1, 2, 4]), .multiArray)
        XCTAssertEqual(try type("x", [1, 3, 2, 4], alone: false), .multiArray)
        XCTAssertEqual(try type("image", [1, 1, 2, 4], alone: false), .image)
        XCTAssertEqual(try type("x", [1, 3, 2, 4], alone: false, #"{"inputs": {"x": {"type": "image"}}}"#), .image)
        XCTAssertEqual(try type("input", [1, 5, 2, 4]), .multiArray)
        XCTAssertEqual(try type("input", [2, 3, 2, 4]), .multiArray)
        XCTAssertEqual(
            try type("image", [1, 3, 2, 4], alone: true, #"{"inputs": {"image": {"type": "array"}}}"#), .multiArray)
    }

    func testAnImageInputTakesTheNumbersThemselvesToo() throws {
        let model = try makeModel(echo("image", .float32, [1, 3, 2, 4]))
        let array = try MLMultiArray(shape: [3, 2, 4], dataType: .double)
        for index in 0..<24 { array[index] = NSNumber(value: index) }
        let provider = try MLDictionaryFeatureProvider(dictionary: ["image": array])
        let out = try XCTUnwrap(model.prediction(from: provider).featureValue(for: "echo")?.multiArrayValue)
        XCTAssertEqual(floats(out), (0..<24).map(Float.init))
    }

    // MARK: - Numbers in

    func testNumbersGoIntoInputsOfOneNumber() throws {
        let session = try makeSession(
            inputs: [("a", .float32, []), ("b", .int64, [1]), ("c", .float32, [1, 1])], outputs: [("sum", [1])],
            shapes: { _ in [[1]] }, body: { [[$0[0][0] + 10 * $0[1][0] + 100 * $0[2][0]]] })
        let model = try makeModel(session, #"{"inputs": {"b": {"type": "integer"}, "c": {"default": 0.5}}}"#)
        let types = model.modelDescription.inputDescriptionsByName.mapValues(\.type)
        XCTAssertEqual(types, ["a": .double, "b": .int64, "c": .multiArray])
        XCTAssertEqual(model.modelDescription.inputDescriptionsByName["c"]?.isOptional, true)
        func sum(_ values: [String: Any]) throws -> NSNumber? {
            try model.prediction(from: MLDictionaryFeatureProvider(dictionary: values)).featureValue(for: "sum")?
                .multiArrayValue?[0]
        }
        XCTAssertEqual(try sum(["a": 0.25, "b": 3]), 80.25)
        XCTAssertEqual(try sum(["a": 0.25, "b": 3, "c": 2.0, "unknown": "ignored"]), 230.25)
        XCTAssertEqual(try sum(["a": MLMultiArray([1]), "b": MLMultiArray([2.0]), "c": MLFeatureValue(int64: 1)]), 121)
    }

    func testWrongFeaturesAreErrorsThatNameTheInput() throws {
        let model = try makeModel(echo("values", .float32, [2, 3]))
        for wrong: Any in ["text", 3.5, try MLMultiArray(shape: [3, 2], dataType: .float32)] {
            XCTAssertThrowsError(
                try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["values": wrong]))
            ) { error in
                XCTAssertEqual((error as? MLModelError)?.code, .featureType)
                XCTAssertTrue(error.localizedDescription.contains("values"), error.localizedDescription)
            }
        }
        XCTAssertThrowsError(try model.prediction(from: MLDictionaryFeatureProvider(dictionary: [:])))
    }

    // MARK: - Classifiers

    private func classifier(_ scores: [Float], _ json: String) throws -> MLModel {
        try makeModel(
            makeSession(
                inputs: [("image", .float32, [1, 3, 2, 2])], outputs: [("logits", [1, scores.count])],
                shapes: { _ in [[1, scores.count]] }, body: { _ in [scores] }), json)
    }

    func testLabelsMakeAClassifier() throws {
        let model = try classifier([0.5, 3, -1], #"{"labels": ["bagel", "egg", "waffle"]}"#)
        let description = model.modelDescription
        XCTAssertEqual(description.predictedFeatureName, "classLabel")
        XCTAssertEqual(description.predictedProbabilitiesName, "classLabelProbs")
        XCTAssertEqual(description.classLabels as? [String], ["bagel", "egg", "waffle"])
        XCTAssertEqual(Set(description.outputDescriptionsByName.keys), ["classLabel", "classLabelProbs"])
        let provider = try MLDictionaryFeatureProvider(
            dictionary: ["image": pixelBuffer(width: 2, height: 2, bgr: (0, 0, 0))])
        let output = try model.prediction(from: provider)
        XCTAssertEqual(output.featureNames, ["classLabel", "classLabelProbs"])
        XCTAssertEqual(output.featureValue(for: "classLabel")?.stringValue, "egg")
        // As the model gives them.
        XCTAssertEqual(
            output.featureValue(for: "classLabelProbs")?.dictionaryValue, ["bagel": 0.5, "egg": 3, "waffle": -1])
    }

    func testScoresBecomeProbabilitiesWhereTheMetadataAsksForIt() throws {
        let model = try classifier(
            [0, 0, Float(log(2.0))],
            """
            {"labels": ["a", "b", "c"], "classifier": {"activation": "softmax", "predictedFeatureName": "kind",
             "predictedProbabilitiesName": "odds"}}
            """)
        let provider = try MLDictionaryFeatureProvider(
            dictionary: ["image": pixelBuffer(width: 2, height: 2, bgr: (0, 0, 0))])
        let output = try model.prediction(from: provider)
        XCTAssertEqual(output.featureValue(for: "kind")?.stringValue, "c")
        let odds = try XCTUnwrap(output.featureValue(for: "odds")?.dictionaryValue)
        XCTAssertEqual(try XCTUnwrap(odds["c"]?.doubleValue), 0.5, accuracy: 1e-6)
        XCTAssertEqual(try XCTUnwrap(odds["a"]?.doubleValue), 0.25, accuracy: 1e-6)
    }

    func testAClassifierWithoutItsScoresIsRefused() {
        XCTAssertThrowsError(try classifier([1, 2], #"{"labels": ["a", "b", "c"], "classifier": {}}"#))
        XCTAssertThrowsError(try classifier([1, 2], #"{"classifier": {}}"#))
        XCTAssertThrowsError(try classifier([1, 2], #"{"labels": ["a", "b"], "classifier": {"scores": "other"}}"#))
        // Labels alone whose number fits no output are ignored.
        XCTAssertNil(try classifier([1, 2], #"{"labels": ["a", "b", "c"]}"#).modelDescription.predictedFeatureName)
    }

    // MARK: - Images out

    func testImagesComeOutAsPixelBuffers() throws {
        let session = try makeSession(
            inputs: [("x", .float32, [1])],
            outputs: [("picture", [1, 3, 1, 2]), ("mask", [1, 1, 1, 2]), ("depth", nil)],
            shapes: { _ in [[1, 3, 1, 2], [1, 1, 1, 2], [1, 1, 2, 1]] },
            body: { _ in [[0, 1, 0.5, 0.25, 2, -1], [0.2, .nan], [-3, 7.5]] })
        let model = try makeModel(
            session,
            """
            {"outputs": {"picture": {"type": "image"}, "mask": {"type": "image", "colorOrder": "grayscale"},
             "depth": {"type": "image", "pixelFormat": "OneComponent32Float", "layout": "NHWC", "scale": 2, "bias": 1}}}
            """)
        let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": 1.0]))
        let buffer = try XCTUnwrap(output.featureValue(for: "picture")?.imageBufferValue)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(buffer), kCVPixelFormatType_32BGRA)
        XCTAssertEqual(try pixel(buffer, 0, 0), [255, 128, 0])
        XCTAssertEqual(try pixel(buffer, 1, 0), [0, 64, 255])
        let mask = try XCTUnwrap(output.featureValue(for: "mask")?.imageBufferValue)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(mask), kCVPixelFormatType_OneComponent8)
        XCTAssertEqual([try pixel(mask, 0, 0), try pixel(mask, 1, 0)], [[51], [0]])
        let depth = try XCTUnwrap(output.featureValue(for: "depth")?.imageBufferValue)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(depth), kCVPixelFormatType_OneComponent32Float)
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(depth))
        XCTAssertEqual(base.load(fromByteOffset: 4, as: Float.self), 16)
    }

    func testGreyImagesComeOutOfEveryShape() throws {
        for (shape, layout) in [
            ([1, 1, 2, 3], "NCHW"), ([1, 2, 3, 1], "NHWC"), ([1, 2, 3], "NCHW"), ([2, 3], "NHWC"), ([2, 3, 1], "NHWC"),
        ] {
            let session = try makeSession(
                inputs: [("x", .float32, [1])], outputs: [("mask", nil)], shapes: { _ in [shape] },
                body: { _ in [[0, 0.2, 0.4, 0.6, 0.8, 1]] })
            let model = try makeModel(
                session,
                #"{"outputs": {"mask": {"type": "image", "pixelFormat": "OneComponent8", "layout": "\#(layout)"}}}"#)
            let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": 1.0]))
            let mask = try XCTUnwrap(output.featureValue(for: "mask")?.imageBufferValue, "\(shape)")
            XCTAssertEqual([CVPixelBufferGetWidth(mask), CVPixelBufferGetHeight(mask)], [3, 2], "\(shape)")
            XCTAssertEqual([try pixel(mask, 1, 0), try pixel(mask, 2, 1)], [[51], [255]], "\(shape)")
        }
    }

    func testShapesThatAreNotImagesAreErrors() throws {
        for shape in [[6], [1, 2, 5, 5], [2, 3, 1, 1], [1, 1, 0, 6]] {
            let session = try makeSession(
                inputs: [("x", .float32, [1])], outputs: [("picture", nil)], shapes: { _ in [shape] },
                body: { _ in [[Float](repeating: 0, count: shape.reduce(1, *))] })
            let model = try makeModel(session, #"{"outputs": {"picture": {"type": "image"}}}"#)
            XCTAssertThrowsError(
                try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["x": 1.0])), "\(shape)")
        }
    }

    // MARK: - Batches, threads, configuration

    func testBatchesKeepTheirOrder() throws {
        let model = try makeModel(echo("x", .float32, [1]))
        let batch = try MLArrayBatchProvider(dictionary: ["x": (0..<10).map { Double($0) }])
        for results in [
            try model.predictions(fromBatch: batch), try model.predictions(from: batch, options: MLPredictionOptions()),
        ] {
            XCTAssertEqual(
                (0..<results.count).map { results.features(at: $0).featureValue(for: "echo")?.multiArrayValue?[0] },
                (0..<10).map { NSNumber(value: $0) })
        }
    }

    func testThreadsMayShareAModel() throws {
        let model = try makeModel(echo("x", .float32, [64]))
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let array = try? MLMultiArray([Float](repeating: Float(index), count: 64))
            let provider = try? MLDictionaryFeatureProvider(dictionary: ["x": array as Any])
            let output = provider.flatMap { try? model.prediction(from: $0) }
            XCTAssertEqual(output?.featureValue(for: "echo")?.multiArrayValue, array)
        }
    }

    func testTheConfigurationIsKeptAndParametersAreRefused() throws {
        let configuration = MLModelConfiguration()
        configuration.computeUnits = .cpuOnly
        let session = try echo("x", .float32, [1])
        let model = try MLModel(session: session, metadata: ModelMetadata(), configuration: configuration)
        configuration.computeUnits = .all
        XCTAssertEqual(model.configuration.computeUnits, .cpuOnly)
        configuration.parameters = [.linkedModelFileName: "x"]
        XCTAssertThrowsError(
            try MLModel(session: session, metadata: ModelMetadata(), configuration: configuration)
        ) { XCTAssertEqual(($0 as? MLModelError)?.code, .parameters) }
    }
}
