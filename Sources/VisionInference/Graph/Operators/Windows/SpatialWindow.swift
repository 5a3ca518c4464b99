/// A window over any number of axes, with every size worked out: for tensors (N, C, axis, axis, …).
package struct SpatialWindow: Hashable, Sendable {
    package var kernel: [Int]

    package var strides: [Int]

    package var dilations: [Int]

    /// Elements around the input: before the first and after the last of each axis.
    package var before: [Int]

    package var after: [Int]

    /// Sizes of the output.
    package var output: [Int]

    /// The most elements that a window may have, or reach over along an axis.
    static let largestArea = 1 << 24

    package var rank: Int { kernel.count }

    /// The number of elements of the window. Never too small: the largest number where it would not fit.
    var area: Int { Int.saturatingProduct(kernel) }

    /// How far a window reaches along an axis.
    package func reach(_ axis: Int) -> Int { (kernel[axis] - 1) * dilations[axis] + 1 }

    /// Throws for numbers that no model has, so that nothing that is computed from them overflows.
    package func check(_ input: [Int]) throws {
        let limit = Self.largestArea
        let lists = [kernel, strides, dilations, before, after, output]
        guard rank >= 1, lists.allSatisfy({ $0.count == rank }), input.count == rank,
            zip(kernel, zip(strides, dilations)).allSatisfy({ $0 > 0 && $1.0 > 0 && $1.1 > 0 }),
            output.allSatisfy({ $0 >= 0 }),
            (lists + [input]).allSatisfy({ $0.allSatisfy { -limit...limit ~= $0 } }),
            (0..<rank).allSatisfy({ (kernel[$0] - 1) * dilations[$0] < limit })
        else { throw ModelError.invalid("a window \(kernel) over \(input) that gives \(output)") }
        guard area <= Self.largestArea else { throw ModelError.tooLarge("a window \(kernel)") }
    }
}
