import ModelTestSupport
import Foundation
import VisionImage
import VisionInference
import VisionModels
import XCTest
import VisionThreads

/// The backbones of the store. `make test` installs them and sees to it that none of these tests is skipped.
final class BackboneTests: XCTestCase {
    private func network(_ revision: Int) throws -> Backbone {
        return try requireModel { try Backbone.shared(.init(number: revision)) }
    }

    /// Ramps in red, parabolas in green, squares in blue: whole numbers only, so that every machine makes the same.
    private func testImage(_ network: Backbone) throws -> Raster {
        let side = network.side
        return try Raster(width: side, height: side, format: .rgb8) { pixels, rowBytes in
            for y in 0..<side {
                for x in 0..<side {
                    let bytes = [(x * 7 + y * 3) % 256, (x * x / 16 + y) % 256, (x / 16 + y / 16) % 2 * 200 + 20]
                    for (channel, byte) in bytes.enumerated() {
                        pixels.storeBytes(of: UInt8(byte), toByteOffset: y * rowBytes + 3 * x + channel, as: UInt8.self)
                    }
                }
            }
        }
    }

    private func length(_ values: [Float]) -> Float { values.reduce(0) { $0 + $1 * $1 }.squareRoot() }

    /// What ONNX Runtime 1.31 gives for this image: every 125th logit, every 160th feature, lengths of both vectors.
    func testRevisionsAreTheNetworksThatTheyWere() throws {
        let expected: [(revision: Int, logits: [Float], features: [Float], lengths: (Float, Float))] = [
            (
                1, [0.48797, 0.67591, -1.41019, -1.03666, -1.61937, 0.09832, 0.62459, -1.41284],
                [0, 0, 0, 0.00133, 0, 0.64199, 0, 0], (43.99601, 19.06838)
            ),
            (
                2, [-1.49027, -1.65957, -0.20928, -1.40856, -1.82689, -1.13605, -0.03642, -0.18354],
                [0, 0, 0.00856, 0.17423, 0, 0.01859, 0.00209, 0.33369], (36.65358, 15.42346)
            ),
        ]
        XCTAssertEqual(Backbone.Revision.allCases.map(\.rawValue), expected.map(\.revision))
        for (revision, logits, features, lengths) in expected {
            let network = try network(revision)
            let found = try network.features(of: try testImage(network))
            XCTAssertEqual(found.revision.rawValue, revision)
            XCTAssertEqual(found.logits.count, 1000)
            XCTAssertEqual(found.pooled.count, 1280)
            for (index, value) in logits.enumerated() {
                XCTAssertEqual(found.logits[125 * index], value, accuracy: 1e-3, "revision \(revision), \(125 * index)")
            }
            for (index, value) in features.enumerated() {
                XCTAssertEqual(found.pooled[160 * index], value, accuracy: 1e-3, "revision \(revision), \(160 * index)")
            }
            XCTAssertEqual(length(found.logits), lengths.0, accuracy: 1e-3)
            XCTAssertEqual(length(found.pooled), lengths.1, accuracy: 1e-3)
            XCTAssertTrue(found.maps.isEmpty)
        }
    }

    /// The classifier applied to the means of halves of ONNX Runtime's last map: a score and the length of each part's.
    func testPartsAreClassifiedOnTheirOwn() throws {
        let expected: [[(Float, Float)]] = [
            [(-2.1516, 58.64), (-1.0871, 33.84), (-1.1367, 40.372), (-2.102, 49.023)],
            [(-2.1486, 42.515), (-1.5052, 34.274), (-1.9856, 38.336), (-1.6682, 36.882)],
        ]
        for (revision, parts) in zip(Backbone.Revision.allCases.map(\.rawValue), expected) {
            let network = try network(revision)
            let found = try network.features(of: try testImage(network)).halves
            XCTAssertEqual(found.count, 1000 * ImageHalf.allCases.count)
            for (part, expected) in zip(ImageHalf.allCases, parts) {
                let scores = Array(found[(1000 * part.rawValue)..<(1000 * part.rawValue + 1000)])
                XCTAssertEqual(scores[500], expected.0, accuracy: 1e-3, "revision \(revision), \(part)")
                XCTAssertEqual(length(scores), expected.1, accuracy: 2e-3, "revision \(revision), \(part)")
            }
        }
    }

    func testPooledFeaturesAreTheMeansOfTheLastMap() throws {
        for revision in Backbone.Revision.allCases.map(\.rawValue) {
            let network = try network(revision)
            let found = try network.features(of: try testImage(network), maps: true)
            let map = try XCTUnwrap(found.map(.last))
            XCTAssertEqual(
                [map.rows, map.columns, map.channels], [(network.side + 31) / 32, (network.side + 31) / 32, 1280])
            for channel in stride(from: 0, to: 1280, by: 7) {
                let values = stride(from: channel, to: map.values.count, by: map.channels).map { map.values[$0] }
                let mean = values.reduce(0, +) / Float(map.rows * map.columns)
                XCTAssertEqual(found.pooled[channel], mean, accuracy: 1e-4)
            }
        }
    }

