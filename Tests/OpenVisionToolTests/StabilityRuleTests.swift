import XCTest

@testable import openvision

final class StabilityRuleTests: XCTestCase {
    func testNothingIsStableBeforeFifteenEntries() {
        var rule = StabilityRule()
        for _ in 0..<14 {
            rule.add(x: 0, y: 0)
            XCTAssertFalse(rule.isStable)
        }
        rule.add(x: 0, y: 0)
        XCTAssertTrue(rule.isStable)
    }

    func testNetDriftCountsNotThePath() {
        var rule = StabilityRule()
        for step in 0..<15 { rule.add(x: step % 2 == 0 ? 30 : -30, y: 0) }
        XCTAssertEqual(rule.drift, 30)
        XCTAssertFalse(rule.isStable)
        rule.add(x: -30, y: 0)
        XCTAssertEqual(rule.drift, 30)
        rule.reset()
        for step in 0..<15 { rule.add(x: step % 2 == 0 ? 8 : -8, y: step % 2 == 0 ? -8 : 8) }
        XCTAssertEqual(rule.drift, 16)
        XCTAssertTrue(rule.isStable)
    }

    func testExactlyTwentyPixelsIsNotStable() {
        var rule = StabilityRule()
        for _ in 0..<14 { rule.add(x: 0, y: 0) }
        rule.add(x: 12, y: -8)
        XCTAssertEqual(rule.drift, 20)
        XCTAssertFalse(rule.isStable)
    }

    func testOldEntriesAreForgotten() {
        var rule = StabilityRule()
        rule.add(x: 500, y: 0)
        for _ in 0..<14 { rule.add(x: 0, y: 0) }
        XCTAssertFalse(rule.isStable)
        rule.add(x: 0, y: 0)
        XCTAssertTrue(rule.isStable)
    }

    func testResetStartsAnew() {
        var rule = StabilityRule()
        for _ in 0..<15 { rule.add(x: 0, y: 0) }
        rule.reset()
        XCTAssertFalse(rule.isStable)
    }

    func testFramesThatFollowOneAnotherAreJoined() {
        var stretches = Stretches()
        for frame in [15, 16, 17, 30, 40, 41] { stretches.add(frame) }
        XCTAssertEqual(stretches.ranges, [15...17, 30...30, 40...41])
    }
}
