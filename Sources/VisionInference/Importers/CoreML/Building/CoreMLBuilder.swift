/// What layers of neural networks and operations of programs have in common.
class CoreMLBuilder: GraphBuilder<ShapedGraph> {
    func require(_ condition: Bool, _ reason: @autoclosure () throws -> String) throws {
        if !condition { throw ModelError.invalid(try reason()) }
    }

    // MARK: Types

    func floats(_ value: Value) throws -> Value { try cast(value, .float32) }

    /// Indices as the engine wants them: Core ML's neural networks have them as floats.
    func indices(_ value: Value) throws -> Value { try cast(value, .int64) }

    /// Indices with those below zero counted from the end of an axis.
    func indices(_ value: Value, countedFrom size: Int) throws -> Value {
        let whole = try indices(value)
        let isNegative = try binary(.less, whole, scalar(0, .int64))
        return try add(Where(), [isNegative, binary(.add, whole, scalar(Double(size), .int64)), whole])
    }

    func truth(_ value: Value) throws -> Value { try cast(value, .bool) }

    /// Whole numbers that do not depend on the network's inputs.
    func wholeNumbers(_ value: Value) throws -> [Int] {
        guard let tensor = try describe(value).constant else { throw ExpansionPostponed() }
        let numbers = tensor.doubles ?? []
        try require(numbers.allSatisfy { $0.magnitude <= 0x1p53 }, "\(numbers) where sizes or positions are wanted")
        return numbers.map { Int($0) }
    }

    // MARK: Images

    /// Runs `body` on (N, C, H, W), into which all axes but the last three are joined.
    func asImages(_ value: Value, _ body: (Value) throws -> Value) throws -> Value {
        let shape = try shape(value)
        try require(shape.count >= 3, "an image of shape \(shape)")
        guard shape.count != 4 else { return try body(value) }
        let lead = Array(shape.dropLast(3))
        // The product of the leading sizes, which the tensor's own bounds.
        let result = try body(reshape(value, [lead.elementCount] + shape.suffix(3)))
        let made = try self.shape(result)
        try require(made.count == 4, "an image became \(made)")
        return try reshape(result, lead + made.dropFirst())
    }

    /// The spatial sizes of (N, C, axis, …).
    func spatialSizes(_ value: Value) throws -> [Int] {
        let shape = try shape(value)
        try require(shape.count >= 3, "a window over \(shape)")
        return Array(shape[2...])
    }

    /// Where a transposed convolution's result ends: its size, and what is cut off before and after.
    struct TransposedPadding {
        var size: Int
        var before: Int
        var after: Int

        /// - Parameters:
        ///   - full: the size without padding.
        ///   - size: that of the result; nil: what is left by the padding.
        init(full: Int, before: Int, after: Int, size: Int?) {
            self.size = size ?? full - before - after
            self.before = before
            self.after = full - before - self.size
        }

        /// The padding shared out evenly.
        init(full: Int, size: Int, isTopHeavy: Bool) {
            let total = max(full - size, 0)
            self.init(full: full, before: isTopHeavy ? total - total / 2 : total / 2, after: 0, size: size)
        }
    }

    /// - Parameter axes: one for each spatial axis.
    func transposedConvolution(
        _ input: Value, _ weights: Value, _ bias: Value?, strides: [Int], dilations: [Int], groups: Int,
        axes: [TransposedPadding]
    ) throws -> Value {
        let (sizes, kernel) = (try spatialSizes(input), Array(try shape(weights).dropFirst(2)))
        try require(
            groups >= 1 && axes.allSatisfy { $0.size > 0 && $0.size <= SpatialWindow.largestArea },
            "a transposed convolution of \(sizes) that gives \(axes.map(\.size))")
        let window = SpatialWindow(
            kernel: kernel, strides: strides, dilations: dilations, before: axes.map(\.before),
            after: axes.map(\.after),
            output: sizes)
        return try transposedConvolution(input, weights, bias, window, groups: groups, result: axes.map(\.size))
    }

    /// The size of a transposed convolution's result before anything is cut off.
    func fullSize(_ size: Int, kernel: Int, stride: Int, dilation: Int) throws -> Int {
        let limit = SpatialWindow.largestArea
        try require(
            [size, kernel, stride, dilation].allSatisfy { (1...limit).contains($0) },
            "a kernel of \(kernel), stride \(stride) and dilation \(dilation) over \(size)")
        return stride * (size - 1) + (kernel - 1) * dilation + 1
    }

    /// The mean, largest number or root of the sum of squares of each channel, which keeps its axes.
    func globalPool(_ input: Value, _ kind: Reduce.Kind, spatialAxes count: Int = 2) throws -> Value {
        let rank = try rank(input)
        try require(rank > count, "pooling of \(rank) axes")
        return try reduce(kind, input, axes: Array(rank - count..<rank))
    }

