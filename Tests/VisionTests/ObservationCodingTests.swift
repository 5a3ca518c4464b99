import Foundation
import VisionAlgorithms
import VisionExtras
import VisionImage
import XCTest

@testable import Vision

/// The observations of later requests in JSON, made up, so that no network is needed.
final class ObservationCodingTests: XCTestCase {
    private func map() throws -> CVPixelBuffer {
        try OddFrames.flat(4, 3, format: kCVPixelFormatType_OneComponent32Float, value: 0)
    }

    private func observations() throws -> [VNObservation] {
        let objects = [CGRect(x: 0, y: 0.25, width: 0.5, height: 0.5), CGRect(x: 0.5, y: 0, width: 0.25, height: 1)]
        let readings = ["Größe 7", "Grösse 7"].map { text in
            TextLineReading(
                text: text, confidence: 0.75, lengths: text.map { String($0).utf8.count },
                spans: text.indices.enumerated().map { Double($0.offset) / 8...Double($0.offset + 1) / 8 })
        }
        return [
            VNSaliencyImageObservation(
                pixelBuffer: try map(),
                salientObjects: objects.map { VNRectangleObservation(requestRevision: 1, boundingBox: $0) },
                requestRevision: 1, timeRange: .zero),
            VNSaliencyImageObservation(
                pixelBuffer: try map(), salientObjects: nil, requestRevision: 1, timeRange: .zero),
            VNHumanObservation(
                upperBodyOnly: false, confidence: 0.5, requestRevision: 2, boundingBox: objects[0], timeRange: .zero),
            VNRecognizedTextObservation(
                readings: readings, requestRevision: 3, corners: VNRectangleObservation.corners(of: objects[1]),
                timeRange: .zero),
        ]
    }

    func testTheyOutliveJSON() throws {
        let all = try observations()
        let data = try JSONEncoder().encode(all.map(CodableObservation.init))
        let back = try JSONDecoder().decode([CodableObservation].self, from: data).map(\.observation)
        XCTAssertEqual(back, all)
        XCTAssertEqual(back.map { "\(type(of: $0))" }, all.map { "\(type(of: $0))" })
        XCTAssertEqual((back[0] as? VNSaliencyImageObservation)?.salientObjects?.count, 2)
        XCTAssertNil((back[1] as? VNSaliencyImageObservation)?.salientObjects)
        XCTAssertEqual((back[2] as? VNHumanObservation)?.upperBodyOnly, false)
        let text = try XCTUnwrap(back[3] as? VNRecognizedTextObservation)
        XCTAssertEqual(text.topCandidates(10).map(\.string), ["Größe 7", "Grösse 7"])
        let first = try XCTUnwrap(text.topCandidates(1).first)
        let digit = first.string.index(before: first.string.endIndex)..<first.string.endIndex
        XCTAssertEqual(try XCTUnwrap(try first.boundingBox(for: digit)).boundingBox.minX, 0.5 + 0.25 * 6 / 8)
    }

    func testCountsThatLieGiveErrors() throws {
        for (observation, key) in zip(
            try [observations()[0], observations()[3]], ["salientObjectCount", "candidateCount"])
        {
            let data = try JSONEncoder().encode(CodableObservation(observation))
            let values = try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
            for count in [Int.max, Int.min, -1, 3, 11] {
                var damaged = values
                damaged[key] = count
                let json = try JSONSerialization.data(withJSONObject: damaged)
                XCTAssertThrowsError(try JSONDecoder().decode(CodableObservation.self, from: json), "\(key) \(count)")
            }
        }
    }
}
