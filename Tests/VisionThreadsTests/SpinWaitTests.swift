import Foundation
import XCTest
import VisionThreads

final class SpinWaitTests: XCTestCase {
    func testAConditionThatHoldsIsEvaluatedOnce() {
        var asked = 0
        XCTAssertTrue(
            SpinWait.wait {
                asked += 1
                return true
            })
        XCTAssertEqual(asked, 1)
    }

    func testSpinningEndsAtTheLimit() {
        XCTAssertFalse(SpinWait.wait { false })
    }

    func testSpinningWaitsForTheCondition() throws {
        try XCTSkipIf(Processors.count == 1, "one processor never spins")
        var asked = 0
        XCTAssertTrue(
            SpinWait.wait {
                asked += 1
                return asked == 10
            })
    }
}