    // MARK: Resizing

    /// Where the points of a result lie in the input.
    enum SamplingGrid {
        /// From the first to the last element; a single point at the first.
        case strictEndpoints
        /// From the first to the last element; a single point in the middle.
        case endpoints
        /// Index × input size / output size.
        case asymmetric
        /// Centres of pixels.
        case halfPixel
        /// Centres of cells between the first and the last element.
        case cells
    }

    /// Resizes the last two axes bilinearly.
    func resizedBilinearly(_ input: Value, height: Int, width: Int, _ grid: SamplingGrid) throws -> Value {
        try require((1...1 << 20).contains(height) && (1...1 << 20).contains(width), "a size of \(width) × \(height)")
        return try asImages(input) { image in
            let shape = try shape(image)
            try require(shape[2] > 0 && shape[3] > 0, "resizing of \(shape)")
            switch grid {
            case .strictEndpoints: return try resized(image, .bilinear, .alignedCorners, height, width)
            case .asymmetric: return try resized(image, .bilinear, .asymmetric, height, width)
            case .halfPixel: return try resized(image, .bilinear, .halfPixel, height, width)
            case .endpoints:
                // The axes may follow different rules; bilinear resizing takes one after the other.
                let rows: ResizeImage.Coordinates = height == 1 ? .halfPixel : .alignedCorners
                let columns: ResizeImage.Coordinates = width == 1 ? .halfPixel : .alignedCorners
                if rows == columns { return try resized(image, .bilinear, rows, height, width) }
                return try resized(
                    resized(image, .bilinear, rows, height, shape[3]), .bilinear, columns, height, width)
            case .cells:
                let margins = [height, width].map { 0.5 / Float($0) }
                let region = constant(try Tensor(margins + margins.map { 1 - $0 }))
                // Of one element there is nothing between the first and the last.
                let starts = [shape[2], shape[3]].contains(1)
                try require(!starts, "sampling of cells in \(shape)")
                let operation = Resize(mode: .linear, coordinates: .tfCropAndResize, axes: [2, 3])
                return try add(operation, [image, region, nil, constant([height, width])])
            }
        }
    }

    func resized(
        _ image: Value, _ filter: ResizeImage.Filter, _ coordinates: ResizeImage.Coordinates, _ height: Int,
        _ width: Int, scaleY: Double? = nil, scaleX: Double? = nil
    ) throws -> Value {
        let operation = ResizeImage(
            filter: filter, coordinates: coordinates, height: height, width: width, scaleY: scaleY, scaleX: scaleX)
        return try channelsLast(floats(image)) { try add(operation, [$0]) }
    }

    /// A size times a factor, rounded down.
    func scaledSize(_ size: Int, _ factor: Double) throws -> Int {
        let result = (Double(size) * factor + 1e-6).rounded(.down)
        try require(factor > 0 && result >= 1 && result <= Double(1 << 20), "an axis of \(size) scaled by \(factor)")
        return Int(result)
    }

    // MARK: Indexing

    /// Bounds of a slice along one axis as Python has them; nil for those that are left out.
    struct SliceBounds {
        var begin: Int?
        var end: Int?
        var step: Int
        /// Only the element at the beginning counts, and the axis is left out.
        var isSqueezed = false

        /// The elements of an axis that are in the slice.
        func elements(of size: Int) throws -> (first: Int, step: Int, count: Int) {
            guard step != 0 else { throw ModelError.invalid("a slice with steps of 0") }
            func position(_ bound: Int, _ limits: ClosedRange<Int>) -> Int {
                let fromStart = bound < 0 ? bound &+ size : bound
                return min(max(fromStart, limits.lowerBound), limits.upperBound)
            }
            if isSqueezed {
                let first = (begin ?? 0) < 0 ? (begin ?? 0) &+ size : begin ?? 0
                guard (0..<size).contains(first) else {
                    throw ModelError.invalid("index \(begin ?? 0) of an axis of \(size)")
                }
                return (first, 1, 1)
            }
            if step > 0 {
                let first = begin.map { position($0, 0...size) } ?? 0
                let end = end.map { position($0, 0...size) } ?? size
                return (first, step, end > first ? (end - first - 1) / step + 1 : 0)
            }
            let first = begin.map { position($0, -1...max(size - 1, -1)) } ?? size - 1
            let end = end.map { position($0, -1...max(size - 1, -1)) } ?? -1
            return (first, step, first > end ? (first - end - 1) / -max(step, -Int(Int32.max)) + 1 : 0)
        }
    }

