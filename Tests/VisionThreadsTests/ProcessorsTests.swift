import Foundation
import XCTest
import VisionThreads

final class ProcessorsTests: XCTestCase {
    /// Whatever `taskset` or a container says.
    func testThoseAreCountedThatTheProcessMayRunOn() throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") })
        let digits = try line.dropFirst("Cpus_allowed:".count).filter(\.isHexDigit).map {
            try XCTUnwrap($0.hexDigitValue)
        }
        XCTAssertEqual(Processors.count, digits.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}
