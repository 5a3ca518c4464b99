import NetworkMetadata
import VisionModels
import XCTest

final class DetectionTests: XCTestCase {
    /// A table of zeros with these rows in it.
    private func table(rows: Int, columns: Int, _ filled: [Int: [Float]]) -> [Float] {
        var values = [Float](repeating: 0, count: rows * columns)
        for (row, numbers) in filled {
            values.replaceSubrange(row * columns..<row * columns + numbers.count, with: numbers)
        }
        return values
    }

    private func detect(
        _ outputs: [DetectorOutput], size: Int = 64, labels: Int?, _ settings: DetectorSettings = DetectorSettings()
    ) throws -> (kind: DetectorSettings.Kind, found: [Detection]) {
        let detector = try XCTUnwrap(
            Detector(
                outputs: outputs.map { ($0.name, $0.shape) }, inputWidth: size, inputHeight: size, labelCount: labels,
                settings: settings))
        return (detector.kind, try detector.detections(in: outputs))
    }

    private func assertBox(
        _ box: UnitBox?, _ x: Double, _ y: Double, _ width: Double, _ height: Double, line: UInt = #line
    ) {
        guard let box else { return XCTFail("No box was found.", line: line) }
        XCTAssertEqual(box.x, x, accuracy: 1e-5, line: line)
        XCTAssertEqual(box.y, y, accuracy: 1e-5, line: line)
        XCTAssertEqual(box.width, width, accuracy: 1e-5, line: line)
        XCTAssertEqual(box.height, height, accuracy: 1e-5, line: line)
    }

    // MARK: - YOLO

    func testYOLOXOffsetsAreRelativeToTheirCells() throws {
        // 64 pixels: grids of 8 × 8, 4 × 4 and 2 × 2 cells, 84 rows. Row 64 + 5 is the cell (1, 1) of stride 16.
        let values = table(
            rows: 84, columns: 7, [69: [0.5, 0, Float(log(2.0)), 0, 0.8, 0.25, 0.75], 3: [0, 0, 0, 0, 0.2, 1, 1]])
        let (kind, found) = try detect([DetectorOutput(name: "output", shape: [1, 84, 7], values: values)], labels: 2)
        XCTAssertEqual(kind, .yolox)
        XCTAssertEqual(found.count, 1, "The other box is below the threshold.")
        // Centre (1.5 × 16, 1 × 16), size (32, 16).
        assertBox(found.first?.box, 8.0 / 64, 8.0 / 64, 0.5, 0.25)
        XCTAssertEqual(found.first?.scores[0] ?? 0, 0.2, accuracy: 1e-6)
        XCTAssertEqual(found.first?.scores[1] ?? 0, 0.6, accuracy: 1e-6)
    }

    func testYOLOv5RowsAreInPixels() throws {
        let values = table(rows: 252, columns: 8, [100: [32, 16, 16, 8, 0.5, 0.1, 0.9, 0.3]])
        let (kind, found) = try detect([DetectorOutput(name: "out", shape: [1, 252, 8], values: values)], labels: 3)
        XCTAssertEqual(kind, .yolov5)
        assertBox(found.first?.box, 24.0 / 64, 12.0 / 64, 0.25, 0.125)
        XCTAssertEqual(found.first?.scores ?? [], [0.05, 0.45, 0.15])
    }

    func testYOLOv8HasAColumnForEachBoxAndNoObjectness() throws {
        var values = [Float](repeating: 0, count: 6 * 84)
        for (row, value) in [Float(32), 32, 8, 16, 0.1, 0.7].enumerated() { values[row * 84 + 7] = value }
        for labels in [2, nil] {
            let (kind, found) = try detect(
                [DetectorOutput(name: "output0", shape: [1, 6, 84], values: values)], labels: labels)
            XCTAssertEqual(kind, .yolov8)
            assertBox(found.first?.box, 28.0 / 64, 24.0 / 64, 0.125, 0.25)
            XCTAssertEqual(found.first?.scores, [0.1, 0.7])
        }
        // The same, a row for each box: recognised by the number of labels.
        let rows = table(rows: 84, columns: 6, [7: [32, 32, 8, 16, 0.1, 0.7]])
        let (kind, found) = try detect([DetectorOutput(name: "o", shape: [84, 6], values: rows)], labels: 2)
        XCTAssertEqual(kind, .yolov8)
        assertBox(found.first?.box, 28.0 / 64, 24.0 / 64, 0.125, 0.25)
    }

    func testBoxesThatAreNoBoxesAreLeftOut() throws {
        let values = table(
            rows: 84, columns: 6,
            [
                0: [.nan, 0, 0, 0, 1, 1], 1: [0, 0, .infinity, 0, 1, 1], 2: [0, 0, 0, 1000, 1, 1],
                3: [0, 0, 0, 0, .nan, 1],
                4: [0, 0, 0, 0, 1, .nan], 5: [0, 0, 0, 0, 1, 1],
            ])
        let (_, found) = try detect([DetectorOutput(name: "o", shape: [84, 6], values: values)], labels: 1)
        XCTAssertEqual(found.count, 1)
    }