    func testMapsHaveAPlaceForEverySquareOfPixels() throws {
        let network = try network(1)
        let found = try network.features(of: try testImage(network), maps: true)
        XCTAssertEqual(found.maps.map(\.level), BackboneMap.Level.allCases)
        XCTAssertEqual(found.maps.map(\.rows), [56, 28, 14, 7, 7])
        XCTAssertEqual(found.maps.map(\.columns), [56, 28, 14, 7, 7])
        XCTAssertEqual(found.maps.map(\.channels), [24, 40, 112, 320, 1280])
        for map in found.maps { XCTAssertEqual(map.values.count, map.rows * map.columns * map.channels) }
    }

    func testNumbersDependNeitherOnThreadsNorOnWhetherMapsAreWanted() throws {
        let network = try network(1)
        let image = try testImage(network)
        let first = try network.features(of: image, threads: 1)
        let second = try network.features(of: image, maps: true, threads: 2)
        XCTAssertEqual(first.logits, second.logits)
        XCTAssertEqual(first.pooled, second.pooled)
        XCTAssertEqual(first.halves, second.halves)
    }

    func testANetworkIsLoadedOnce() throws {
        XCTAssertTrue(try network(1) === network(1))
    }

    // MARK: - In bytes

    private func networkInBytes() throws -> Backbone {
        try requireModel { try Backbone.shared(.efficientNetLite2, .bytes) }
    }

    private func cosine(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } / (length(a) * length(b))
    }

    func testBytesGiveNearlyTheNumbersOfFloats() throws {
        let bytes = try networkInBytes()
        let floats = try network(2)
        XCTAssertFalse(bytes === floats)
        XCTAssertEqual(bytes.arithmetic, .bytes)
        let image = try testImage(bytes)
        let found = try bytes.features(of: image)
        let expected = try floats.features(of: image)
        XCTAssertNotEqual(found.logits, expected.logits)
        XCTAssertGreaterThan(cosine(found.logits, expected.logits), 0.97)
        XCTAssertGreaterThan(cosine(found.pooled, expected.pooled), 0.95)
        XCTAssertGreaterThan(cosine(found.halves, expected.halves), 0.97)
        XCTAssertTrue(found.maps.isEmpty)
    }

    func testBytesDoNotDependOnThreads() throws {
        let network = try networkInBytes()
        let image = try testImage(network)
        XCTAssertEqual(try network.features(of: image, threads: 1), try network.features(of: image, threads: 2))
    }

    func testTheSmallerBackboneHasNoBytes() throws {
        _ = try network(1)
        XCTAssertThrowsError(try Backbone.shared(.efficientNetLite0, .bytes)) { error in
            guard case .unknownModel? = error as? ModelStoreError else { return XCTFail("\(error)") }
        }
    }

    func testManyThreadsShareANetwork() throws {
        let network = try network(1)
        let image = try testImage(network)
        let expected = try network.features(of: image)
        let results = Locked<[BackboneFeatures]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            guard let found = try? network.features(of: image) else { return }
            results.withLock { $0.append(found) }
        }
        XCTAssertEqual(results.withLock { $0 }, Array(repeating: expected, count: 6))
    }

    func testWithoutTheModelTheErrorNamesTheCommand() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let store = InstalledModels(ModelLocations(writable: folder))
        for revision in Backbone.Revision.allCases {
            XCTAssertThrowsError(try Backbone(revision, store: store)) { error in
                XCTAssertTrue("\(error)".contains("openvision models install efficientnet-lite"), "\(error)")
            }
        }
    }

    func testAnUnknownRevisionIsAnError() {
        for number in [0, 3] {
            XCTAssertThrowsError(try Backbone.Revision(number: number)) { error in
                guard case .unknownModel? = error as? ModelStoreError else { return XCTFail("\(error)") }
            }
        }
    }

    /// Revisions of classification and prints say which backbone they read; they need not be the backbone's own.
    func testRevisionsOfRequestsNameTheirBackbone() {
        XCTAssertEqual(
            SceneScoring.backbones,
            [1: .efficientNetLite0, 2: .efficientNetLite2, 3: .efficientNetLite2, 4: .efficientNetLite2])
        XCTAssertEqual([1, 2, 3, 4].map(SceneScoring.arithmetic), [.floats, .floats, .floats, .bytes])
        XCTAssertEqual(
            PrintVector.backbones, [1: .efficientNetLite0, 2: .efficientNetLite2, 3: .efficientNetLite2])
    }
}
