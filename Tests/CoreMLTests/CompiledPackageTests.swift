import CoreML
import ModelTestSupport
import XCTest

/// Folders of Apple's compiler with an ML program as text.
final class CompiledPackageTests: XCTestCase {
    /// As compilers until Xcode 15 write it: every value is a tensor, floats are hexadecimal.
    private static let older = """
        program(1.0)
        [buildInfo = dict<tensor<string, []>, tensor<string, []>>({{"coremlc-component-MIL", "5.33.5"}})]
        {
            func main<ios15>(tensor<fp32, [1, 2, 1, 3]> x) [DefaultShapes = dict<tensor<string, []>, tensor<int32,
                [?]>>((("x", [1, 2, 1, 3])))] {
                    tensor<string, []> x_pad_type_0 = const()[name = tensor<string, []>("x_pad_type_0"), val =
                        tensor<string, []>("valid")];
                    tensor<int32, [2]> strides_0 = const()[name = tensor<string, []>("strides_0"), val =
                        tensor<int32, [2]>([1, 1])];
                    tensor<fp16, [1, 2, 1, 2]> weight_0 = const()[name = tensor<string, []>("weight_0"), val =
                        tensor<fp16, [1, 2, 1, 2]>(BLOBFILE(path = tensor<string,
                        []>("@model_path/weights/weight.bin"), offset = tensor<uint64, []>(64)))];
                    tensor<fp32, [1]> bias_0 = const()[name = tensor<string, []>("bias_0"), val = tensor<fp32,
                        [1]>([-0x1.8p+1])];
                    tensor<fp32, [1, 1, 1, 2]> c = conv(bias = bias_0, pad_type = x_pad_type_0, strides = strides_0,
                        weight = weight_0, x = x)[name = tensor<string, []>("c")];
                    tensor<int32, []> axis_0 = const()[name = tensor<string, []>("axis_0"), val = tensor<int32,
                        []>(-1)];
                    tensor<bool, []> interleave_0 = const()[name = tensor<string, []>("interleave_0"), val =
                        tensor<bool, []>(false)];
                    tensor<fp32, [1, 1, 1, 4]> y = concat(axis = axis_0, interleave = interleave_0, values = (c,
                        c))[name = tensor<string, []>("y")];
                } -> (y);
        }
        """

    /// Half floats 1, 2, 3, 4 as the first entry of a file of weights.
    private static var weights: Data {
        var bytes = [UInt8](repeating: 0, count: 136)
        func put(_ value: UInt64, at offset: Int, _ count: Int) {
            for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
        }
        put(1, at: 0, 4)
        put(2, at: 4, 4)
        put(0xDEAD_BEEF, at: 64, 4)
        put(1, at: 68, 4)
        put(8, at: 72, 8)
        put(128, at: 80, 8)
        for (index, half) in [0x3C00, 0x4000, 0x4200, 0x4400].enumerated() {
            put(UInt64(half), at: 128 + 2 * index, 2)
        }
        return Data(bytes)
    }

