import VisionAlgorithms
import XCTest

final class FourierPlanTests: XCTestCase {
    func testGoodLengthsAreTheNextProductsOfTwoThreeAndFive() {
        XCTAssertEqual(
            [1, 7, 11, 13, 97, 479, 1080].map { FourierPlan.goodLength(atLeast: $0, even: false) },
            [2, 8, 12, 15, 100, 480, 1080])
        XCTAssertEqual(
            [1, 5, 13, 15, 25, 641].map { FourierPlan.goodLength(atLeast: $0, even: true) }, [4, 6, 16, 16, 30, 648])
        XCTAssertNil(FourierPlan.goodLength(atLeast: 16385, even: true))
    }

    func testUnsupportedSizesThrow() {
        for (width, height) in [(14, 16), (15, 16), (2, 16), (16, 7), (16, 1), (-4, 8), (16, 20000), (1 << 40, 8)] {
            XCTAssertThrowsError(try FourierPlan(width: width, height: height)) {
                XCTAssertEqual($0 as? FourierError, .unsupportedSize(width: width, height: height))
            }
        }
    }

    func testPlansAreCached() throws {
        let plan = try FourierPlan.shared(width: 96, height: 54)
        XCTAssertTrue(try FourierPlan.shared(width: 96, height: 54) === plan)
        XCTAssertFalse(try FourierPlan.shared(width: 54, height: 96) === plan)
        XCTAssertTrue(try FourierPlan.shared(width: 96, height: 54) === plan)
        XCTAssertGreaterThan(plan.workBytes, 0)
    }

    func testPlansMayBeUsedByConcurrentThreads() async throws {
        let sizes = [(8, 8), (16, 12), (20, 30), (64, 48)]
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for turn in 0..<16 {
                let (width, height) = sizes[turn % sizes.count]
                group.addTask {
                    let plan = try FourierPlan.shared(width: width, height: height)
                    return plan.width == width && plan.height == height
                }
            }
            for try await isRight in group { XCTAssertTrue(isRight) }
        }
    }
}
