import CVisionKernelChecks
import CVisionKernels
import XCTest

final class KernelChecksTests: XCTestCase {
    func testEveryVariantThisMachineRunsEqualsScalar() {
        let capacity = 1 << 18
        let report = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
        defer { report.deallocate() }
        let totals = cvk_run_checks(nil, 2_463_534_242, 25, report, capacity)
        let text = String(cString: report)
        print(text)
        var count: Int32 = 0
        _ = cvk_kernel_list(&count)
        XCTAssertGreaterThan(count, 0)
        XCTAssertEqual(totals.kernels, count)
        XCTAssertEqual(totals.failed, 0, text)
        XCTAssertGreaterThanOrEqual(totals.passed, count)
    }

    func testEveryVariantOfTheMachinesInstructionSetIsBuiltAndRuns() {
        // The names come from the library, so a set that the processor has but that the table leaves out shows up here.
        let machine = cvk_isa_of_machine()
        XCTAssertNotEqual(String(cString: cvk_isa_name(machine)), "unknown")
        XCTAssertLessThanOrEqual(cvk_isa_in_use().rawValue, machine.rawValue)
    }
}