    /// A slice along every axis.
    func sliced(_ input: Value, _ bounds: [SliceBounds]) throws -> Value {
        let shape = try shape(input)
        try require(bounds.count == shape.count, "\(bounds.count) bounds for an input of shape \(shape)")
        var (starts, ends, axes, steps): ([Int], [Int], [Int], [Int]) = ([], [], [], [])
        for (axis, bound) in bounds.enumerated() {
            if bound.isSqueezed {
                let index = try bound.elements(of: shape[axis]).first
                starts.append(index)
                ends.append(index + 1)
                axes.append(axis)
                steps.append(1)
                continue
            }
            try require(bound.step != 0, "a slice with steps of 0")
            guard bound.begin != nil || bound.end != nil || bound.step != 1 else { continue }
            starts.append(bound.begin ?? (bound.step > 0 ? 0 : Int(Int32.max)))
            ends.append(bound.end ?? (bound.step > 0 ? Int(Int32.max) : Int(Int32.min)))
            axes.append(axis)
            steps.append(bound.step)
        }
        let result = axes.isEmpty ? input : try slice(input, from: starts, to: ends, axes: axes, steps: steps)
        return try squeeze(result, axes: bounds.indices.filter { bounds[$0].isSqueezed })
    }

    /// Windows of a length along an axis, `step` elements apart, as a new axis behind it.
    func slidingWindows(_ input: Value, axis: Int, length: Int, step: Int) throws -> Value {
        let axis = try shape(input).resolvedAxis(axis)
        let size = try shape(input)[axis]
        try require((1...size).contains(length) && step > 0, "windows of \(length), \(step) apart, in \(size)")
        let count = (size - length) / step + 1
        // As many as the result has along these axes.
        _ = try [count, length].checkedElementCount(.int64)
        let positions = (0..<count).flatMap { window in (0..<length).map { Int64(window * step + $0) } }
        return try add(Gather(axis: axis), [input, constant(Tensor(positions, shape: [count, length]))])
    }

    // MARK: Sums and products

    /// x · transposed weights + bias, over the last axis.
    ///
    /// - Parameter weights: (outputs, inputs).
    func linear(_ input: Value, _ weights: Value, _ bias: Value?) throws -> Value {
        let product = try matMul(input, transpose(weights, [1, 0]))
        return try bias.map { try binary(.add, product, $0) } ?? product
    }

    /// The same with a vector on one of the sides, as Core ML takes it.
    func product(_ a: Value, _ b: Value, transposesA: Bool, transposesB: Bool) throws -> Value {
        var (a, b) = (a, b)
        if transposesA {
            let rank = try rank(a)
            if rank >= 2 { a = try transpose(a, Array(0..<rank - 2) + [rank - 1, rank - 2]) }
        }
        if transposesB {
            let rank = try rank(b)
            if rank >= 2 { b = try transpose(b, Array(0..<rank - 2) + [rank - 1, rank - 2]) }
        }
        return try matMul(a, b)
    }

    /// x / √(Σ x² + ε) over some axes.
    func l2Normalised(_ input: Value, axes: [Int], epsilon: Float) throws -> Value {
        let sum = try reduce(.sumSquare, input, axes: axes)
        let root = try unary(.sqrt, binary(.add, sum, scalar(Double(epsilon), like: sum)))
        return try binary(.div, input, root)
    }

    /// (x − mean) / √(variance + ε) over some axes, then γ and β, which are broadcast.
    func normalised(
        _ input: Value, axes: [Int], epsilon: Float, gamma: Value? = nil, beta: Value? = nil,
        dividesByVariance: Bool = true
    ) throws -> Value {
        let centred = try binary(.sub, input, reduce(.mean, input, axes: axes))
        let variance = try reduce(.mean, binary(.mul, centred, centred), axes: axes)
        var result = centred
        if dividesByVariance {
            let root = try unary(.sqrt, binary(.add, variance, scalar(Double(epsilon), like: variance)))
            result = try binary(.div, centred, root)
        }
        if let gamma { result = try binary(.mul, result, gamma) }
        if let beta { result = try binary(.add, result, beta) }
        return result
    }

    // MARK: Activations

    func geluBySigmoid(_ value: Value) throws -> Value { try activation(.silu(alpha: 1.702), value) }

    /// α x + β.
    func affine(_ value: Value, _ alpha: Float, _ beta: Float) throws -> Value {
        var result = value
        if alpha != 1 { result = try binary(.mul, result, scalar(Double(alpha), like: value)) }
        if beta != 0 { result = try binary(.add, result, scalar(Double(beta), like: value)) }
        return result
    }

    /// α tanh(β x).
    func scaledTanh(_ value: Value, _ alpha: Float, _ beta: Float) throws -> Value {
        try affine(activation(.tanh, affine(value, beta, 0)), alpha, 0)
    }
}
