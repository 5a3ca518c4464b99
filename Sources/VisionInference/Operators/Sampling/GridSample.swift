/// Samples pictures (or volumes: N, C, then any number of axes) at places that a grid lists, the last axis of which has the
/// coordinates, innermost axis first, −1 to 1 being the whole picture.
package struct GridSample: FloatOperator {
    package enum Mode: Hashable, Sendable { case nearest, linear, cubic }
    package enum Padding: Hashable, Sendable { case zeros, border, reflection }

    package var mode: Mode
    package var padding: Padding
    /// −1 and 1 are the centres of the outermost pixels instead of their outer edges.
    package var alignsCorners: Bool

    package init(mode: Mode = .linear, padding: Padding = .zeros, alignsCorners: Bool = false) {
        self.mode = mode
        self.padding = padding
        self.alignsCorners = alignsCorners
    }

    package var name: String { "GridSample" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let (input, grid) = (try requiredFloat(inputs, 0), try requiredFloat(inputs, 1))
        let axes = input.shape.count - 2
        try check(
            (1...4).contains(axes) && grid.shape.count == input.shape.count && grid.shape[0] == input.shape[0]
                && grid.shape[axes + 1] == axes, "a grid of shape \(grid.shape) for \(input.shape)")
        let shape = Shape(input.shape[..<2]) + grid.shape[1...axes]
        _ = try shape.checkedElementCount(input.type)
        try check(!input.shape[2...].contains(0) || shape.contains(0), "an empty picture cannot be sampled")
        return .known([TensorDescription(input.type, shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        8 * (outputs.first?.shape.elementCount ?? 0)
    }

    /// Indices and weights of one axis at one place. −1 stands for a zero.
    private func taps(
        _ coordinate: Double, _ size: Int, _ indices: UnsafeMutablePointer<Int>, _ weights: UnsafeMutablePointer<Double>
    ) {
        let length = Double(size)
        var place = alignsCorners ? (coordinate + 1) / 2 * (length - 1) : ((coordinate + 1) * length - 1) / 2
        // Far outside all places are alike, and a NaN is nowhere.
        place = place.isNaN ? -1e9 : min(max(place, -1e9), 1e9)
        let (low, high) = alignsCorners ? (0, length - 1) : (-0.5, length - 0.5)
        if mode == .nearest { place = place.rounded(.toNearestOrEven) }
        if place < low || place > high {
            switch padding {
            case .zeros: break
            case .border: place = min(max(place, 0), length - 1)
            case .reflection: place = reflected(place, low, high)
            }
        }
        let first: Int
        switch mode {
        case .nearest:
            first = Int(place.rounded(.toNearestOrEven))
            weights[0] = 1
        case .linear:
            first = Int(place.rounded(.down))
            let rest = place - Double(first)
            weights[0] = 1 - rest
            weights[1] = rest
        case .cubic:
            first = Int(place.rounded(.down)) - 1
            let rest = place - Double(first + 1)
            for tap in 0..<4 { weights[tap] = Self.cubic(rest - Double(tap - 1)) }
        }
        for tap in 0..<tapCount {
            let index = first + tap
            if index >= 0, index < size {
                indices[tap] = index
                continue
            }
            switch padding {
            case .zeros: indices[tap] = -1
            case .border: indices[tap] = min(max(index, 0), size - 1)
            case .reflection:
                indices[tap] = min(max(Int(reflected(Double(index), low, high)), 0), size - 1)
            }
        }
    }

    private var tapCount: Int { mode == .nearest ? 1 : mode == .linear ? 2 : 4 }

    private func reflected(_ place: Double, _ low: Double, _ high: Double) -> Double {
        let range = high - low
        guard range > 0 else { return low }
        let distance = place < low ? low - place : place - high
        guard place < low || place > high else { return place }
        let turns = (distance / range).rounded(.down)
        let rest = distance - turns * range
        let isEven = turns.truncatingRemainder(dividingBy: 2) == 0
        return (place < low) == isEven ? low + rest : high - rest
    }

    /// Keys' kernel with −0.75.
    private static func cubic(_ distance: Double) -> Double {
        let (x, a) = (distance.magnitude, -0.75)
        if x <= 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
        return x < 2 ? a * (((x - 5) * x + 8) * x - 4) : 0
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (input, grid) = (try required(inputs, 0), try required(inputs, 1))
        let sizes = Array(input.shape[2...])
        let strides = sizes.rowMajorStrides
        let axes = sizes.count
        let (batches, channels) = (input.shape[0], input.shape[1])
        let plane = sizes.elementCount
        let places = Shape(outputs[0].shape[2...]).elementCount
        guard outputs[0].elementCount > 0 else { return }
        let (source, target) = (input.pointer(T.self), outputs[0].pointer(T.self))
        let count = tapCount
        let combinations = Shape(repeating: count, count: axes).elementCount
        var indices = [Int](repeating: 0, count: 4 * axes)
        var weights = [Double](repeating: 0, count: 4 * axes)
        // Offsets and weights of one place, the same for all channels.
        var offsets = [Int](repeating: 0, count: combinations)
        var factors = [Double](repeating: 0, count: combinations)
        let coordinates = GridValues(grid)
        for batch in 0..<batches {
            for place in 0..<places {
                for axis in 0..<axes {
                    let coordinate = coordinates[(batch * places + place) * axes + axes - 1 - axis]
                    indices.withUnsafeMutableBufferPointer { indices in
                        weights.withUnsafeMutableBufferPointer { weights in
                            guard let index = indices.baseAddress, let weight = weights.baseAddress else { return }
                            taps(coordinate, sizes[axis], index + 4 * axis, weight + 4 * axis)
                        }
                    }
                }
                var used = 0
                for combination in 0..<combinations {
                    var rest = combination
                    var (offset, factor) = (0, 1.0)
                    for axis in 0..<axes {
                        let tap = 4 * axis + rest % count
                        rest /= count
                        if indices[tap] < 0 { factor = 0 }
                        offset += max(indices[tap], 0) * strides[axis]
                        factor *= weights[tap]
                    }
                    guard factor != 0 else { continue }
                    offsets[used] = offset
                    factors[used] = factor
                    used += 1
                }
                for channel in 0..<channels {
                    let values = source + (batch * channels + channel) * plane
                    var sum = 0.0
                    for tap in 0..<used { sum += factors[tap] * values[offsets[tap]].double }
                    target[(batch * channels + channel) * places + place] = T(double: sum)
                }
            }
        }
    }
}

/// Elements of a tensor of floats of any size.
struct GridValues {
    private let view: TensorView

    init(_ view: TensorView) { self.view = view }

    subscript(index: Int) -> Double {
        switch view.type {
        case .float32: view.pointer(Float.self)[index].double
        case .float64: view.pointer(Double.self)[index]
        case .float16: view.pointer(Float16.self)[index].double
        default: view.pointer(BFloat16.self)[index].double
        }
    }
}

/// The grid for `GridSample` that an affine map (input 0: N, axes, axes + 1) makes of a picture whose sizes (N, C, …) are
/// input 1.
package struct AffineGrid: FloatOperator {
    package var alignsCorners: Bool

    package init(alignsCorners: Bool = false) { self.alignsCorners = alignsCorners }

    package var name: String { "AffineGrid" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let map = try requiredFloat(inputs, 0)
        switch try integers(inputs, 1) {
        case .absent: throw ModelError.invalid("AffineGrid lacks its sizes")
        case .unknown: return .dependsOnData
        case .values(let sizes):
            let axes = sizes.count - 2
            try check(
                (1...4).contains(axes) && sizes.allSatisfy { $0 >= 0 } && map.shape == [sizes[0], axes, axes + 1],
                "a map of shape \(map.shape) for sizes \(sizes)")
            let shape = [sizes[0]] + sizes[2...] + [axes]
            _ = try shape.checkedElementCount(map.type)
            return .known([TensorDescription(map.type, shape)])
        }
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let map = try required(inputs, 0).pointer(T.self)
        let shape = outputs[0].shape
        let sizes = Array(shape[1..<shape.count - 1])
        let axes = sizes.count
        let places = sizes.elementCount
        let strides = sizes.rowMajorStrides
        let target = outputs[0].pointer(T.self)
        for batch in 0..<shape[0] {
            for place in 0..<places {
                for row in 0..<axes {
                    let line = map + (batch * axes + row) * (axes + 1)
                    var sum = line[axes].double
                    for column in 0..<axes {
                        // Coordinates are listed innermost axis first.
                        let axis = axes - 1 - column
                        let (index, size) = (Double(place / strides[axis] % sizes[axis]), Double(sizes[axis]))
                        let coordinate =
                            alignsCorners
                            ? (size > 1 ? 2 * index / (size - 1) - 1 : -1) : (2 * index + 1) / size - 1
                        sum += line[column].double * coordinate
                    }
                    target[(batch * places + place) * axes + row] = T(double: sum)
                }
            }
        }
    }
}