    // MARK: - Suppression

    func testOverlappingBoxesOfOneClassLeaveTheStrongest() throws {
        // Two that overlap by 60 %, a third of another class at the same position, a fourth elsewhere.
        let values = table(
            rows: 252, columns: 7,
            [
                0: [20, 20, 16, 16, 1, 0.6, 0], 1: [24, 20, 16, 16, 1, 0.9, 0], 2: [20, 20, 16, 16, 1, 0, 0.5],
                3: [50, 50, 8, 8, 1, 0.7, 0],
            ])
        let output = DetectorOutput(name: "o", shape: [252, 7], values: values)
        let (_, found) = try detect([output], labels: 2)
        XCTAssertEqual(found.map { $0.scores.max() }, [0.9, 0.7, 0.5])
        var settings = DetectorSettings()
        settings.overlapThreshold = 0.7
        XCTAssertEqual(try detect([output], labels: 2, settings).found.map { $0.scores.max() }, [0.9, 0.7, 0.6, 0.5])
        settings.confidenceThreshold = 0.65
        XCTAssertEqual(try detect([output], labels: 2, settings).found.map { $0.scores.max() }, [0.9, 0.7])
        settings.maximumCount = 1
        XCTAssertEqual(try detect([output], labels: 2, settings).found.count, 1)
    }

    func testEqualScoresKeepTheOrderOfTheOutput() throws {
        var rows: [Int: [Float]] = [:]
        for index in 0..<9 { rows[index * 7] = [Float(4 + 7 * index), 8, 4, 4, 1, 0.5] }
        let output = DetectorOutput(name: "o", shape: [252, 6], values: table(rows: 252, columns: 6, rows))
        let found = try detect([output], labels: 1).found
        XCTAssertEqual(found.map(\.box.x), found.map(\.box.x).sorted())
        XCTAssertEqual(found.count, 9)
    }

    // MARK: - SSD and models that have chosen

    func testSSDBoxesAreCornersAndTheBackgroundComesFirst() throws {
        let boxes = DetectorOutput(name: "boxes", shape: [1, 2, 4], values: [0.1, 0.2, 0.5, 0.6, 0, 0, 1, 1])
        let scores = DetectorOutput(name: "scores", shape: [1, 2, 3], values: [0.1, 0.8, 0.1, 0.9, 0.05, 0.05])
        let (kind, found) = try detect([scores, boxes], labels: 2)
        XCTAssertEqual(kind, .ssd)
        XCTAssertEqual(found.count, 1)
        assertBox(found.first?.box, 0.1, 0.2, 0.4, 0.4)
        XCTAssertEqual(found.first?.scores, [0.8, 0.1])
        // Two classes and no labels: one is the background.
        let faces = DetectorOutput(name: "scores", shape: [1, 2, 2], values: [0.1, 0.9, 0.9, 0.1])
        XCTAssertEqual(try detect([faces, boxes], labels: nil).found.map(\.scores), [[0.9]])
    }

    func testBoxOrderAndUnitsCanBeStated() throws {
        let boxes = DetectorOutput(name: "b", shape: [1, 1, 4], values: [6.4, 12.8, 32, 38.4])
        let scores = DetectorOutput(name: "s", shape: [1, 1, 1], values: [0.8])
        var settings = DetectorSettings()
        settings.kind = .ssd
        (settings.boxes, settings.scores) = ("b", "s")
        (settings.boxOrder, settings.units) = (.yxyx, .pixels)
        assertBox(try detect([boxes, scores], labels: 1, settings).found.first?.box, 0.2, 0.1, 0.4, 0.4)
    }

    func testBoxesThatTheModelChoseAreAllKept() throws {
        let boxes = DetectorOutput(
            name: "coordinates", shape: [2, 4], values: [0.5, 0.5, 0.2, 0.4, 0.5, 0.5, 0.2, 0.4])
        let scores = DetectorOutput(name: "confidence", shape: [2, 2], values: [0.1, 0.05, 0.2, 0.7])
        let (kind, found) = try detect([boxes, scores], labels: 2)
        XCTAssertEqual(kind, .suppressed)
        XCTAssertEqual(found.map(\.scores), [[0.2, 0.7], [0.1, 0.05]], "Best first.")
        assertBox(found.first?.box, 0.4, 0.3, 0.2, 0.4)
        let none = [
            DetectorOutput(name: "coordinates", shape: [0, 4], values: []),
            DetectorOutput(name: "confidence", shape: [0, 2], values: []),
        ]
        XCTAssertEqual(try detect(none, labels: 2).found, [])
    }

    func testOneBoxOfTheModelsIsNotMistakenForAnAxisOfTheBatch() throws {
        let boxes = DetectorOutput(name: "coordinates", shape: [1, 4], values: [0.5, 0.5, 0.2, 0.4])
        let scores = DetectorOutput(name: "confidence", shape: [1, 6], values: [0, 0, 0.9, 0, 0, 0])
        XCTAssertEqual(try detect([boxes, scores], labels: 6).found.count, 1)
    }

