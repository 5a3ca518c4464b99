import XCTest

@testable import VisionInference

final class MemoryPlanTests: XCTestCase {
    private func block(_ bytes: Int, _ first: Int, _ last: Int) -> MemoryPlan.Block {
        MemoryPlan.Block(bytes: bytes, first: first, last: last)
    }

    func testBlocksThatAreNeededAtTheSameTimeDoNotOverlap() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let blocks = (0..<60).map { _ in
                let first = Int.random(in: 0..<40, using: &generator)
                return block(
                    Int.random(in: 0...5000, using: &generator), first, first + Int.random(in: 0...8, using: &generator)
                )
            }
            let plan = try MemoryPlan(blocks)
            for (i, a) in blocks.enumerated() {
                XCTAssertEqual(plan.offsets[i] % MemoryPlan.alignment, 0)
                XCTAssertLessThanOrEqual(plan.offsets[i] + a.bytes, plan.byteCount)
                for (j, b) in blocks.enumerated() where i < j && a.first <= b.last && b.first <= a.last {
                    XCTAssertTrue(
                        plan.offsets[i] + a.bytes <= plan.offsets[j] || plan.offsets[j] + b.bytes <= plan.offsets[i]
                            || a.bytes == 0 || b.bytes == 0)
                }
            }
        }
    }

    func testAChainOfStepsNeedsTwoBlocksAtATime() throws {
        let plan = try MemoryPlan((0..<10).map { block(1024, $0, $0 + 1) })
        XCTAssertEqual(plan.byteCount, 2048)
    }

    func testTooMuchMemoryIsRefused() {
        XCTAssertThrowsError(try MemoryPlan([block(3 << 30, 0, 1), block(3 << 30, 0, 1)])) { error in
            guard (error as? ModelError)?.kind == .tooLarge else { return XCTFail("\(error)") }
        }
    }
}
