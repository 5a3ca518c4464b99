import Foundation
import XCTest

@testable import VisionImage
import VisionThreads

private let unit = PixelBudget.leastCost

final class PixelBudgetTests: XCTestCase {
    func testNoMoreThanTheLimitIsInUse() {
        let budget = PixelBudget(limit: 5 * unit)
        let done = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            budget.spend(pixels: (index % 3 + 1) * unit) { done.withLock { $0 += 1 } }
        }
        XCTAssertEqual(done.withLock { $0 }, 64)
        XCTAssertLessThanOrEqual(budget.peak, 5 * unit)
        XCTAssertEqual(budget.waiting, 0)
    }

    func testAnImageLargerThanTheBudgetIsProcessedAlone() {
        let budget = PixelBudget(limit: unit)
        XCTAssertEqual(budget.spend(pixels: 10 * unit) { budget.peak }, 10 * unit)
        let inside = Locked(0), most = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            budget.spend(pixels: 2 * unit) {
                let count = inside.withLock { value in
                    value += 1
                    return value
                }
                most.withLock { $0 = max($0, count) }
                inside.withLock { $0 -= 1 }
            }
        }
        XCTAssertEqual(most.withLock { $0 }, 1)
    }

    func testSmallImagesDoNotOvertakeAWaitingLargeOne() throws {
        let budget = PixelBudget(limit: 2 * unit)
        let order = Locked<[String]>([])
        let group = DispatchGroup()
        func start(_ name: String, pixels: Int) {
            Thread {
                budget.spend(pixels: pixels) { order.withLock { $0.append(name) } }; group.leave()
            }.start()
        }
        budget.spend(pixels: unit) {
            for (index, name) in ["large", "small"].enumerated() {
                group.enter()
                start(name, pixels: name == "large" ? 2 * unit : unit)
                while budget.waiting <= index { usleep(100) }
            }
        }
        group.wait()
        XCTAssertEqual(order.withLock { $0 }, ["large", "small"])
    }

    func testANestedCallDoesNotWaitForItsOwnThread() {
        let budget = PixelBudget(limit: 1)
        XCTAssertEqual(budget.spend(pixels: 1) { budget.spend(pixels: 1) { 7 } }, 7)
        XCTAssertEqual(budget.waiting, 0)
    }

    func testAnErrorReleasesTheBudget() {
        let budget = PixelBudget(limit: 1)
        for _ in 0..<3 {
            XCTAssertThrowsError(try budget.spend(pixels: 1) { throw ImageError.outOfMemory(bytes: 1) })
        }
        XCTAssertEqual(budget.peak, unit)
    }

    func testAHigherLimitAdmitsWaitingCalls() {
        let budget = PixelBudget(limit: 1)
        let group = DispatchGroup()
        budget.spend(pixels: 1) {
            group.enter()
            Thread {
                budget.spend(pixels: 1) {}; group.leave()
            }.start()
            while budget.waiting == 0 { usleep(100) }
            budget.limit = 2 * unit
            group.wait()
        }
        XCTAssertEqual(budget.peak, 2 * unit)
    }

    func testACancelledCallLeavesTheQueueAndLetsOthersPass() {
        let budget = PixelBudget(limit: 2 * unit)
        let (isCancelled, order) = (Locked(false), Locked<[String]>([]))
        let group = DispatchGroup()
        func start(_ name: String, pixels: Int) {
            group.enter()
            Thread {
                let done: Void? = budget.spend(pixels: pixels) {
                    name == "large" && isCancelled.current
                } _: {
                    order.withLock { $0.append(name) }
                }
                if done == nil { order.withLock { $0.append("\(name) cancelled") } }
                group.leave()
            }.start()
        }
        budget.spend(pixels: unit) {
            start("large", pixels: 2 * unit)
            while budget.waiting < 1 { usleep(100) }
            start("small", pixels: unit)
            while budget.waiting < 2 { usleep(100) }
            isCancelled.withLock { $0 = true }
            // While this call still holds its pixels.
            group.wait()
        }
        XCTAssertEqual(Set(order.current), ["large cancelled", "small"])
        XCTAssertEqual(budget.waiting, 0)
        XCTAssertEqual(budget.spend(pixels: 2 * unit) { 7 }, 7)
    }

    func testAReservationIsSpentWithoutWaiting() {
        let budget = PixelBudget(limit: 1)
        let (first, isGranted) = budget.reserve(pixels: 1) { _ in XCTFail("there was room") }
        XCTAssertTrue(isGranted)
        let admitted = Locked(0)
        let (second, isSecondGranted) = budget.reserve(pixels: 1) { reservation in
            admitted.withLock { $0 += 1 }
            XCTAssertEqual(reservation.use { budget.spend(pixels: 1) { 8 } }, 8)
        }
        XCTAssertFalse(isSecondGranted)
        XCTAssertEqual(budget.waiting, 1)
        first.use {
            XCTAssertEqual(budget.spend(pixels: 1) { budget.spend(pixels: 1) { 7 } }, 7)
        }
        XCTAssertEqual(admitted.current, 1)
        XCTAssertFalse(second.cancel())
        XCTAssertEqual(budget.waiting, 0)
        XCTAssertEqual(budget.spend(pixels: 1) { 9 }, 9)
    }

    func testWhatIsReservedAndNotSpentGoesBack() {
        let budget = PixelBudget(limit: 1)
        budget.reserve(pixels: 1) { _ in }.reservation.use {}
        budget.reserve(pixels: 1) { _ in }.reservation.use {
            budget.returnReserved()
            // Another one takes it meanwhile.
            XCTAssertTrue(budget.reserve(pixels: 1) { _ in }.isGranted)
        }
        // Dropped without being used, it is free again.
        XCTAssertTrue(budget.reserve(pixels: 1) { _ in }.isGranted)
        XCTAssertEqual(budget.spend(pixels: 1) { 7 }, 7)
    }

    func testACancelledReservationLeavesTheQueue() {
        let budget = PixelBudget(limit: 2 * unit)
        let admitted = Locked<[String]>([])
        budget.spend(pixels: unit) {
            let large = budget.reserve(pixels: 2 * unit) { _ in admitted.withLock { $0.append("large") } }
            let small = budget.reserve(pixels: unit) { reservation in
                admitted.withLock { $0.append("small") }
                reservation.use {}
            }
            XCTAssertFalse(large.isGranted || small.isGranted)
            XCTAssertTrue(large.reservation.cancel())
            XCTAssertFalse(large.reservation.cancel())
            XCTAssertEqual(admitted.current, ["small"])
        }
        XCTAssertEqual(budget.spend(pixels: 2 * unit) { 7 }, 7)
    }

    func testReservationsOfManyThreadsKeepTheLimit() {
        let budget = PixelBudget(limit: 3 * unit)
        let (done, cancelled) = (Locked(0), Locked(0))
        let group = DispatchGroup()
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            group.enter()
            let run: @Sendable (PixelBudget.Reservation) -> Void = { reservation in
                DispatchQueue.global().async {
                    reservation.use {
                        if index.isMultiple(of: 3) { budget.returnReserved() }
                        budget.spend(pixels: (index % 3 + 1) * unit) { done.withLock { $0 += 1 } }
                    }
                    group.leave()
                }
            }
            let (reservation, isGranted) = budget.reserve(pixels: (index % 3 + 1) * unit, admitted: run)
            if isGranted {
                run(reservation)
            } else if index.isMultiple(of: 5), reservation.cancel() {
                cancelled.withLock { $0 += 1 }
                group.leave()
            }
        }
        group.wait()
        XCTAssertEqual(done.current + cancelled.current, 200)
        XCTAssertLessThanOrEqual(budget.peak, 3 * unit)
        XCTAssertEqual(budget.waiting, 0)
        XCTAssertEqual(budget.spend(pixels: 3 * unit) { 7 }, 7)
    }
}
