import Foundation
import Synchronization
import XCTest
import VisionThreads

final class ThreadTeamTests: XCTestCase {
    func testTheCallReturnsWhenAllThatHaveBegunAreDone() {
        for pause in [0, 0.01] {
            let team = ThreadTeam(maximumCount: 3, for: .jobs)
            // None where other tests' threads have not come home yet.
            let count = team.count
            let began = Atomic(0), ended = Atomic(0)
            team.run { thread in
                XCTAssertLessThanOrEqual(thread, count)
                began.add(1, ordering: .acquiringAndReleasing)
                // The caller goes when all are here, the others stay for a while: spinning, or asleep by now.
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
            ThreadTeam(maximumCount: turn % 4, for: .parts).run { _ in
                while case let item = next.add(1, ordering: .relaxed).oldValue, item < items {
                    done.withLock { $0[item] += 1 }
                }
            }
            XCTAssertEqual(done.withLock { $0 }, Array(repeating: 1, count: items))
        }
    }

    func testLateThreadsRetainNothing() {
        final class Held: Sendable {}
        weak var held: Held?
        do {
            let object = Held()
            held = object
            ThreadTeam(maximumCount: 2, for: .jobs).run { _ in withExtendedLifetime(object) {} }
        }
        let limit = ContinuousClock.now + .seconds(60)
        while held != nil, ContinuousClock.now < limit { Thread.sleep(forTimeInterval: 0.001) }
        XCTAssertNil(held)
    }

    func testUnusedThreadsCanBeBorrowedAgain() {
        let first = ThreadTeam(maximumCount: 2, for: .jobs)
        let count = first.count
        first.giveBack()
        let second = ThreadTeam(maximumCount: 2, for: .jobs)
        XCTAssertGreaterThanOrEqual(second.count, count)
        second.giveBack()
    }
}
