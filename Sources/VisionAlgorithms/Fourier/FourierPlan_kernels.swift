import CVisionKernels
import Foundation
import VisionImage

/// An error in creating a Fourier transform.
package enum FourierError: Error, Equatable, Sendable {
    /// Lengths must be products of 2, 3 and 5 up to 16384, and the width must be even: see `FourierPlan.goodLength`.
    case unsupportedSize(width: Int, height: Int)
}

/// The constants of the Fourier transforms of one size. Immutable after creation, usable by any number of threads.
package final class FourierPlan: @unchecked Sendable {
    // Unchecked: the memory is written by the initialiser only.

    package let width: Int
    package let height: Int
    /// The size of the work memory of a transform, in bytes; each thread needs its own.
    package let workBytes: Int
    private let memory: PixelMemory

    /// Creates a plan for real images of `width` × `height`, or, if the width is 0, for complex columns of `height`
    /// elements.
    ///
    /// - Throws: `FourierError.unsupportedSize`, `ImageError.outOfMemory`.
    package init(width: Int, height: Int) throws {
        guard let w = Int32(exactly: width), let h = Int32(exactly: height) else {
            throw FourierError.unsupportedSize(width: width, height: height)
        }
        let bytes = cvk_fft_plan_size(w, h)
        guard bytes > 0 else { throw FourierError.unsupportedSize(width: width, height: height) }
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        let plan = memory.address.assumingMemoryBound(to: cvk_fft_plan.self)
        cvk_fft_plan_init(plan, w, h)
        self.width = width
        self.height = height
        self.workBytes = cvk_fft_work_size(plan)
        self.memory = memory
    }

    /// Calls `body` with a pointer to the plan, which is valid during the call only.
    func withUnsafePlan<Result>(_ body: (UnsafePointer<cvk_fft_plan>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(memory) {
            try body(UnsafePointer(memory.address.assumingMemoryBound(to: cvk_fft_plan.self)))
        }
    }

    /// Returns the smallest supported length of at least `length`; nil above 16384.
    package static func goodLength(atLeast length: Int, even: Bool) -> Int? {
        guard let wanted = Int32(exactly: max(length, 0)) else { return nil }
        let good = Int(cvk_fft_good_length(wanted, even ? 1 : 0))
        return good > 0 ? good : nil
    }

    /// Returns the plan of this size from a cache of the recently used sizes.
    ///
    /// - Throws: The errors of `init(width:height:)`.
    package static func shared(width: Int, height: Int) throws -> FourierPlan {
        try cache.plan(width: width, height: height)
    }

    private static let cache = FourierPlanCache()
}

/// A small cache of plans by size: a plan of a large image takes some hundred kilobytes.
private final class FourierPlanCache: @unchecked Sendable {
    // Unchecked: `plans` is accessed with the lock held only.
    private static let limit = 32
    private let lock = NSLock()
    private var plans: [FourierPlan] = []

    func plan(width: Int, height: Int) throws -> FourierPlan {
        lock.lock()
        defer { lock.unlock() }
        if let found = plans.firstIndex(where: { $0.width == width && $0.height == height }) {
            let plan = plans.remove(at: found)
            plans.append(plan)
            return plan
        }
        let plan = try FourierPlan(width: width, height: height)
        if plans.count == Self.limit { plans.removeFirst() }
        plans.append(plan)
        return plan
    }
}
