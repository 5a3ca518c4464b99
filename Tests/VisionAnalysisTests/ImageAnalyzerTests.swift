import NetworkMetadata
import BarcodeTestSupport
import CoreML
import Foundation
import ModelTestSupport
import Vision
import XCTest

@testable import VisionAnalysis

/// Reports of images: what the requests find, in pixels, and what failed.
final class ImageAnalyzerTests: XCTestCase {
    /// A grey image whose pixels a closure gives.
    private func frame(_ width: Int, _ height: Int, _ grey: (Int, Int) -> UInt8) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_OneComponent8, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for y in 0..<height {
            for x in 0..<width {
                base.storeBytes(
                    of: grey(x, y), toByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + x, as: UInt8.self)
            }
        }
        return buffer
    }

    private func requireNetwork() throws {
        _ = try requireModel {
            let request = VNClassifyImageRequest()
            try VNImageRequestHandler(cvPixelBuffer: try frame(8, 8) { _, _ in 9 }).perform([request])
        }
    }

    private func object(_ report: AnalysisReport) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: try AnalysisJSON.data(report))
        return try XCTUnwrap(json as? [String: Any])
    }

    private func results(_ report: AnalysisReport, _ name: String) throws -> [[String: Any]] {
        try XCTUnwrap((try object(report)["results"] as? [String: Any])?[name] as? [[String: Any]])
    }

    func testABarcodeIsReadWhereTheRequestSeesIt() throws {
        let drawn = try DrawnCode(.qr, "worker")
        let scene = try frame(400, 300) { x, y in
            let (column, row) = ((x - 150) / 5, (y - 80) / 5)
            guard x >= 150, y >= 80, column < drawn.width, row < drawn.height else { return 240 }
            return drawn.modules[row * drawn.width + column] ? 20 : 240
        }
        let report = try AnalysisPlan(names: "barcodes,horizon").report(
            on: VNImageRequestHandler(cvPixelBuffer: scene), id: .integer(7), path: "a")
        XCTAssertTrue(report.isComplete)
        let code = try XCTUnwrap(try results(report, "barcodes").first)
        XCTAssertEqual(code["payload"] as? String, "worker")
        XCTAssertEqual(code["symbology"] as? String, "qr")
        let request = VNDetectBarcodesRequest()
        try VNImageRequestHandler(cvPixelBuffer: scene).perform([request])
        let box = try XCTUnwrap(request.results?.first?.boundingBox)
        let found = try XCTUnwrap(code["box"] as? [String: Double])
        let (width, height) = (CVPixelBufferGetWidth(scene), CVPixelBufferGetHeight(scene))
        XCTAssertEqual(found["x"] ?? -1, Double(box.minX) * Double(width), accuracy: 0.01)
        XCTAssertEqual(found["y"] ?? -1, (1 - Double(box.maxY)) * Double(height), accuracy: 0.01)
        let json = try object(report)
        XCTAssertEqual(json["id"] as? Int, 7)
        XCTAssertEqual((json["image"] as? [String: Any])?["width"] as? Int, width)
        XCTAssertEqual((json["results"] as? [String: Any])?.keys.sorted(), ["barcodes", "horizon"])
        XCTAssertTrue(json["error"] is NSNull)
    }

    func testDamagedImagesAreOneErrorEach() throws {
        let plan = try AnalysisPlan(names: "barcodes,horizon,rectangles")
        for data in [Data(), Data("text".utf8), Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16])] {
            let report = plan.report(of: data)
            XCTAssertFalse(report.isComplete)
            XCTAssertEqual(report.errors, [:])
            XCTAssertFalse(try XCTUnwrap(report.error).contains("error 1"))
            XCTAssertEqual(report.results.count, 0)
        }
    }

    func testAnImageOfOnePixelHasResultsOfEveryKind() throws {
        try requireNetwork()
        let frame = try frame(1, 1) { _, _ in 99 }
        let plan = try AnalysisPlan(names: AnalysisKind.allCases.map(\.rawValue).joined(separator: ","))
        let report = plan.report(on: VNImageRequestHandler(cvPixelBuffer: frame))
        XCTAssertNil(report.error)
        XCTAssertEqual(report.errors, [:])
        XCTAssertEqual(Set(report.results.keys), Set(AnalysisKind.allCases.map(\.rawValue)))
        XCTAssertEqual(try results(report, "print").count, 1)
    }

    func testClassesAreLeavesUnlessAncestorsAreWanted() throws {
        try requireNetwork()
        let frame = try frame(120, 90) { x, y in UInt8((x * y) % 251) }
        func identifiers(_ json: String) throws -> [String] {
            let plan = try AnalysisPlan(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)))
            let report = plan.report(on: VNImageRequestHandler(cvPixelBuffer: frame))
            return try results(report, "classify").compactMap { $0["identifier"] as? String }
        }
        let leaves = try identifiers(#"{"name": "classify", "top": 4, "minConfidence": 0}"#)
        let all = try identifiers(#"{"name": "classify", "top": 4000, "minConfidence": 0, "ancestors": true}"#)
        XCTAssertEqual(leaves.count, 4)
        XCTAssertGreaterThan(all.count, 1000)
        XCTAssertEqual(leaves, all.filter(Set(leaves).contains))
    }
}
