import Foundation
import Synchronization
import VisionImage
import XCTest

final class HelpersTests: XCTestCase {
    func testTheCallReturnsWhenAllThatHaveBegunAreDone() {
        for pause in [0, 0.01] {
            let helpers = Helpers(most: 3, for: .works)
            // None where other tests' threads have not come home yet.
            let count = helpers.count
            let began = Atomic(0), ended = Atomic(0)
            helpers.run { thread in
                XCTAssertLessThanOrEqual(thread, count)
                began.add(1, ordering: .acquiringAndReleasing)
                // The caller goes when all are here, the others stay for a while: awake, or asleep by now.
                while began.load(ordering: .acquiring) < count + 1 { sched_yield() }
                if thread > 0 { Thread.sleep(forTimeInterval: pause) }
                ended.add(1, ordering: .acquiringAndReleasing)
            }
            XCTAssertEqual(ended.load(ordering: .acquiring), count + 1)
        }
    }

    func testNothingIsDoneTwiceAndNothingLeftOver() {
        for turn in 0..<500 {
            let next = Atomic(0), items = turn % 20, done = Locked([Int](repeating: 0, count: items))
            Helpers(most: turn % 4, for: .parts).run { _ in
                while case let item = next.add(1, ordering: .relaxed).oldValue, item < items {
                    done.withLock { $0[item] += 1 }
                }
            }
            XCTAssertEqual(done.withLock { $0 }, Array(repeating: 1, count: items))
        }
    }

    func testThoseThatComeLateHoldOnToNothing() {
        final class Held: Sendable {}
        weak var held: Held?
        do {
            let object = Held()
            held = object
            Helpers(most: 2, for: .works).run { _ in withExtendedLifetime(object) {} }
        }
        let limit = ContinuousClock.now + .seconds(60)
        while held != nil, ContinuousClock.now < limit { Thread.sleep(forTimeInterval: 0.001) }
        XCTAssertNil(held)
    }

    func testThreadsThatWereNotNeededAreThereForOthers() {
        let first = Helpers(most: 2, for: .works)
        let count = first.count
        first.giveBack()
        let second = Helpers(most: 2, for: .works)
        XCTAssertGreaterThanOrEqual(second.count, count)
        second.giveBack()
    }
}
