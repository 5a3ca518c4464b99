import CoreML
import XCTest

final class FeatureTests: XCTestCase {
    func testEveryKindOfFeatureKnowsItsTypeAndValue() throws {
        let array = try MLMultiArray([1.0, 2.0])
        let buffer = try pixelBuffer(width: 2, height: 2, bgr: (1, 2, 3))
        XCTAssertEqual(MLFeatureValue(int64: -5).int64Value, -5)
        XCTAssertEqual(MLFeatureValue(double: 0.25).doubleValue, 0.25)
        XCTAssertEqual(MLFeatureValue(string: "egg").stringValue, "egg")
        XCTAssertTrue(MLFeatureValue(multiArray: array).multiArrayValue === array)
        XCTAssertTrue(MLFeatureValue(pixelBuffer: buffer).imageBufferValue === buffer)
        XCTAssertEqual(try MLFeatureValue(dictionary: ["egg": 0.5]).dictionaryValue["egg"], 0.5)
        XCTAssertEqual(MLFeatureValue(sequence: MLSequence(strings: ["a"])).sequenceValue?.stringValues, ["a"])
        let types: [MLFeatureType] = [
            MLFeatureValue(int64: 1).type, MLFeatureValue(double: 1).type, MLFeatureValue(string: "").type,
            MLFeatureValue(pixelBuffer: buffer).type, MLFeatureValue(multiArray: array).type,
            try MLFeatureValue(dictionary: [1: 2]).type, MLFeatureValue(sequence: MLSequence(int64s: [1])).type,
        ]
        XCTAssertEqual(types.map(\.rawValue), [1, 2, 3, 4, 5, 6, 7])
    }

    func testAccessorsOfOtherTypesAreEmpty() {
        let value = MLFeatureValue(string: "7")
        XCTAssertEqual(value.int64Value, 0)
        XCTAssertEqual(value.doubleValue, 0)
        XCTAssertNil(value.multiArrayValue)
        XCTAssertNil(value.imageBufferValue)
        XCTAssertNil(value.sequenceValue)
        XCTAssertTrue(value.dictionaryValue.isEmpty)
        let undefined = MLFeatureValue(undefined: .double)
        XCTAssertTrue(undefined.isUndefined)
        XCTAssertEqual(undefined.type, .double)
        XCTAssertFalse(value.isUndefined)
    }

    func testDictionariesNeedKeysOfOneKindAndNumbers() {
        XCTAssertThrowsError(try MLFeatureValue(dictionary: ["a": 1, 2: 3])) {
            XCTAssertEqual(($0 as NSError).domain, MLModelErrorDomain)
            XCTAssertEqual(($0 as NSError).code, MLModelError.featureType.rawValue)
        }
        XCTAssertThrowsError(try MLFeatureValue(dictionary: ["a": "b"]))
    }

    func testProvidersWrapPlainValues() throws {
        let buffer = try pixelBuffer(width: 1, height: 1, bgr: (0, 0, 0))
        let provider = try MLDictionaryFeatureProvider(dictionary: [
            "int": 3, "double": 0.5, "float": Float(0.25), "text": "x", "image": buffer,
            "array": try MLMultiArray([1]), "value": MLFeatureValue(double: 9), "scores": ["a": 0.5],
            "number": NSNumber(value: 2.5), "whole": NSNumber(value: 4), "sequence": MLSequence(strings: []),
        ])
        XCTAssertEqual(provider.featureNames.count, 11)
        XCTAssertEqual(provider.featureValue(for: "int")?.int64Value, 3)
        XCTAssertEqual(provider["double"]?.doubleValue, 0.5)
        XCTAssertEqual(provider["float"]?.doubleValue, 0.25)
        XCTAssertEqual(provider["text"]?.stringValue, "x")
        XCTAssertTrue(provider["image"]?.imageBufferValue === buffer)
        XCTAssertEqual(provider["array"]?.multiArrayValue?.count, 1)
        XCTAssertEqual(provider["value"]?.doubleValue, 9)
        XCTAssertEqual(provider["scores"]?.dictionaryValue["a"], 0.5)
        XCTAssertEqual(provider["number"]?.doubleValue, 2.5)
        XCTAssertEqual(provider["whole"]?.int64Value, 4)
        XCTAssertEqual(provider["sequence"]?.type, .sequence)
        XCTAssertNil(provider.featureValue(for: "other"))
        XCTAssertThrowsError(try MLDictionaryFeatureProvider(dictionary: ["date": Date()]))
    }

    func testBatchesAreMadeOfColumns() throws {
        let batch = try MLArrayBatchProvider(dictionary: ["x": [1.0, 2.0], "name": ["a", "b"]])
        XCTAssertEqual(batch.count, 2)
        XCTAssertEqual(batch.features(at: 1).featureValue(for: "x")?.doubleValue, 2)
        XCTAssertEqual(batch.features(at: 0).featureValue(for: "name")?.stringValue, "a")
        XCTAssertThrowsError(try MLArrayBatchProvider(dictionary: ["x": [1.0], "name": ["a", "b"]]))
    }