    func testTensorFlowsDetectorsWriteYFirstAndNumberClasses() throws {
        let outputs = [
            DetectorOutput(name: "detection_boxes:0", shape: [1, 2, 4], values: [0.1, 0.2, 0.3, 0.6, 0, 0, 1, 1]),
            DetectorOutput(name: "detection_classes:0", shape: [1, 2], values: [2, 9]),
            DetectorOutput(name: "detection_scores:0", shape: [1, 2], values: [0.9, 0.8]),
            DetectorOutput(name: "num_detections:0", shape: [1], values: [2]),
        ]
        let (kind, found) = try detect(outputs, labels: 3)
        XCTAssertEqual(kind, .ssdSuppressed)
        XCTAssertEqual(found.map(\.scores), [[0, 0, 0.9]], "There is no class 9.")
        assertBox(found.first?.box, 0.2, 0.1, 0.4, 0.2)
        var settings = DetectorSettings()
        settings.background = 0
        XCTAssertEqual(try detect(outputs, labels: 3, settings).found.map(\.scores), [[0, 0.9, 0]])
    }

    func testTheChoicesOfNonMaxSuppressionAreFollowed() throws {
        // Three boxes, two classes; box 2 is chosen for both classes, box 0 for the second.
        let outputs = [
            DetectorOutput(
                name: "a", shape: [1, 3, 4], values: [0.1, 0.2, 0.3, 0.6, 0, 0, 1, 1, 0.5, 0.5, 0.75, 1]),
            DetectorOutput(name: "b", shape: [1, 2, 3], values: [0.1, 0.9, 0.6, 0.7, 0.9, 0.8]),
            DetectorOutput(name: "c", shape: [3, 3], values: [0, 0, 2, 0, 1, 2, 0, 1, 0]),
        ]
        let (kind, found) = try detect(outputs, labels: 2)
        XCTAssertEqual(kind, .selectedIndices)
        XCTAssertEqual(found.map(\.scores), [[0.6, 0.8], [0.1, 0.7]])
        assertBox(found.last?.box, 0.2, 0.1, 0.4, 0.2)
        let wrong = [outputs[0], outputs[1], DetectorOutput(name: "c", shape: [1, 3], values: [0, 0, 3])]
        XCTAssertThrowsError(try detect(wrong, labels: 2))
        let none = [outputs[0], outputs[1], DetectorOutput(name: "c", shape: [0, 3], values: [])]
        XCTAssertEqual(try detect(none, labels: 2).found, [])
    }

    // MARK: - Recognition

    private func kind(_ outputs: [(String, [Int])], labels: Int?, _ settings: DetectorSettings = DetectorSettings())
        -> DetectorSettings.Kind?
    {
        Detector(
            outputs: outputs.map { (name: $0.0, shape: $0.1) }, inputWidth: 416, inputHeight: 416, labelCount: labels,
            settings: settings)?.kind
    }

    func testRealNetworksAreRecognisedByTheirShapes() {
        XCTAssertEqual(kind([("output", [1, 3549, 85])], labels: nil), .yolox)
        XCTAssertEqual(kind([("output", [1, 10647, 85])], labels: 80), .yolov5)
        XCTAssertEqual(kind([("output0", [1, 84, 3549])], labels: 80), .yolov8)
        XCTAssertEqual(kind([("scores", [1, 4420, 2]), ("boxes", [1, 4420, 4])], labels: nil), .ssd)
    }

    func testOtherOutputsAreNotMistakenForDetectors() {
        XCTAssertNil(kind([("output", [1, 1000])], labels: 1000))
        XCTAssertNil(kind([("output", [1, 3549, 85])], labels: 20))
        XCTAssertNil(kind([("output", [1, 3500, 85])], labels: 80))
        XCTAssertNil(kind([("a", [1, 3549, 85]), ("b", [1, 3])], labels: 80))
        XCTAssertNil(kind([("mask", [1, 1, 416, 416])], labels: nil))
        var settings = DetectorSettings()
        settings.kind = DetectorSettings.Kind.none
        XCTAssertNil(kind([("output", [1, 3549, 85])], labels: nil, settings))
    }

    func testAStatedKindWithOtherShapesIsAnError() throws {
        var settings = DetectorSettings()
        for kind in DetectorSettings.Kind.allCases where kind != DetectorSettings.Kind.none {
            settings.kind = kind
            let detector = try XCTUnwrap(
                Detector(
                    outputs: [("x", [3, 3])], inputWidth: 64, inputHeight: 64, labelCount: 6, settings: settings))
            XCTAssertThrowsError(
                try detector.detections(in: [
                    DetectorOutput(name: "x", shape: [3, 3], values: [Float](repeating: 1, count: 9))
                ]), "\(kind)")
            XCTAssertThrowsError(try detector.detections(in: []), "\(kind)")
        }
    }
}
