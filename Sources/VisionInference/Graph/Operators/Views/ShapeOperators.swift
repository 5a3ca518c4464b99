/// The sizes of the input, or some of them.
package struct ShapeOf: Operator {
    package var start = 0
    package var end: Int?

    package var name: String { "Shape" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let shape = try required(inputs, 0).shape
        func clamped(_ index: Int) -> Int {
            let counted = index < 0 ? index.addingReportingOverflow(shape.count).partialValue : index
            return min(max(counted, 0), shape.count)
        }
        let first = clamped(start)
        let last = max(clamped(end ?? shape.count), first)
        return .known([TensorDescription(try Tensor(shape[first..<last].map { Int64($0) }))])
    }
}

/// The number of elements.
package struct Size: Operator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        .known([TensorDescription(try Tensor(scalar: Int64(try required(inputs, 0).shape.elementCount)))])
    }
}

/// A tensor of the shape that the input lists, filled with one value.
package struct ConstantOfShape: Operator {
    /// One element.
    package var value: Tensor

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        try check(value.elementCount == 1, "value of shape \(value.shape)")
        switch try integers(inputs, 0) {
        case .absent: throw ModelError.invalid("ConstantOfShape lacks its shape")
        case .unknown: return .dependsOnData
        case .values(let shape):
            _ = try shape.checkedElementCount(value.type)
            return .known([TensorDescription(value.type, shape)])
        }
    }
}
