extension GridSample: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let source = input.elements(type)
        let grid = try required(inputs, 1)
        let positions = grid.elements(type)
        let target = outputs[0].elements(type)
        let sizes = Array(input.shape[2...])
        let rank = sizes.count
        let plane = sizes.elementCount
        let indices = outputs[0].shape[2...].reduce(1, *)
        let channels = input.shape[1]
        for image in 0..<input.shape[0] {
            for position in 0..<indices {
                let first = (image * indices + position) * rank
                var taps: [(offset: Int, weight: Double)] = [(0, 1)]
                for axis in 0..<rank {
                    let coordinate = positions[first + rank - 1 - axis].double
                    let own = self.taps(coordinate, sizes[axis])
                    taps = taps.flatMap { outer in
                        own.map { (outer.offset * sizes[axis] + $0.index, outer.weight * $0.weight) }
                    }
                }
                for channel in 0..<channels {
                    let base = (image * channels + channel) * plane
                    let sum = taps.reduce(0.0) { $0 + source[base + $1.offset].double * $1.weight }
                    target[(image * channels + channel) * indices + position] = T(double: sum)
                }
            }
        }
    }

    /// The elements along one axis that a coordinate takes part of.
    private func taps(_ coordinate: Double, _ size: Int) -> [(index: Int, weight: Double)] {
        let position =
            alignsCorners
            ? (coordinate + 1) / 2 * Double(size - 1) : ((coordinate + 1) * Double(size) - 1) / 2
        // So far outside, or not a number, that it makes no difference where.
        guard position.magnitude < 1e9 else { return padding == .zeros ? [] : [(position > 0 ? size - 1 : 0, 1)] }
        let floor = position.rounded(.down)
        let fraction = position - floor
        let first = Int(floor)
        let raw: [(Int, Double)]
        switch mode {
        case .nearest: raw = [(Int(position.rounded(.toNearestOrEven)), 1)]
        case .linear: raw = [(first, 1 - fraction), (first + 1, fraction)]
        case .cubic:
            raw = (-1...2).map { (first + $0, Self.cubic(Double($0) - fraction)) }
        }
        return raw.compactMap { index, weight in inside(index, size).map { ($0, weight) } }
    }

    private func inside(_ index: Int, _ size: Int) -> Int? {
        if index >= 0, index < size { return index }
        switch padding {
        case .zeros: return nil
        case .border: return min(max(index, 0), size - 1)
        case .reflection:
            if size == 1 { return 0 }
            let period = alignsCorners ? 2 * (size - 1) : 2 * size
            let folded = ((index % period) + period) % period
            return folded < size ? folded : (alignsCorners ? period - folded : period - 1 - folded)
        }
    }

    /// Keys' kernel with a = −0.75.
    private static func cubic(_ distance: Double) -> Double {
        let x = abs(distance)
        let a = -0.75
        if x <= 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
        if x < 2 { return (((x - 5) * x + 8) * x - 4) * a }
        return 0
    }
}
