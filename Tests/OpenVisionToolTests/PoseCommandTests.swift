import ModelTestSupport
import Vision
import VisionImage
import VisionModels
import VisionVideo
import XCTest

@testable import openvision

/// Runs `openvision pose` and `openvision hands` as their users do, with drawn people and hands.
final class PoseCommandTests: XCTestCase {
    private func write(_ bodies: [DrawnBody], _ name: String, in scratch: Scratch) throws -> String {
        let buffer = try CVPixelBuffer.bodies(bodies)
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    private func point(_ joints: Any?, _ name: String) throws -> CGPoint {
        let joint = try XCTUnwrap((joints as? [String: [String: Any]])?[name], name)
        let numbers = try XCTUnwrap(joint["point"] as? [Double])
        XCTAssertTrue((0...1).contains(try XCTUnwrap(joint["confidence"] as? Double)), name)
        return CGPoint(x: try XCTUnwrap(numbers.first), y: try XCTUnwrap(numbers.last))
    }

    func testThePoseIsPrintedInPixelsFromTheTopLeft() throws {
        _ = try requireModel { try KeypointFinder() }
        let scratch = try Scratch()
        let body = DrawnBody.person(x: 160, top: 20, height: 200, raised: true)
        let photo = try write([body], "person.png", in: scratch)
        let run = try openvision(["pose", photo, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let people = try run.results(0)
        XCTAssertEqual(people.count, 1)
        let joints = people.first?["joints"] as? [String: Any]
        XCTAssertEqual(joints?.count, 19)
        for (name, drawn) in body.joints {
            let found = try point(joints, name)
            XCTAssertLessThan(hypot(found.x - drawn.x, found.y - drawn.y), 10, name)
        }
        XCTAssertTrue(people.first?["space"] is NSNull)
        let text = try openvision(["pose", photo])
        XCTAssertEqual(text.lines.count, 21, "a line for the photo, one for the person, 19 for the joints")
        XCTAssertEqual(try openvision(["pose", photo, "--min-confidence", "1"]).lines.last, "  no person")
    }

    func testTheBodyInSpaceIsAnOption() throws {
        _ = try requireModel { try KeypointFinder() }
        let scratch = try Scratch()
        let photo = try write([DrawnBody.person(x: 160, top: 20, height: 200)], "person.png", in: scratch)
        let run = try openvision(["pose", photo, "--3d", "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let space = try XCTUnwrap(try run.results(0).first?["space"] as? [String: Any])
        XCTAssertEqual(space["height"] as? Double, 1.8)
        let joints = try XCTUnwrap(space["joints"] as? [String: [Double]])
        XCTAssertEqual(joints.count, 17)
        XCTAssertEqual(joints["root"], [0, 0, 0])
        XCTAssertGreaterThan(try XCTUnwrap(joints["topHead"]?[1]), 0.4)
        XCTAssertEqual(try openvision(["pose", photo, "--3d"]).code, 64)
    }

    func testHandsArePrintedWithTheirSide() throws {
        _ = try requireModel { try HandFinder() }
        let scratch = try Scratch()
        let hand = DrawnBody.hand(x: 150, y: 180, size: 90, isLeft: true)
        let photo = try write([hand], "hand.png", in: scratch)
        let run = try openvision(["hands", photo, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let hands = try run.results(0)
        XCTAssertEqual(hands.count, 1)
        XCTAssertEqual(hands.first?["chirality"] as? String, "left")
        for name in ["thumbTip", "indexTip", "middleTip", "ringTip", "littleTip"] {
            let (found, drawn) = (try point(hands.first?["joints"], name), try XCTUnwrap(hand.joints[name]))
            XCTAssertLessThan(hypot(found.x - drawn.x, found.y - drawn.y), 14, name)
        }
        XCTAssertEqual(try openvision(["hands", photo, "--max", "0"]).code, 64)
    }

    func testSkeletonsAreDrawnWhereTheJointsAre() throws {
        _ = try requireModel { try KeypointFinder() }
        let scratch = try Scratch()
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        let photo = try write([body], "person.png", in: scratch)
        let drawing = scratch.path("joints.png")
        let run = try openvision(["pose", photo, "--render", drawing])
        XCTAssertEqual(run.code, 0, run.errors)
        func pixels(_ path: String) throws -> Raster {
            try ImageSource(url: URL(fileURLWithPath: path)).derivative(
                Derivative(region: PixelRegion(width: 320, height: 240), width: 320, height: 240, format: .bgra8))
        }
        let (before, after) = (try pixels(photo), try pixels(drawing))
        func values(_ image: Raster, _ x: Int, _ y: Int) -> [Int] {
            image.withUnsafePixels { pixels in
                (0..<3).map { Int(pixels.load(fromByteOffset: y * image.rowBytes + 4 * x + $0, as: UInt8.self)) }
            }
        }
        func change(_ x: Int, _ y: Int) -> Int {
            zip(values(before, x, y), values(after, x, y)).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        // The shin, of the person's left and right side, and the wall beside the person.
        for side in ["left", "right"] {
            let (knee, ankle) = (
                try XCTUnwrap(body.joints["\(side)Knee"]), try XCTUnwrap(body.joints["\(side)Ankle"])
            )
            let middle = CGPoint(x: (knee.x + ankle.x) / 2, y: (knee.y + ankle.y) / 2)
            let changes = (-6...6).map { change(Int(middle.x) + $0, Int(middle.y)) }
            XCTAssertGreaterThan(try XCTUnwrap(changes.max()), 60, side)
        }
        XCTAssertEqual(change(20, 20), 0)
    }

    func testLinesHaveRoundEndsAndStayInsideTheCanvas() throws {
        let buffer = try CVPixelBuffer.make(width: 40, height: 30, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: 40, height: 30), .black)
            canvas.stroke([CGPoint(x: 10, y: 15), CGPoint(x: 30, y: 15)], width: 6, .white, opacity: 1)
            canvas.stroke([CGPoint(x: -50, y: 2), CGPoint(x: 90, y: 2)], width: 2, .white, opacity: 0.5)
            canvas.stroke([CGPoint(x: CGFloat.nan, y: 2), CGPoint(x: 9, y: 2)], width: 2, .white, opacity: 1)
            canvas.stroke([CGPoint(x: CGFloat.infinity, y: 2), CGPoint(x: 9, y: 2)], width: 2, .white, opacity: 1)
        }
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        func value(_ x: Int, _ y: Int) -> UInt8 {
            base.load(fromByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x, as: UInt8.self)
        }
        XCTAssertEqual(value(20, 15), 255)
        XCTAssertEqual(value(8, 15), 255)
        XCTAssertEqual(value(5, 15), 0)
        XCTAssertEqual(value(20, 20), 0)
        XCTAssertEqual(value(0, 2), 128)
        XCTAssertEqual(value(39, 2), 128)
    }
}

extension CVPixelBuffer {
    /// An image of 320 × 240 pixels with bodies or hands.
    static func bodies(_ bodies: [DrawnBody]) throws -> CVPixelBuffer {
        let (width, height) = (320, 240)
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        let bytes = DrawnBody.pixels(bodies, width: width, height: height)
        let image = try Raster(width: width, height: height, format: .bgra8) { pixels, rowBytes in
            for row in 0..<height {
                for column in 0..<4 * width {
                    let value = bytes[row * 4 * width + column]
                    pixels.storeBytes(of: value, toByteOffset: row * rowBytes + column, as: UInt8.self)
                }
            }
        }
        try Canvas.paint(on: buffer) { $0.draw(image, x: 0, y: 0) }
        return buffer
    }
}