    func testArchivesKeepEveryKindOfFeature() throws {
        let values = [
            MLFeatureValue(int64: 1 << 60), MLFeatureValue(double: -0.5), MLFeatureValue(string: "é"),
            MLFeatureValue(multiArray: try MLMultiArray([1.5, 2])),
            try MLFeatureValue(dictionary: ["a": 0.25, "b": 2]),
            try MLFeatureValue(dictionary: [7: 1]), MLFeatureValue(sequence: MLSequence(int64s: [4, 5])),
            MLFeatureValue(sequence: MLSequence(strings: ["x"])), MLFeatureValue(undefined: .image),
            MLFeatureValue(pixelBuffer: try pixelBuffer(width: 3, height: 2, bgr: (9, 8, 7))),
        ]
        for value in values {
            let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
            let back = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: MLFeatureValue.self, from: data))
            XCTAssertEqual(back, value)
            XCTAssertEqual(back.hash, value.hash)
        }
        XCTAssertNotEqual(values[3], MLFeatureValue(multiArray: try MLMultiArray([1.5, 3])))
    }

    // MARK: - Images

    func testAnImageIsCroppedAndScaledAsRequested() throws {
        // Left half red, right half blue.
        let image = try image(width: 8, height: 4) { x, _ in x < 4 ? (255, 0, 0) : (0, 0, 255) }
        func corners(_ options: [MLFeatureValue.ImageOption: Any]) throws -> [[UInt8]] {
            let value = try MLFeatureValue(
                cgImage: image, pixelsWide: 4, pixelsHigh: 4, pixelFormatType: kCVPixelFormatType_32BGRA,
                options: options)
            let buffer = try XCTUnwrap(value.imageBufferValue)
            return try [(0, 0), (3, 0), (0, 3)].map { try pixel(buffer, $0.0, $0.1) }
        }
        XCTAssertEqual(try corners([:]), [[0, 0, 255], [255, 0, 0], [0, 0, 255]])
        XCTAssertEqual(try corners([.cropAndScale: 0]), [[0, 0, 255], [255, 0, 0], [0, 0, 255]])
        // Letterboxed: the corners are padding.
        XCTAssertEqual(try corners([.cropAndScale: UInt(1)]), [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
        XCTAssertEqual(
            try corners([.cropRect: CGRect(x: 0.5, y: 0, width: 0.5, height: 1)]),
            [[255, 0, 0], [255, 0, 0], [255, 0, 0]])
        XCTAssertThrowsError(try corners([.cropAndScale: 7]))
        XCTAssertThrowsError(try corners([.cropRect: CGRect(x: 0.5, y: 0, width: 1, height: 1)]))
    }

    func testAnUnknownSizeIsThatOfTheImage() throws {
        let image = try image(width: 6, height: 4) { _, _ in (1, 2, 3) }
        let value = try MLFeatureValue(
            cgImage: image, pixelsWide: 0, pixelsHigh: 0, pixelFormatType: kCVPixelFormatType_32BGRA,
            options: [.cropRect: CGRect(x: 0.5, y: 0, width: 0.5, height: 1)])
        let buffer = try XCTUnwrap(value.imageBufferValue)
        XCTAssertEqual([CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)], [3, 4])
    }

    func testTheCropRectangleCountsFromTheLowerLeft() throws {
        let image = try image(width: 4, height: 4) { _, y in y < 2 ? (255, 255, 255) : (0, 0, 0) }
        let value = try MLFeatureValue(
            cgImage: image, pixelsWide: 2, pixelsHigh: 2, pixelFormatType: kCVPixelFormatType_OneComponent8,
            options: [.cropRect: CGRect(x: 0, y: 0.5, width: 1, height: 0.5)])
        let buffer = try XCTUnwrap(value.imageBufferValue)
        XCTAssertEqual(try pixel(buffer, 0, 1), [255])
    }

    func testTheOrientationRotatesTheImage() throws {
        // The top row is white; rotated by 90° clockwise it is the right column.
        let image = try image(width: 4, height: 4) { _, y in y == 0 ? (255, 255, 255) : (0, 0, 0) }
        let value = try MLFeatureValue(
            cgImage: image, orientation: .right, pixelsWide: 4, pixelsHigh: 4,
            pixelFormatType: kCVPixelFormatType_OneComponent8)
        let buffer = try XCTUnwrap(value.imageBufferValue)
        XCTAssertEqual(try pixel(buffer, 3, 3), [255])
        XCTAssertEqual(try pixel(buffer, 0, 0), [0])
    }

    func testAMissingFileIsAnIOError() {
        let url = URL(fileURLWithPath: "/nowhere/image.png")
        XCTAssertThrowsError(
            try MLFeatureValue(imageAt: url, pixelsWide: 4, pixelsHigh: 4, pixelFormatType: kCVPixelFormatType_32BGRA)
        ) { error in
            do { throw error } catch MLModelError.io {} catch { XCTFail("\(error)") }
        }
    }
}
