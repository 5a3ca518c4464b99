import Foundation
import XCTest

@testable import VisionImage

final class CodingRoundTripTests: XCTestCase {
    func testPNGKeepsEveryByte() throws {
        for format in [Raster.Format.grey8, .rgb8, .bgra8, .rgba8] {
            let raster = try Picture.raster(width: 37, height: 23, format: format)
            let image = try EncodedImage(data: raster.encodedPNG())
            XCTAssertEqual(image.format, .png)
            XCTAssertEqual([image.width, image.height, image.bitsPerChannel], [37, 23, 8])
            XCTAssertEqual(image.orientation, 1)
            XCTAssertEqual(image.hasAlpha, format == .bgra8 || format == .rgba8)
            XCTAssertEqual(try image.decode(to: format).bytes, raster.bytes, "\(format)")
        }
    }
}
