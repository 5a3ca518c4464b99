import VisionAlgorithms
import VisionImage
import XCTest

@testable import VisionModels

/// Tests which windows share a view, and the features of each. Needs no network.
final class SharedViewTests: XCTestCase {
    private let step = Double(TrackerGraphs.step)
    private let cells = TrackerGraphs.searchCells

    private func window(_ x: Double, _ y: Double, side: Double = 256) -> ImagePatch {
        ImagePatch(centre: SIMD2(x, y), side: side, size: TrackerGraphs.searchSide)
    }

    private func views(_ windows: [ImagePatch], _ width: Int = 640, _ height: Int = 480) -> [SharedView] {
        SharedView.views(of: windows, width: width, height: height)
    }

    // MARK: What is shared

    func testWindowsThatLieOverEachOtherAreSeenTogether() throws {
        let views = views([window(300, 240), window(364, 240)])
        XCTAssertEqual(views.count, 1)
        XCTAssertEqual(views.first?.members.map(\.index), [0, 1])
        XCTAssertEqual(views.first?.rows, cells)
        XCTAssertEqual(views.first?.columns, cells + 4)
    }

    func testWindowsApartAreSeenAlone() {
        XCTAssertEqual(views([window(130, 130), window(500, 350)]), [])
        XCTAssertEqual(views([window(300, 240)]), [])
        XCTAssertEqual(views([window(200, 240), window(400, 240)]), [], "they share too little")
        XCTAssertEqual(views([]), [])
    }

    func testWindowsOfOtherScalesAreSeenAlone() {
        XCTAssertEqual(views([window(300, 240), window(300, 240, side: 330)]), [])
        XCTAssertEqual(views([window(300, 240), window(300, 240, side: 290)]).count, 1)
    }

    func testSixteenWindowsOfAFullFrameTakeLittleMoreThanTheFrame() throws {
        let windows = (0..<16).map {
            window(Double($0 % 4) * 160 + 80, Double($0 / 4) * 120 + 60, side: 250 + Double($0))
        }
        let view = try XCTUnwrap(views(windows).first)
        XCTAssertEqual(view.members.map(\.index).sorted(), Array(0..<16))
        XCTAssertLessThan(view.rows * view.columns, 16 * cells * cells * 2 / 5)
    }

    func testAViewNeverCostsMoreThanItsWindows() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            let windows = (0..<Int.random(in: 2...20, using: &random)).map { _ in
                window(
                    .random(in: -50...700, using: &random), .random(in: -50...500, using: &random),
                    side: .random(in: 100...700, using: &random))
            }
            var seen: [Int] = []
            for view in views(windows) {
                XCTAssertGreaterThan(view.members.count, 1)
                XCTAssertLessThanOrEqual(
                    view.rows * view.columns, view.members.count * cells * cells * 3 / 4, "\(windows)")
                seen += view.members.map(\.index)
                for member in view.members {
                    let (requested, given) = (windows[member.index], view.window(of: member))
                    XCTAssertLessThanOrEqual(abs(requested.centre.x - given.centre.x) * given.scale, step / 2 + 1e-6)
                    XCTAssertLessThanOrEqual(abs(requested.centre.y - given.centre.y) * given.scale, step / 2 + 1e-6)
                    XCTAssertLessThan(max(requested.scale / given.scale, given.scale / requested.scale), 1.13)
                }
            }
            XCTAssertEqual(Set(seen).count, seen.count, "a window is in one view: \(windows)")
        }
    }

    func testOddWindowsAreSeenAloneAndTrapNothing() {
        let odd = [
            window(.nan, 3), window(3, .infinity), window(3, 3, side: 0), window(3, 3, side: .nan),
            window(3, 3, side: -1), window(-1e12, 3), window(3, 3, side: 1e-300), window(3, 3, side: 1e300),
            window(3, 3, side: 1e-300), window(3, 3, side: 1e300),
        ]
        XCTAssertEqual(views(odd), [])
        for (width, height) in [(1, 1), (1, 65536), (65536, 65536)] {
            for side in [1e-3, 1, 256, 1e6] {
                for view in views(
                    (0..<5).map { window(Double(width) * Double($0) / 4, 0.5, side: side) }, width, height)
                {
                    XCTAssertLessThanOrEqual(view.rows * view.columns, 5 * cells * cells)
                }
            }
        }
        XCTAssertEqual(views([window(300, 240)] + odd + [window(310, 250)]).first?.members.map(\.index), [0, 11])
    }

    // MARK: What a member gets

    func testAMemberGetsItsPlacesAndBeyondThePictureThoseOfItsEdge() throws {
        let view = try XCTUnwrap(views([window(40, 60), window(100, 60)]).first)
        let (channels, columns, rows) = (TrackerGraphs.channels, view.columns, view.rows)
        var map = [Float](repeating: 0, count: rows * columns * channels)
        for index in map.indices { map[index] = Float(index) }
        for member in view.members {
            XCTAssertLessThan(member.row, 0)
            let features = map.withUnsafeMutableBufferPointer { view.features(of: member, in: $0) }
            XCTAssertEqual(features.count, cells * cells * channels)
            for row in 0..<cells {
                for column in 0..<cells {
                    let y = min(max(member.row + row, 0), rows - 1),
                        x = min(max(member.column + column, 0), columns - 1)
                    XCTAssertEqual(
                        features[(row * cells + column) * channels + 3], Float((y * columns + x) * channels + 3))
                }
            }
        }
    }

    func testNearnessIsCountedFromTheMiddleOfTheWindowThatWasWanted() throws {
        let seen = window(300, 240)
        var answer = TrackerNetworks.Answer(
            scores: [Float](repeating: 0.5, count: 256), distances: [Float](repeating: 1, count: 1024))
        func best(_ requested: ImagePatch?) throws -> (x: Double, y: Double) {
            let candidate = try XCTUnwrap(
                ScoreMap(answer, window: seen, requested: requested).best(
                    width: 32, height: 32, nearness: 0.3, shape: 0.15))
            return (candidate.x, candidate.y)
        }
        // Four cells are equally near to the middle of the window itself.
        XCTAssertEqual(try best(nil).x, 300 - step / 2, accuracy: 1e-9)
        XCTAssertEqual(try best(window(307, 233)).x, 300 + step / 2, accuracy: 1e-9)
        XCTAssertEqual(try best(window(307, 233)).y, 240 - step / 2, accuracy: 1e-9)
        answer.scores[0] = 1
        XCTAssertEqual(try best(window(307, 233)).x, 300 - 7.5 * step, accuracy: 1e-9)
    }
}
