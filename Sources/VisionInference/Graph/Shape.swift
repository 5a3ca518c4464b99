/// Sizes along the axes of a tensor, outermost first; empty for a scalar.
package typealias Shape = [Int]

extension Array where Element == Int {
    /// The product of the sizes. Only for shapes that `checkedElementCount` has passed; an empty one may have large
    /// sizes beside its zero.
    package var elementCount: Int { reduce(1, &*) }

    /// The number of elements of a shape that nobody has checked: sizes are not negative, and neither the count nor its
    /// bytes exceed `ModelLimits.tensorBytes`.
    package func checkedElementCount(_ type: ElementType) throws -> Int {
        guard count <= ModelLimits.rank else { throw ModelError.tooLarge("a tensor with \(count) axes") }
        guard allSatisfy({ $0 >= 0 }) else { throw ModelError.invalid("negative size in shape \(self)") }
        // The other sizes of an empty tensor are bounded too: products of some of them are used throughout.
        var product = 1
        for size in self where size > 0 {
            let (next, overflow) = product.multipliedReportingOverflow(by: size)
            guard !overflow, next <= ModelLimits.tensorBytes / type.size else {
                throw ModelError.tooLarge("a tensor of shape \(self)")
            }
            product = next
        }
        if contains(0) { return 0 }
        return product
    }

    /// Elements from one index to the next along each axis, dense and row-major.
    package var rowMajorStrides: [Int] {
        var strides = [Int](repeating: 1, count: count)
        for axis in stride(from: count - 2, through: 0, by: -1) {
            strides[axis] = strides[axis + 1] &* Swift.max(self[axis + 1], 1)
        }
        return strides
    }

    /// `axis` counted from the front; negative ones count from the end.
    package func resolvedAxis(_ axis: Int) throws -> Int {
        let resolved = axis < 0 ? axis + count : axis
        guard indices.contains(resolved) else { throw ModelError.invalid("axis \(axis) of shape \(self)") }
        return resolved
    }

    /// The shape that this one and `other` are both broadcast to, aligned at the last axis.
    package func broadcast(with other: Shape) throws -> Shape {
        let rank = Swift.max(count, other.count)
        var result = Shape(repeating: 1, count: rank)
        for offset in 1...Swift.max(rank, 1) where offset <= rank {
            let mine = offset <= count ? self[count - offset] : 1
            let theirs = offset <= other.count ? other[other.count - offset] : 1
            guard mine == theirs || mine == 1 || theirs == 1 else {
                throw ModelError.invalid("shapes \(self) and \(other) do not broadcast")
            }
            result[rank - offset] = mine == 1 ? theirs : mine
        }
        return result
    }

    /// Steps through a dense tensor of this shape as if it had the shape `other`, which it can be broadcast to.
    func broadcastStrides(to other: Shape) -> [Int] {
        let dense = rowMajorStrides
        let missing = other.count - count
        return other.indices.map { $0 < missing || self[$0 - missing] == 1 ? 0 : dense[$0 - missing] }
    }

    /// The axes that `permutation` puts in each position.
    func permuted(_ permutation: [Int]) -> [Int] { permutation.map { self[$0] } }

    /// Whether these are the axes 0, 1, … of a tensor with `rank` axes in some order.
    func isPermutation(ofRank rank: Int) -> Bool {
        count == rank && Set(self).count == rank && allSatisfy { 0 <= $0 && $0 < rank }
    }
}

/// Calls `body` for every index of a shape in row-major order, with its number.
func forEachIndex(_ shape: Shape, _ body: (_ index: [Int], _ number: Int) -> Void) {
    let count = shape.elementCount
    guard count > 0 else { return }
    var index = shape.map { _ in 0 }
    for number in 0..<count {
        body(index, number)
        for axis in shape.indices.reversed() {
            index[axis] += 1
            if index[axis] < shape[axis] { break }
            index[axis] = 0
        }
    }
}

extension Int {
    /// The product of numbers that are not negative, or the largest number where it would not fit: for costs, which
    /// only have to be too large.
    static func saturatingProduct(_ factors: [Int]) -> Int {
        factors.contains(0)
            ? 0
            : factors.reduce(1) { product, factor in
                let (next, overflow) = product.multipliedReportingOverflow(by: factor)
                return overflow ? .max : next
            }
    }
}

/// Bounds on what a model may ask for, so that a hostile one is refused instead of served.
package enum ModelLimits {
    /// Bytes of one file, which is read into memory.
    package static let fileBytes = 8 << 30
    /// Bytes of one tensor.
    package static let tensorBytes = 2 << 30
    /// Bytes of all that one run keeps at a time, and as many again of values whose shapes depend on data.
    package static let arenaBytes = 4 << 30
    package static let rank = 32
    package static let nodes = 1 << 20
    /// Values, those of constants included: loops and functions must not multiply without end.
    package static let values = 1 << 21
    /// Bytes that constant folding may make of a smaller constant.
    package static let foldedBytes = 64 << 20
    /// Bytes that the folding of all nodes together may make, and the operations that it may cost.
    package static let foldedBytesOfAll = 1 << 30
    package static let foldedOperations = 1 << 33
}
