import ModelTestSupport
import VisionImage
import VisionInference
import XCTest

@testable import VisionModels

/// Backbones on inputs that are not square.
final class BackboneSizeTests: XCTestCase {
    private typealias Size = Backbone.InputSize

    private func network(_ revision: Backbone.Revision) throws -> Backbone {
        try requireModel { try Backbone.shared(revision) }
    }

    /// Ramps in red, parabolas in green, squares in blue: whole numbers only, so that every machine makes the same.
    private func image(_ size: Size) throws -> Raster {
        try Raster(width: size.columns, height: size.rows, format: .rgb8) { pixels, rowBytes in
            for y in 0..<size.rows {
                for x in 0..<size.columns {
                    let bytes = [(x * 7 + y * 3) % 256, (x * x / 16 + y) % 256, (x / 16 + y / 16) % 2 * 200 + 20]
                    for (channel, byte) in bytes.enumerated() {
                        pixels.storeBytes(of: UInt8(byte), toByteOffset: y * rowBytes + 3 * x + channel, as: UInt8.self)
                    }
                }
            }
        }
    }

    private func length(_ values: [Float]) -> Float { values.reduce(0) { $0 + $1 * $1 }.squareRoot() }

    // MARK: - Sizes

    /// As in Training/Scene/logits.py.
    func testSizesHaveAboutAsManyPixelsAsTheSquare() {
        let columnsAndRows = [
            (260, 260), (164, 388), (164, 420), (164, 452), (196, 324), (196, 356), (228, 292), (228, 324), (292, 228),
            (324, 196), (324, 228), (356, 196), (388, 164), (420, 164), (452, 164),
        ]
        XCTAssertEqual(Set(Size.sizes(squareSide: 260)), Set(columnsAndRows.map { Size(rows: $1, columns: $0) }))
        XCTAssertEqual(Size.sizes(squareSide: 260).count, columnsAndRows.count)
        XCTAssertEqual(Size.sizes(squareSide: 260).first, Size(square: 260))
        for side in [224, 260, 388, 516] {
            for size in Size.sizes(squareSide: side) {
                let share = Double(size.rows * size.columns) / Double(side * side)
                XCTAssertEqual(share, 1, accuracy: 0.1, "\(size)")
                XCTAssertEqual([size.rows % 32, size.columns % 32], [side % 32, side % 32], "\(size)")
            }
        }
    }

    func testTheNearestSizeHasTheAspectOfTheRegion() {
        let expected: [(width: Double, height: Double, size: Size)] = [
            (100, 100, Size(square: 260)), (110, 100, Size(square: 260)), (640, 480, Size(rows: 228, columns: 292)),
            (480, 640, Size(rows: 292, columns: 228)), (3000, 2000, Size(rows: 228, columns: 324)),
            (1920, 1080, Size(rows: 196, columns: 356)), (2000, 1, Size(rows: 164, columns: 452)),
            (1, 2000, Size(rows: 452, columns: 164)), (1, 1, Size(square: 260)),
            (0.001, 0.001, Size(square: 260)),
        ]
        for (width, height, size) in expected {
            let region = PixelRegion(x: 3, y: 5, width: width, height: height)
            XCTAssertEqual(Size.nearest(to: region, squareSide: 260), size, "\(width) × \(height)")
        }
        let region = PixelRegion(width: 600, height: 430)
        XCTAssertEqual(Size.nearest(to: region, squareSide: 388), Size(rows: 324, columns: 452))
    }

    func testSidesDifferFromTheSquareByMultiplesOf32() throws {
        let network = try network(.efficientNetLite2)
        for side in [260, 388] {
            for size in Size.sizes(squareSide: side) { XCTAssertTrue(network.permits(size), "\(size)") }
        }
        for (rows, columns) in [(260, 261), (256, 260), (0, 260), (-28, 260), (4, 260)] {
            XCTAssertFalse(network.permits(Size(rows: rows, columns: columns)), "\(rows) × \(columns)")
        }
        XCTAssertTrue(try self.network(.efficientNetLite0).permits(Size(rows: 192, columns: 288)))
    }

    func testTheInputOfASizeShowsAllOfTheRegion() throws {
        let network = try network(.efficientNetLite2)
        let region = PixelRegion(x: 10, y: 20, width: 300, height: 200)
        let size = network.inputSize(nearestTo: region)
        let input = network.input(region: region, size: size)
        XCTAssertEqual([input.width, input.height], [324, 228])
        XCTAssertEqual(input.placement.source, region)
        XCTAssertEqual(input.placement.target, PixelRegion(width: 324, height: 228))
    }

    // MARK: - Runs

