import Foundation
import VisionImage
import XCTest

final class AwakeTests: XCTestCase {
    func testWhatIsSoAlreadyIsAskedOnce() {
        var asked = 0
        XCTAssertTrue(
            Awake.wait {
                asked += 1
                return true
            })
        XCTAssertEqual(asked, 1)
    }

    func testWhatNeverComesIsGivenUp() {
        XCTAssertFalse(Awake.wait { false })
    }

    func testWhatComesAfterSomeQuestionsIsWaitedFor() throws {
        try XCTSkipIf(Processors.count == 1, "one processor never waits awake")
        var asked = 0
        XCTAssertTrue(
            Awake.wait {
                asked += 1
                return asked == 10
            })
    }
}
