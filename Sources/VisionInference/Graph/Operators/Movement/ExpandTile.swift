/// Broadcasts to the shape in input 1, which may itself be broadcast to the input's.
package struct Expand: Operator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        switch try integers(inputs, 1) {
        case .absent: throw ModelError.invalid("Expand lacks its shape")
        case .unknown: return .dependsOnData
        case .values(let wanted):
            try check(wanted.allSatisfy { $0 >= 0 }, "shape \(wanted)")
            let shape = try input.shape.broadcast(with: wanted)
            _ = try shape.checkedElementCount(input.type)
            return .known([TensorDescription(input.type, shape)])
        }
    }
}

/// Repeats the input along every axis as often as input 1 says.
package struct Tile: Operator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        switch try integers(inputs, 1) {
        case .absent: throw ModelError.invalid("Tile lacks its repetitions")
        case .unknown: return .dependsOnData
        case .values(let repeats):
            try check(repeats.count == input.shape.count, "\(repeats.count) repetitions of shape \(input.shape)")
            let shape = try zip(input.shape, repeats).map { size, count in
                let (product, overflow) = size.multipliedReportingOverflow(by: count)
                try check(count >= 0 && !overflow, "\(count) repetitions")
                return product
            }
            _ = try shape.checkedElementCount(input.type)
            // The copy has two axes for each that is repeated.
            try check(2 * shape.count <= 2 * ModelLimits.rank, "too many axes")
            return .known([TensorDescription(input.type, shape)])
        }
    }
}