    private func folder(
        _ program: String?, metadata: String? = nil, others: [String: Data] = [:], _ body: (URL) throws -> Void
    ) throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.url.appendingPathComponent("m.mlmodelc")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("weights"), withIntermediateDirectories: true)
        try program.map { try Data($0.utf8).write(to: folder.appendingPathComponent("model.mil")) }
        try metadata.map { try Data($0.utf8).write(to: folder.appendingPathComponent("metadata.json")) }
        for (name, data) in others { try data.write(to: folder.appendingPathComponent(name)) }
        try Self.weights.write(to: folder.appendingPathComponent("weights/weight.bin"))
        try body(folder)
    }

    private func numbers(_ output: any MLFeatureProvider, _ name: String) throws -> [Double] {
        let array = try XCTUnwrap(output.featureValue(for: name)?.multiArrayValue)
        return (0..<array.count).map { array[$0].doubleValue }
    }

    private func predict(_ model: MLModel, _ features: [String: Any]) throws -> any MLFeatureProvider {
        try model.prediction(from: MLDictionaryFeatureProvider(dictionary: features))
    }

    private func array(_ shape: [NSNumber], _ values: [Double], _ type: MLMultiArrayDataType = .float32) throws
        -> MLMultiArray
    {
        let array = try MLMultiArray(shape: shape, dataType: type)
        for (index, value) in values.enumerated() { array[index] = NSNumber(value: value) }
        return array
    }

    func testAProgramWithWeightsRuns() throws {
        try folder(Self.older) { folder in
            let model = try MLModel(contentsOf: folder)
            let input = try XCTUnwrap(model.modelDescription.inputDescriptionsByName["x"]?.multiArrayConstraint)
            XCTAssertEqual(input.shape, [1, 2, 1, 3])
            // 1 · a + 2 · b + 3 · c + 4 · d − 3
            let output = try predict(model, ["x": array([1, 2, 1, 3], [1, 2, 3, 10, 20, 30])])
            XCTAssertEqual(try numbers(output, "y"), [112, 185, 112, 185])
            let again = try MLModel(contentsOf: MLModel.compileModel(at: folder))
            XCTAssertEqual(
                try numbers(predict(again, ["x": array([1, 2, 1, 3], [1, 2, 3, 10, 20, 30])]), "y"),
                [112, 185, 112, 185])
        }
    }

    /// As newer compilers write it: scalars have types of their own; a label and probabilities; operations whose
    /// constants are attributes.
    func testAClassifierRunsAsItsMetadataDescribesIt() throws {
        let program = """
            program(1.3)
            [buildInfo = dict<string, string>({{"coremlc-component-MIL", "3500.14.1"}, {"coremlc-version",
                "3500.32.1"}})]
            {
                func main<ios18>(tensor<fp32, [1, 3, 1, 1]> photo) {
                    tensor<int32, [2]> shape = const()[name = string("shape"), val = tensor<int32, [2]>([1, 3])];
                    tensor<fp32, [1, 3]> flat = reshape(shape = shape, x = photo)[name = string("flat")];
                    tensor<fp32, [3, 3]> w = constexpr_affine_dequantize()[axis = int32(0), name = string("w"),
                        quantized_data = tensor<int8, [3, 3]>([[0, 0, 1], [0, 1, 0], [1, 0, 0]]), scale =
                        fp32(0x1p-2), zero_point = int8(0)];
                    tensor<fp32, [1, 3]> scores = linear(weight = w, x = flat)[name = string("scores")];
                    int32 axis = const()[name = string("axis"), val = int32(-1)];
                    tensor<fp32, [1, 3]> all = softmax(axis = axis, x = scores)[name = string("all")];
                    list<string, 3> classes = const()[name = string("classes"), val = list<string, 3>(("cat",
                        "do\\"g", "horse"))];
                    string classLabel, dict<string, fp32> classLabel_probs = classify(classes = classes,
                        probabilities = all)[name = string("c")];
                } -> (classLabel, classLabel_probs);
            }
            """
        let metadata = """
            [{
              "specificationVersion": 9, "shortDescription": "three animals", "version": "2",
              "userDefinedMetadata": {"source": "test"}, "author": "us",
              "inputSchema": [{
                "name": "photo", "type": "Image", "width": "1", "height": "1", "colorspace": "BGR", "isColor": "1",
                "hasSizeFlexibility": "0", "isOptional": "0", "formattedType": "Image (Color 1 × 1)"
              }],
              "outputSchema": [
                {"name": "classLabel", "type": "String", "isOptional": "0", "formattedType": "String"},
                {"name": "classLabel_probs", "type": "Dictionary", "keyType": "String", "isOptional": "0"}
              ]
            }]
            """
        try folder(program, metadata: metadata) { folder in
            let model = try MLModel(contentsOf: folder)
            XCTAssertEqual(model.modelDescription.metadata[.description] as? String, "three animals")
            XCTAssertEqual(model.modelDescription.metadata[.versionString] as? String, "2")
            let image = try XCTUnwrap(model.modelDescription.inputDescriptionsByName["photo"]?.imageConstraint)
            XCTAssertEqual([image.pixelsWide, image.pixelsHigh], [1, 1])
            // Blue goes in first and counts for the last class.
            let blue = try predict(
                model, ["photo": MLFeatureValue(pixelBuffer: pixelBuffer(width: 1, height: 1, bgr: (200, 100, 0)))])
            XCTAssertEqual(blue.featureValue(for: "classLabel")?.stringValue, "horse")
            let green = try predict(
                model, ["photo": MLFeatureValue(pixelBuffer: pixelBuffer(width: 1, height: 1, bgr: (0, 100, 0)))])
            XCTAssertEqual(green.featureValue(for: "classLabel")?.stringValue, "do\"g")
            XCTAssertEqual(green.featureValue(for: "classLabel_probs")?.dictionaryValue.count, 3)
        }
    }

    func testSizesThatAreOpen() throws {
        let program = """
            program(1.0) {
                func main<ios16>(tensor<fp32, [1, ?]> x) [FlexibleShapeInformation = tuple<tuple<string,
                    dict<string, tensor<int32, [?]>>>>((("DefaultShapes", {{"x", [1, 4]}})))] {
                    tensor<int32, [1]> axes = const()[name = string("axes"), val = tensor<int32, [1]>([1])];
                    bool keep = const()[name = string("keep"), val = bool(true)];
                    tensor<fp32, [1, 1]> y = ios16.reduce_sum(axes = axes, keep_dims = keep, x = x)[name =
                        string("y")];
                } -> (y);
            }
            """
        let metadata = """
            [{"inputSchema": [{
                "name": "x", "type": "MultiArray", "dataType": "Float32", "shape": "[1, 4]",
                "hasShapeFlexibility": "1", "shapeRange": "[[1, 1], [2, 6]]"
              }],
              "outputSchema": [{"name": "y", "type": "MultiArray", "dataType": "Double", "shape": "[]"}]}]
            """
        try folder(program, metadata: metadata) { folder in
            let model = try MLModel(contentsOf: folder)
            XCTAssertEqual(try numbers(predict(model, ["x": array([1, 3], [1, 2, 4])]), "y"), [7])
            XCTAssertThrowsError(try predict(model, ["x": array([1, 7], [1, 2, 3, 4, 5, 6, 7])]))
        }
        try folder(program) { folder in
            XCTAssertEqual(
                try numbers(predict(MLModel(contentsOf: folder), ["x": array([1, 2], [1, 2])]), "y"), [3])
        }
    }

    // MARK: What is refused

    private func message(_ program: String?, others: [String: Data] = [:]) throws -> String {
        var text = ""
        try folder(program, others: others) { folder in
            XCTAssertThrowsError(try MLModel(contentsOf: folder)) { text = $0.localizedDescription }
        }
        return text
    }

    func testOtherFoldersAreNamed() throws {
        let network = try message(nil, others: ["model.espresso.net": Data(), "coremldata.bin": Data()])
        XCTAssertTrue(network.contains("model.espresso.net"), network)
        XCTAssertTrue(try message(nil, others: ["coremldata.bin": Data()]).contains("without a program"))
        XCTAssertTrue(try message(nil).contains("compileModel(at:)"))
        XCTAssertTrue(
            try message("program(1.0) { func main<ios16>() { while_loop() {} } -> () }").contains("while_loop"))
        XCTAssertTrue(try message("program(1.0) {\n\n func 7").contains("line 3"))
    }

    func testDamagedTextsEndInErrors() throws {
        var random = SystemRandomNumberGenerator.Seeded(seed: 5)
        let source = Array(Self.older.utf8)
        let alphabet = Array("()[]{}<>,;=?\"\\-.:0159eaxp tensor".utf8)
        try folder(Self.older) { folder in
            let file = folder.appendingPathComponent("model.mil")
            for round in 0..<600 {
                var damaged = source
                switch round % 3 {
                case 0: damaged.removeSubrange(Int.random(in: 0..<source.count, using: &random)...)
                case 1:
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        damaged[Int.random(in: 0..<source.count, using: &random)] =
                            alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                    }
                default:
                    let start = Int.random(in: 0..<source.count, using: &random)
                    damaged.removeSubrange(start..<min(start + 30, source.count))
                }
                try Data(damaged).write(to: file)
                // Some changes leave a program.
                if let model = try? MLModel(contentsOf: folder) {
                    XCTAssertFalse(model.modelDescription.inputDescriptionsByName.count > 1)
                }
            }
            let deep = String(repeating: "(", count: 100_000)
            try Data("program(1.0) { func main<ios16>() { fp32 y = add(x = \(deep)".utf8).write(to: file)
            XCTAssertThrowsError(try MLModel(contentsOf: folder))
            let types = String(repeating: "list<", count: 100_000)
            try Data("program(1.0) { func main<ios16>(\(types)".utf8).write(to: file)
            XCTAssertThrowsError(try MLModel(contentsOf: folder))
        }
    }
}
