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
        for (width, height) in [(1, 1), (3, 2), (7, 9), (1, 2000), (2000, 1), (640, 480)] {
            let body = DrawnBody.person(x: Double(width) / 2, top: 0, height: Double(height))
            let image = ImageSource(pixelBuffer: DrawnBody.buffer([body], width: width, height: height))
            let region = PixelRegion(width: width, height: height)
            let thumbnail = try FrameThumbnail(of: region, in: image)
            XCTAssertFalse(thumbnail.showsScene(of: FrameThumbnail(ramp)), "\(width) × \(height)")
        }
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        let image = ImageSource(pixelBuffer: DrawnBody.buffer([body], width: 320, height: 240))
        let region = PixelRegion(width: 320, height: 240)
        let again = try FrameThumbnail(of: region, in: image)
        XCTAssertTrue(try FrameThumbnail(of: region, in: image).showsScene(of: again))
    }
}