    /// What ONNX Runtime 1.32 gives for these images: every 125th logit, every 160th feature, lengths of both vectors,
    /// and of each half a score and the length.
    func testOtherSizesGiveTheNumbersOfTheFile() throws {
        struct Expected {
            let network: Backbone.Revision
            let size: Size
            let logits: [Float]
            let features: [Float]
            let lengths: (Float, Float)
            let halves: [(Float, Float)]
        }
        let expected = [
            Expected(
                network: .efficientNetLite0, size: Size(rows: 192, columns: 288),
                logits: [0.35425, 0.81059, -1.25255, -0.96851, -1.71968, -0.21935, 0.5874, -1.15147],
                features: [0.04245, 0, 0, 0.01876, 0, 0.59927, 0, 0], lengths: (40.85259, 17.94088),
                halves: [(-2.3677, 56.617), (-1.0717, 31.621), (-1.5492, 35.844), (-1.8902, 47.272)]),
            Expected(
                network: .efficientNetLite2, size: Size(rows: 228, columns: 292),
                logits: [-1.40402, -1.81012, -0.11022, -1.16428, -1.87452, -1.0801, -0.06242, -0.06207],
                features: [0, 0, 0.01882, 0.19097, 0.05719, 0.0387, 0.01582, 0.3782], lengths: (37.88346, 15.88575),
                halves: [(-2.2817, 43.558), (-1.4674, 35.452), (-2.087, 39.903), (-1.662, 37.834)]),
            Expected(
                network: .efficientNetLite2, size: Size(rows: 452, columns: 324),
                logits: [-1.35465, -1.3465, -0.28365, -1.13094, -1.53326, -1.04117, -0.14454, 0.47405],
                features: [0, 0, 0.00564, 0.45641, 0.023, 0.00996, 0.01811, 0.19002], lengths: (32.53753, 12.9294),
                halves: [(-1.9737, 39.407), (-1.0928, 28.311), (-1.6476, 34.28), (-1.4189, 31.71)]),
        ]
        for entry in expected {
            let name = "\(entry.network), \(entry.size)"
            let found = try network(entry.network).features(of: try image(entry.size))
            XCTAssertEqual(found.revision, entry.network)
            XCTAssertEqual([found.logits.count, found.pooled.count, found.halves.count], [1000, 1280, 4000])
            XCTAssertTrue(found.maps.isEmpty)
            for (index, value) in entry.logits.enumerated() {
                XCTAssertEqual(found.logits[125 * index], value, accuracy: 1e-3, "\(name), score \(125 * index)")
            }
            for (index, value) in entry.features.enumerated() {
                XCTAssertEqual(found.pooled[160 * index], value, accuracy: 1e-3, "\(name), feature \(160 * index)")
            }
            XCTAssertEqual(length(found.logits), entry.lengths.0, accuracy: 1e-3, name)
            XCTAssertEqual(length(found.pooled), entry.lengths.1, accuracy: 1e-3, name)
            for (half, value) in zip(ImageHalf.allCases, entry.halves) {
                let scores = Array(found.halves[(1000 * half.rawValue)..<(1000 * half.rawValue + 1000)])
                XCTAssertEqual(scores[500], value.0, accuracy: 1e-3, "\(name), \(half)")
                XCTAssertEqual(length(scores), value.1, accuracy: 2e-3, "\(name), \(half)")
            }
        }
    }

    func testTheSquareHasNearlyTheSameNumbersInBothGraphs() throws {
        for revision in Backbone.Revision.allCases {
            let network = try network(revision)
            let image = try image(Size(square: network.side))
            let square = try network.features(of: image, maps: true, threads: nil, in: .square)
            let sized = try network.features(of: image, maps: true, threads: nil, in: .sized)
            XCTAssertEqual(try network.features(of: image, maps: true), square)
            for (one, other) in [
                (square.logits, sized.logits), (square.pooled, sized.pooled), (square.halves, sized.halves),
            ] {
                XCTAssertEqual(one.count, other.count)
                for (one, other) in zip(one, other) { XCTAssertEqual(one, other, accuracy: 1e-3) }
            }
            XCTAssertEqual(square.maps.map(\.rows), sized.maps.map(\.rows))
            XCTAssertEqual(square.maps.map(\.columns), sized.maps.map(\.columns))
        }
    }

    func testMapsHaveAPositionForEverySquareOfPixelsOfAnySize() throws {
        let network = try network(.efficientNetLite2)
        for size in [Size(rows: 324, columns: 452), Size(rows: 164, columns: 452), Size(square: 388)] {
            let found = try network.features(of: try image(size), maps: true)
            XCTAssertEqual(found.maps.map(\.level), BackboneMap.Level.allCases)
            for (map, side) in zip(found.maps, [4, 8, 16, 32, 32]) {
                XCTAssertEqual(map.rows, (size.rows + side - 1) / side, "\(size), \(map.level)")
                XCTAssertEqual(map.columns, (size.columns + side - 1) / side, "\(size), \(map.level)")
                XCTAssertEqual(map.values.count, map.rows * map.columns * map.channels)
            }
            let last = try XCTUnwrap(found.map(.last))
            for channel in stride(from: 0, to: 1280, by: 37) {
                let values = stride(from: channel, to: last.values.count, by: 1280).map { last.values[$0] }
                XCTAssertEqual(found.pooled[channel], values.reduce(0, +) / Float(values.count), accuracy: 1e-4)
            }
        }
    }

    func testNumbersDependNeitherOnThreadsNorOnOtherSizes() throws {
        let network = try network(.efficientNetLite2)
        let images = try [(228, 292), (292, 228), (164, 388)].map { try image(Size(rows: $0, columns: $1)) }
        let first = try images.map { try network.features(of: $0, maps: true, threads: 1) }
        for threads in [2, 3] {
            let again = try images.reversed().map { try network.features(of: $0, maps: true, threads: threads) }
            XCTAssertEqual(Array(again.reversed()), first, "\(threads) threads")
        }
    }
}
