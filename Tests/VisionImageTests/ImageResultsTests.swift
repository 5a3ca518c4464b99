import Foundation
import VisionImage
import XCTest
import VisionThreads

final class ImageResultsTests: XCTestCase {
    private struct Doubled: ImageResultKey {
        let number: Int
        static func byteCount(of result: Int) -> Int { 100 }
    }

    private struct Named: ImageResultKey {
        let number: Int
        static func byteCount(of result: String) -> Int { 100 }
    }

    private struct Failure: Error {}

    func testAResultIsMadeOnce() throws {
        let results = ImageResults()
        var made = 0
        for _ in 0..<3 {
            let value = try results.result(for: Doubled(number: 4)) {
                made += 1
                return 8
            }
            XCTAssertEqual(value, 8)
        }
        XCTAssertEqual(made, 1)
        let statistics = results.statistics
        XCTAssertEqual([statistics.hits, statistics.misses, statistics.bytes, statistics.count], [2, 1, 100, 1])
    }

    func testKeysOfDifferentTypesAreDifferent() throws {
        let results = ImageResults()
        XCTAssertEqual(try results.result(for: Doubled(number: 4)) { 8 }, 8)
        XCTAssertEqual(try results.result(for: Named(number: 4)) { "four" }, "four")
        XCTAssertEqual(results.statistics.misses, 2)
    }

    func testThreadsWaitForTheThreadThatMakesTheResult() {
        let results = ImageResults()
        let made = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            _ = try? results.result(for: Doubled(number: 1)) {
                made.withLock { $0 += 1 }
                Thread.sleep(forTimeInterval: 0.02)
                return 2
            }
        }
        XCTAssertEqual(made.withLock { $0 }, 1)
        XCTAssertEqual(results.statistics.hits, 15)
    }

    func testErrorsAreThrownAndNotCached() throws {
        let results = ImageResults()
        XCTAssertThrowsError(try results.result(for: Doubled(number: 1)) { throw Failure() })
        XCTAssertEqual(try results.result(for: Doubled(number: 1)) { 2 }, 2)
        XCTAssertEqual(try results.result(for: Doubled(number: 1)) { 3 }, 2)
    }

    /// One thread fails while another waits for it: the result of the other is cached.
    func testAResultMadeAfterAFailureIsCached() throws {
        let results = ImageResults()
        let (started, waiting) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            _ = try? results.result(for: Doubled(number: 1)) {
                started.signal()
                waiting.wait()
                throw Failure()
            }
        }
        started.wait()
        DispatchQueue.global().async(group: group) {
            _ = try? results.result(for: Doubled(number: 1)) { 2 }
        }
        // Long enough for the other to wait. Otherwise the other would make the result before, and the test would pass
        // too.
        Thread.sleep(forTimeInterval: 0.05)
        waiting.signal()
        group.wait()
        XCTAssertEqual(try results.result(for: Doubled(number: 1)) { 3 }, 2)
    }

    func testResultsAreBoundedInBytes() throws {
        let results = ImageResults(byteLimit: 1000)
        for number in 0..<50 { _ = try results.result(for: Doubled(number: number)) { number } }
        XCTAssertLessThanOrEqual(results.statistics.bytes, 1000)
        XCTAssertEqual(try results.result(for: Doubled(number: 49)) { -1 }, 49, "the last one is still there")
        XCTAssertEqual(try results.result(for: Doubled(number: 0)) { -1 }, -1, "the oldest one is gone")
    }
}
