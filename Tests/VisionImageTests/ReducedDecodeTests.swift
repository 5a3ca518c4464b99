import Foundation
import XCTest

@testable import VisionImage

/// Tests decoding at a half, a quarter or an eighth of the size, which JPEG and WebP support.
final class ReducedDecodeTests: XCTestCase {
    private struct Reduced {
        let name: String
        let make: (_ width: Int, _ height: Int) throws -> Data
    }

    private let headers = [
        // Padded, so that the file is large enough for the pixels that its header declares.
        Reduced(name: "JPEG") {
            try XCTUnwrap(Fixture.jpegBaseline.replacingJPEGSize(width: $0, height: $1)) + Data(count: 4096)
        },
        Reduced(name: "WebP") { Bytes.webP(width: $0, height: $1) },
    ]

    /// A reduced image has its size rounded up; a region scaled to it must not reach beyond it by a rounding error.
    func testTheWholeOfAnImageOfAnySideStaysInsideItsReductions() throws {
        for format in headers {
            for side in 1...8192 {
                let image = try EncodedImage(data: format.make(side, 8))
                for reduction in [1, 2, 4, 8] {
                    let minimum = (side + reduction - 1) / reduction
                    let size = image.header.decodedSize(minimumWidth: minimum, minimumHeight: 1)
                    let part = PixelRegion(width: side, height: 8).scaled(
                        from: (side, 8), to: (size.width, size.height))
                    XCTAssertEqual(
                        part, PixelRegion(width: size.width, height: size.height),
                        "\(format.name) of \(side) pixels at 1/\(reduction)")
                }
            }
        }
    }

    func testPartsOfAnImageStayInsideItsReductions() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100_000 {
            let (width, height) = (Int.random(in: 1...8192, using: &random), Int.random(in: 1...8192, using: &random))
            let x = Double.random(in: 0..<Double(width), using: &random)
            let y = Double.random(in: 0..<Double(height), using: &random)
            // Up to the edge, or to its rounded position.
            let part = PixelRegion(x: x, y: y, width: Double(width) - x, height: (Double(height) - y).nextUp)
            let reduction = [1, 2, 4, 8].randomElement(using: &random) ?? 1
            let size = ((width + reduction - 1) / reduction, (height + reduction - 1) / reduction)
            let scaled = part.scaled(from: (width, height), to: size)
            XCTAssertGreaterThanOrEqual(min(scaled.x, scaled.y), 0)
            XCTAssertLessThanOrEqual(scaled.x + scaled.width, Double(size.0), "\(part) of \(width) × \(height)")
            XCTAssertLessThanOrEqual(scaled.y + scaled.height, Double(size.1), "\(part) of \(width) × \(height)")
        }
    }

    /// Decodes images of many sizes at the input sizes of networks.
    func testImagesOfAllShapesAreDecodedAtEveryRequestedSize() throws {
        let grey = try TestImage.raster(width: 4, height: 4, format: .grey8)
        // One of the sizes that used to fail, then some of each length.
        var sizes = [(2560, 1707), (640, 426)]
        for index in 0..<150 { sizes.append((64 + index * 41 % 1900, 64 + index * 173 % 1300)) }
        for (width, height) in sizes {
            let jpeg = try grey.resized(width: width, height: height, filter: .bilinear).encodedJPEG()
            for data in [jpeg, Bytes.webP(width: width, height: height)] {
                let source = ImageSource(data: data)
                for (columns, rows) in [(width / 17 + 1, height / 17 + 1), (width / 5, height / 5), (224, 224)] {
                    let raster = try source.derivative(
                        Derivative(
                            region: PixelRegion(width: width, height: height), width: columns, height: rows,
                            format: .rgb8))
                    XCTAssertEqual(raster.width, columns)
                }
            }
        }
    }

    /// The first frame does not fill the canvas, so it cannot be decoded at a reduced size.
    func testAnAnimationWithAPartialFirstFrameIsDecodedAtAnySize() throws {
        for (width, height) in [(90, 70), (900, 700)] {
            let source = ImageSource(data: Bytes.animatedWebP(width: width, height: height))
            let raster = try source.derivative(
                Derivative(
                    region: PixelRegion(width: width, height: height), width: width / 10, height: height / 10,
                    format: .rgb8, filter: .area))
            XCTAssertEqual(raster.pixel(width / 20, height / 20), [40, 200, 90])
        }
    }
}
