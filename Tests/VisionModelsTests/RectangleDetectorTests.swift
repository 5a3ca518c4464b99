import VisionAlgorithms
import VisionImage
import VisionInference
import XCTest

@testable import VisionModels

final class RectangleDetectorTests: XCTestCase {
    /// Colours that differ from pixel to pixel, with a brighter page in front.
    private func renderedImage(
        width: Int = 320, height: Int = 240, page: PlanarQuad? = nil, noise: Int = 64
    ) throws -> Raster {
        var state: UInt32 = 7
        let corners = page?.corners ?? []
        return try Raster(width: width, height: height, format: .rgb8) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
                    let isPage =
                        page != nil
                        && (0..<4).allSatisfy { index in
                            let (a, b) = (corners[index], corners[(index + 1) % 4])
                            return (b.x - a.x) * (v - a.y) - (b.y - a.y) * (u - a.x) > 0
                        }
                    for channel in 0..<3 {
                        state = state &* 1_664_525 &+ 1_013_904_223
                        let grain = noise > 0 ? Int(state >> 24) % noise : 0
                        pixels.storeBytes(
                            of: UInt8((isPage ? 190 : 60 + 10 * channel) + grain),
                            toByteOffset: y * rowBytes + 3 * x + channel, as: UInt8.self)
                    }
                }
            }
        }
    }

    private func bytes(_ raster: Raster, _ x: Int, _ y: Int) -> [UInt8] {
        let (column, row) = (min(max(x, 0), raster.width - 1), min(max(y, 0), raster.height - 1))
        return raster.withUnsafePixels { pixels in
            (0..<3).map { pixels.load(fromByteOffset: row * raster.rowBytes + 3 * column + $0, as: UInt8.self) }
        }
    }

    private func quad(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanarQuad {
        PlanarQuad(
            topLeft: PlanarPoint(x: x, y: y), topRight: PlanarPoint(x: x + width, y: y),
            bottomRight: PlanarPoint(x: x + width, y: y + height), bottomLeft: PlanarPoint(x: x, y: y + height))
    }

    private let page = PlanarQuad(
        topLeft: PlanarPoint(x: 92.4, y: 58.7), topRight: PlanarPoint(x: 221.3, y: 71.2),
        bottomRight: PlanarPoint(x: 204.8, y: 183.5), bottomLeft: PlanarPoint(x: 80.1, y: 164.9))

    private func crop(_ quad: PlanarQuad, of raster: Raster) throws -> [Float] {
        let side = RectangleNetworks.cropSide
        let map = try XCTUnwrap(Homography(squareTo: quad))
        let crops = try RectangleNetworks.crops(of: raster)
        var floats = [Float](repeating: .nan, count: 3 * side * side)
        floats.withUnsafeMutableBufferPointer { crops.write(map, margin: RectangleNetworks.verifierMargin, to: $0) }
        return floats
    }

    // MARK: Pictures of quads

    func testAQuadOfThePicturesSizeIsCopiedWithWhatIsAroundIt() throws {
        let raster = try renderedImage(width: 100, height: 70)
        let (side, margin) = (RectangleNetworks.cropSide, RectangleNetworks.verifierMargin)
        let inner = Double(side - 2 * margin)
        // The right and the lower end of the crop are beyond the image, which goes on there.
        let floats = try crop(quad(50, 20, inner, inner), of: raster)
        for row in 0..<side {
            for column in 0..<side {
                let wanted = bytes(raster, 50 - margin + column, 20 - margin + row).map { Float($0) / 128 - 1 }
                for channel in 0..<3 {
                    XCTAssertEqual(floats[3 * (row * side + column) + channel], wanted[channel], accuracy: 1e-3)
                }
            }
        }
    }

    func testALargeQuadIsSeenInTheMeansOfItsPixels() throws {
        let raster = try renderedImage(width: 640, height: 480, noise: 0)
        let stripes = try Raster(width: 640, height: 480, format: .rgb8) { pixels, rowBytes in
            for index in 0..<rowBytes * 480 {
                pixels.storeBytes(of: index / rowBytes % 2 == 0 ? 40 : 140, toByteOffset: index, as: UInt8.self)
            }
        }
        XCTAssertTrue(try crop(quad(100, 60, 336, 336), of: stripes).allSatisfy { abs($0 - (90.0 / 128 - 1)) < 0.01 })
        XCTAssertEqual(try crop(quad(100, 60, 336, 336), of: raster)[0], 60.0 / 128 - 1, accuracy: 0.01)
    }

    func testGreyAndColourBytesOfAllOrdersAreSeenAlike() throws {
        let raster = try renderedImage()
        let wanted = try crop(page, of: raster)
        for format in [Raster.Format.bgr8, .bgra8, .argb8, .rgba8] {
            XCTAssertEqual(try crop(page, of: try raster.converted(to: format)), wanted, "\(format)")
        }
        let grey = try raster.converted(to: .grey8)
        XCTAssertEqual(try crop(page, of: grey), try crop(page, of: try grey.converted(to: .rgb8)))
    }

    // MARK: Networks

    func testNetworksInEachOthersPlacesAreRefused() throws {
        for swapped in [BuiltInNetwork.rectangleProposals, .rectangleVerifier, .rectangleRefinement] {
            XCTAssertThrowsError(
                try RectangleNetworks { network in
                    try NetworkFile.graph((network == swapped ? .faceVerifier : network).data())
                }, swapped.id
            ) { error in
                guard (error as? ModelError)?.kind == .invalid else { return XCTFail("\(error)") }
            }
        }
    }

    func testAQuadIsSeenAlikeAloneAndAmongOthers() throws {
        let networks = try RectangleNetworks.shared()
        let crops = try RectangleNetworks.crops(of: try renderedImage(page: page))
        let quads = (0..<45).map { quad(20 + 4 * Double($0), 30, 80 + Double($0), 90) } + [page]
        let together = try networks.verdicts(on: quads, in: crops, threads: 1)
        for index in [0, 31, 32, 45] {
            let alone = try XCTUnwrap(try networks.verdicts(on: [quads[index]], in: crops).first ?? nil)
            let among = try XCTUnwrap(together[index])
            XCTAssertEqual(alone.exact, among.exact, accuracy: 1e-3 * (1 + abs(alone.exact)))
            XCTAssertEqual(alone.near, among.near, accuracy: 1e-3 * (1 + abs(alone.near)))
            if let a = alone.moved, let b = among.moved { XCTAssertLessThan(a.largestDistance(to: b), 0.1) }
        }
        let again = try networks.verdicts(on: quads, in: crops, threads: 4)
        XCTAssertEqual(together.map { $0?.exact }, again.map { $0?.exact }, "the number of threads changes nothing")
        XCTAssertEqual(together.map { $0?.moved }, again.map { $0?.moved })
    }

    func testWhatIsNoViewOfARectangleHasNoVerdict() throws {
        var crossed = page
        (crossed.topLeft, crossed.topRight) = (crossed.topRight, crossed.topLeft)
        var lost = page
        lost.topLeft.x = .nan
        let verdicts = try RectangleNetworks.shared().verdicts(
            on: [crossed, page, lost], in: try RectangleNetworks.crops(of: try renderedImage()))
        XCTAssertNil(verdicts[0])
        XCTAssertNotNil(verdicts[1])
        XCTAssertNil(verdicts[2])
    }

    func testAQuadThatIsAstrayIsBroughtToThePage() throws {
        let networks = try RectangleNetworks.shared()
        let crops = try RectangleNetworks.crops(of: try renderedImage(page: page))
        let astray = [quad(70, 40, 130, 120), quad(100, 90, 140, 100), quad(75, 75, 100, 75)]
        let moves = try networks.outlines(of: astray + [quad(.nan, 0, 9, 9)], in: crops, threads: 1)
        for (start, quads) in zip(astray, moves) {
            XCTAssertEqual(quads.count, RectangleNetworks.outlines)
            let nearest = try XCTUnwrap(quads.map { $0.largestDistance(to: page) }.min())
            XCTAssertLessThan(nearest, 0.3 * start.largestDistance(to: page))
        }
        XCTAssertEqual(moves[3], [])
        let again = try networks.outlines(of: astray, in: crops, threads: 4)
        XCTAssertEqual(again, Array(moves.prefix(3)), "the number of threads changes nothing")
    }

    func testImagesOfAllShapesAreSearched() throws {
        let networks = try RectangleNetworks.shared()
        for (width, height) in [(640, 480), (8, 640), (640, 8), (9, 9), (160, 160), (161, 33)] {
            let proposals = try networks.proposals(
                in: try renderedImage(width: width, height: height), least: -.infinity, threads: 1)
            XCTAssertEqual(proposals.count, RectangleNetworks.cells * RectangleNetworks.cells)
            XCTAssertTrue(proposals.allSatisfy { $0.quad.isFinite && $0.score.isFinite })
            XCTAssertEqual(proposals.map(\.score), proposals.map(\.score).sorted(by: >))
        }
    }

    // MARK: The search

    func testAPageIsFoundWithItsCornersWhateverTheThreads() throws {
        let image = try renderedImage(page: page)
        let detector = RectangleDetector(RectangleFinder(), networks: try .shared())
        let found = try detector.rectangles(in: image, small: image, threads: 1)
        let first = try XCTUnwrap(found.first)
        XCTAssertLessThan(first.quad.largestDistance(to: page), 1)
        XCTAssertGreaterThan(first.confidence, 0.5)
        let again = try detector.rectangles(in: image, small: image, threads: 4)
        XCTAssertEqual(found.map(\.quad), again.map(\.quad))
        XCTAssertEqual(found.map(\.confidence), again.map(\.confidence))
    }

    func testAPageIsFoundWithoutLines() throws {
        let image = try renderedImage(page: page)
        var settings = RectangleDetector.Settings()
        settings.mostFromLines = 0
        let found = try RectangleDetector(RectangleFinder(), networks: try .shared(), settings: settings).rectangles(
            in: image, small: image)
        XCTAssertLessThan(try XCTUnwrap(found.first).quad.largestDistance(to: page), 1)
    }

    func testCornersAreExactInTheLargerImage() throws {
        let large = page.scaled(3, 3)
        let image = try renderedImage(width: 960, height: 720, page: large)
        let small = try image.resized(width: 640, height: 480, filter: .antialiasedBilinear)
        let found = try RectangleDetector(RectangleFinder(), networks: try .shared()).rectangles(
            in: image, small: small)
        XCTAssertLessThan(try XCTUnwrap(found.first).quad.largestDistance(to: large), 1)
    }

    func testNothingIsFoundWhereThereIsNothing() throws {
        let detector = RectangleDetector(RectangleFinder(), networks: try .shared())
        for (width, height) in [(320, 240), (8, 8), (640, 9), (1, 1), (3, 500)] {
            let image = try renderedImage(width: width, height: height, noise: 0)
            XCTAssertEqual(try detector.rectangles(in: image, small: image).count, 0, "\(width) × \(height)")
        }
    }

    func testTheSearchEndsWhereARunIsNotWanted() throws {
        struct Stop: Error {}
        let image = try renderedImage(page: page)
        let detector = RectangleDetector(RectangleFinder(), networks: try .shared())
        var runs = 0
        for most in 0..<3 {
            runs = 0
            XCTAssertThrowsError(
                try detector.rectangles(in: image, small: image) {
                    guard runs < most else { throw Stop() }
                    runs += 1
                }
            ) { XCTAssertTrue($0 is Stop) }
            XCTAssertEqual(runs, most)
        }
    }
}
