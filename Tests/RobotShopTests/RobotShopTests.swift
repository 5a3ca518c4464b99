import BarcodeTestSupport
import CoreML
import ModelTestSupport
import Vision
import XCTest

@testable import RobotShop

final class RobotShopTests: XCTestCase {
    private let width = 320, height = 240

    private final class Findings: @unchecked Sendable {
        private let lock = NSLock()
        private var found: [Shop.Finding] = []

        func add(_ finding: Shop.Finding) { lock.withLock { found.append(finding) } }
        var all: [Shop.Finding] { lock.withLock { found } }
    }

    /// A texture that lies `shift` pixels further left, and a code in front of it.
    private func frame(shift: Int, code: DrawnCode? = nil) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        for y in 0..<height {
            for x in 0..<width {
                var value = UInt8(90 + noise((x + shift) / 6, y / 6) / 4)
                if let code {
                    let (u, v) = (Double(x - 60) / 2, Double(y - 80) / 2)
                    if u > -10, v > -10, u < Double(code.width) + 10, v < Double(code.height) + 10 {
                        value = code.isDark(u, v) ? 20 : 235
                    }
                }
                let pixel = bytes + y * rowBytes + 4 * x
                for component in 0..<3 { pixel.storeBytes(of: value, toByteOffset: component, as: UInt8.self) }
                pixel.storeBytes(of: 255, toByteOffset: 3, as: UInt8.self)
            }
        }
        return buffer
    }

    private func noise(_ x: Int, _ y: Int) -> Int {
        var bits = UInt32(truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263)
        bits = (bits ^ (bits >> 13)) &* 1_274_126_177
        return Int((bits ^ (bits >> 16)) & 255)
    }

    /// A classifier of parts with the same scores for every image.
    private func model(_ scores: [Float]) throws -> VNCoreMLModel {
        try VNCoreMLModel(
            for: makeModel(
                makeSession(
                    inputs: [("image", .float32, [1, 3, 8, 8])], outputs: [("scores", [1, scores.count])],
                    shapes: { _ in [[1, scores.count]] }, body: { _ in [scores] }),
                #"{"labels": ["servo", "belt", "lead screw"]}"#))
    }

    func testNothingIsAnalysedWhileTheCameraMoves() throws {
        let findings = Findings()
        let shop = Shop(model: try model([0.99, 0.01, 0])) { findings.add($0) }
        for number in 0..<24 { shop.captured(try frame(shift: 4 * number), orientation: .up) }
        shop.finish()
        XCTAssertFalse(shop.isStill)
        XCTAssertEqual(abs(shop.path.x), 60, accuracy: 3)
        XCTAssertEqual(shop.analyses, 0)
        XCTAssertEqual(findings.all, [])
    }

    func testHeldStillThePartIsRecognisedAndTheBarcodeRead() throws {
        let findings = Findings()
        let shop = Shop(model: try model([0.003, 0.99, 0.007])) { findings.add($0) }
        let code = try DrawnCode(.code128, "course 7")
        for number in 0..<8 { shop.captured(try frame(shift: 5 * number), orientation: .up) }
        XCTAssertFalse(shop.isStill)
        // The last shift of the movement leaves the history after fifteen more frames.
        let still = try frame(shift: 40, code: code)
        for _ in 0..<18 {
            shop.captured(still, orientation: .up)
            shop.finish()
        }
        XCTAssertTrue(shop.isStill)
        XCTAssertGreaterThan(shop.analyses, 0)
        XCTAssertEqual(Set(findings.all.map(\.part)), ["belt"])
        XCTAssertEqual(Set(findings.all.map(\.barcode)), ["course 7"])
    }

    func testADoubtfulClassificationIsNotShown() throws {
        let findings = Findings()
        let shop = Shop(model: try model([0.97, 0.02, 0.01])) { findings.add($0) }
        let still = try frame(shift: 0)
        for _ in 0..<17 {
            shop.captured(still, orientation: .up)
            shop.finish()
        }
        XCTAssertGreaterThan(shop.analyses, 0)
        XCTAssertEqual(findings.all, [])
    }

    func testOneFrameIsAnalysedAtATimeAndTheOthersAreDropped() throws {
        let gate = DispatchSemaphore(value: 0)
        let code = try DrawnCode(.code128, "wait")
        let shop = Shop(model: nil) { _ in gate.wait() }
        let still = try frame(shift: 0, code: code)
        for _ in 0..<16 { shop.captured(still, orientation: .up) }
        // Frames come on while the first finding is being shown; each is taken at once.
        for _ in 0..<10 { shop.captured(still, orientation: .up) }
        XCTAssertLessThanOrEqual(shop.analyses, 1)
        for _ in 0..<3 { gate.signal() }
        shop.finish()
        XCTAssertLessThanOrEqual(shop.analyses, 3)
        XCTAssertGreaterThan(shop.analyses, 0)
        XCTAssertFalse(shop.isBusy)
    }

    func testAPauseForgetsThePath() throws {
        let shop = Shop(model: nil) { _ in }
        for number in 0..<6 { shop.captured(try frame(shift: 3 * number), orientation: .up) }
        XCTAssertGreaterThan(abs(shop.path.x), 5)
        shop.reset()
        XCTAssertEqual(shop.path, .zero)
        XCTAssertFalse(shop.isStill)
    }
}
