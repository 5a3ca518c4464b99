import CoreML
import XCTest

/// What generated classes do.
final class GeneratedClassTests: XCTestCase {
    private func photo(_ bgr: (UInt8, UInt8, UInt8)) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, 4, 2, kCVPixelFormatType_32BGRA, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer)).assumingMemoryBound(to: UInt8.self)
        for row in 0..<2 {
            for column in 0..<4 {
                let pixel = base + row * CVPixelBufferGetBytesPerRow(buffer) + 4 * column
                (pixel[0], pixel[1], pixel[2], pixel[3]) = (bgr.0, bgr.1, bgr.2, 255)
            }
        }
        return buffer
    }

    func testAClassifierIsCalledByItsClass() async throws {
        let url = try write(ClassFixtures.colourNames, "ColourNames.mlmodel")
        let model = try ColourNames(contentsOf: url)
        let green = try model.prediction(image: photo((0, 200, 0)))
        XCTAssertEqual(green.classLabel, "green")
        XCTAssertEqual(Set(green.classLabelProbs.keys), ["red", "green", "blue"])
        XCTAssertGreaterThan(try XCTUnwrap(green.classLabelProbs["green"]), 0.9)
        XCTAssertEqual(green.featureNames, ["classLabel", "classLabelProbs"])
        let image = try XCTUnwrap(
            CIContext().createCGImage(
                CIImage(cvPixelBuffer: photo((250, 0, 0))), from: CGRect(x: 0, y: 0, width: 4, height: 2)))
        let input = try ColourNamesInput(imageWith: image)
        let blue = try await model.prediction(input: input)
        XCTAssertEqual(blue.classLabel, "blue")
        try input.setImage(with: image)
        func labels() throws -> [String] {
            try model.predictions(inputs: [input, ColourNamesInput(image: photo((0, 0, 250)))]).map(\.classLabel)
        }
        XCTAssertEqual(try labels(), ["blue", "red"])
        let other = try await ColourNames.load(contentsOf: url)
        XCTAssertEqual(try other.prediction(image: photo((0, 0, 250))).classLabel, "red")
        let handled: ColourNames = try await withCheckedThrowingContinuation { continuation in
            ColourNames.load(contentsOf: url) { continuation.resume(with: $0) }
        }
        XCTAssertEqual(handled.model.modelDescription.predictedFeatureName, "classLabel")
        XCTAssertThrowsError(try ColourNames(configuration: MLModelConfiguration())) { error in
            XCTAssertTrue(error.localizedDescription.contains("ColourNames.mlmodel"), error.localizedDescription)
        }
        let made = ColourNamesOutput(classLabelProbs: ["red": 1], classLabel: "red")
        XCTAssertEqual(made.classLabelProbs, ["red": 1])
    }

    func testArraysMayBeShaped() throws {
        let model = try odd_names(contentsOf: write(ClassFixtures.oddNames, "odd-names.mlmodel"))
        let output = try model.prediction(in: MLMultiArray([1, 2] as [Float]), self_: MLMultiArray([3, 5]))
        XCTAssertEqual(output.a_bShapedArray.scalars, [4, 7])
        XCTAssertEqual(output.a_b_ShapedArray.scalars, [-2, -3])
        let shaped = try model.prediction(
            in: [1, 2], _1st_value: MLMultiArray([1, 1] as [Double]), self_: [0, 0] as MLShapedArray<Int32>)
        XCTAssertEqual(shaped.a_bShapedArray, [1, 2])
        XCTAssertEqual(shaped.provider_ShapedArray, [2, 3])
        XCTAssertEqual(shaped.a_b_.dataType, .double)
    }

    func testFeaturesOfEveryKindGoInAndOut() throws {
        let input = EveryKindInput(
            photo: try photo((1, 2, 3)), mask: try photo((1, 2, 3)), count: 3, title: "t", weights: ["a": 0.5],
            cells: try MLMultiArray(shape: [1, 2, 3], dataType: .float32), words: MLSequence(strings: ["w"]))
        XCTAssertEqual(input.featureValue(for: "weights")?.dictionaryValue, ["a": 0.5])
        XCTAssertEqual(input.featureValue(for: "count")?.int64Value, 3)
        XCTAssertNil(input.featureValue(for: "threshold"))
        XCTAssertNil(input.featureValue(for: "numbers"))
        input.threshold = 0.25
        input.numbers = [7: 1.5]
        XCTAssertEqual(input.featureValue(for: "threshold")?.doubleValue, 0.25)
        XCTAssertEqual(input.featureValue(for: "numbers")?.dictionaryValue, [7: 1.5])
        XCTAssertEqual(input.featureNames.count, 9)
        XCTAssertNil(input.featureValue(for: "other"))
        let output = EveryKindOutput(
            drawing: try photo((1, 2, 3)), score: 0.5, number: 4, tokens: MLSequence(strings: ["a"]), byNumber: [2: 1])
        XCTAssertEqual(output.byNumber, [2: 1])
        XCTAssertEqual(output.tokens.stringValues, ["a"])
        XCTAssertEqual([output.score, Double(output.number)], [0.5, 4])
        XCTAssertEqual(CVPixelBufferGetWidth(output.drawing), 4)
    }
}
