import CVisionKernelChecks
import CVisionKernels
import XCTest

final class KernelChecksTests: XCTestCase {
    func testEveryVariantThisMachineRunsEqualsScalar() {
        let capacity = 1 << 18
        let report = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
        defer { report.deallocate() }
        let totals = cvk_run_checks(nil, 2_463_534_242, 60, report, capacity)
        let text = String(cString: report)
        print(text)
        var count: Int32 = 0
        _ = cvk_kernel_list(&count)
        XCTAssertGreaterThan(count, 0)
        XCTAssertEqual(totals.kernels, count)
        XCTAssertEqual(totals.failed, 0, text)
        XCTAssertGreaterThanOrEqual(totals.passed, count)
    }

    func testTheSameSeedGivesTheSameReportAndAFilterChoosesKernels() {
        func run(_ filter: String) -> (cvk_check_totals, String) {
            var report = [CChar](repeating: 0, count: 1 << 16)
            let totals = cvk_run_checks(filter, 7, 5, &report, report.count)
            return (totals, String(decoding: report.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        let (first, second) = (run("_transpose"), run("_transpose"))
        XCTAssertEqual(first.0.kernels, 4)
        XCTAssertEqual(first.1, second.1)
        XCTAssertTrue(first.1.contains("cvk_b3_transpose"))
        XCTAssertEqual(run("no such kernel").0.kernels, 0)
    }

    func testTheVariableOnlyLowersTheInstructionSet() {
        XCTAssertLessThanOrEqual(cvk_isa_in_use().rawValue, cvk_isa_of_machine().rawValue)
    }
}
