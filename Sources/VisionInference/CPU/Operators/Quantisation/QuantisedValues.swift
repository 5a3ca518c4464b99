extension TensorView {
    /// The elements of a tensor of floats as 32-bit ones; nil for other types. Allocates.
    var floatElements: [Float]? {
        switch type {
        case .float32: Array(elements(Float.self))
        case .float64: elements(Double.self).map { Float($0) }
        case .float16: elements(Float16.self).map { Float($0) }
        case .bfloat16: elements(BFloat16.self).map(\.float)
        default: nil
        }
    }

    /// The elements of a tensor of integers of at most 32 bits; nil for other types. Allocates.
    var smallIntegers: [Int]? {
        switch type {
        case .int8: elements(Int8.self).map { Int($0) }
        case .uint8: elements(UInt8.self).map { Int($0) }
        case .int16: elements(Int16.self).map { Int($0) }
        case .uint16: elements(UInt16.self).map { Int($0) }
        case .int32: elements(Int32.self).map { Int($0) }
        default: nil
        }
    }

    /// Stores floats in a tensor of floats of any size.
    func store(_ values: some Sequence<Float>) {
        switch type {
        case .float32: for (index, value) in values.enumerated() { elements(Float.self)[index] = value }
        case .float64: for (index, value) in values.enumerated() { elements(Double.self)[index] = Double(value) }
        case .float16: for (index, value) in values.enumerated() { elements(Float16.self)[index] = Float16(value) }
        case .bfloat16: for (index, value) in values.enumerated() { elements(BFloat16.self)[index] = BFloat16(value) }
        default: break
        }
    }

    /// Stores integers that the tensor's type can hold.
    func store(integers values: some Sequence<Int>) {
        switch type {
        case .int8: for (index, value) in values.enumerated() { elements(Int8.self)[index] = Int8(clamping: value) }
        case .uint8: for (index, value) in values.enumerated() { elements(UInt8.self)[index] = UInt8(clamping: value) }
        case .int16: for (index, value) in values.enumerated() { elements(Int16.self)[index] = Int16(clamping: value) }
        case .uint16:
            for (index, value) in values.enumerated() { elements(UInt16.self)[index] = UInt16(clamping: value) }
        case .int32: for (index, value) in values.enumerated() { elements(Int32.self)[index] = Int32(clamping: value) }
        default: break
        }
    }
}
