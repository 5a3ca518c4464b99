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
}
