import Foundation
import ModelTestSupport
import VisionImage
import XCTest

@testable import Vision

final class FrameThumbnailTests: XCTestCase {
    private let ramp = (0..<64).map { UInt8($0 * 3) }

    func testAChangeOfLightIsTheSameScene() {
        let thumbnail = FrameThumbnail(ramp)
        XCTAssertTrue(thumbnail.showsScene(of: thumbnail))
        XCTAssertTrue(thumbnail.showsScene(of: FrameThumbnail(ramp.map { $0 / 2 + 60 })))
        XCTAssertTrue(thumbnail.showsScene(of: FrameThumbnail(ramp.map { $0 ^ 15 })))
    }

    func testOtherPicturesAreNot() {
        let thumbnail = FrameThumbnail(ramp)
        XCTAssertFalse(thumbnail.showsScene(of: FrameThumbnail(ramp.reversed())))
        var generator = SystemRandomNumberGenerator.Seeded(seed: 55)
        for _ in 0..<100 {
            let noise = FrameThumbnail(ramp.map { _ in .random(in: 0...255, using: &generator) })
            XCTAssertFalse(thumbnail.showsScene(of: noise))
        }
        let black = FrameThumbnail([UInt8](repeating: 0, count: 64))
        XCTAssertFalse(black.showsScene(of: black))
        XCTAssertFalse(black.showsScene(of: thumbnail))
    }

    func testImagesOfAllShapesHaveOne() throws {
        for (width, height) in [(1, 1), (3, 2), (7, 9), (1, 2000), (2000, 1), (240, 320), (640, 480)] {
            let body = DrawnBody.person(x: Double(width) / 2, top: 0, height: Double(height))
            let (drawn, again) = (try thumbnail([body], width, height), try thumbnail([body], width, height))
            let empty = try thumbnail([], width, height)
            // A body is not drawn, or is flat, in the others.
            guard min(width, height) > 9 else { continue }
            XCTAssertTrue(drawn.showsScene(of: again), "\(width) × \(height)")
            XCTAssertFalse(drawn.showsScene(of: empty), "\(width) × \(height)")
        }
    }

    private func thumbnail(_ bodies: [DrawnBody], _ width: Int, _ height: Int) throws -> FrameThumbnail {
        let image = ImageSource(pixelBuffer: DrawnBody.buffer(bodies, width: width, height: height))
        return try FrameThumbnail(of: PixelRegion(width: width, height: height), in: image)
    }
}
