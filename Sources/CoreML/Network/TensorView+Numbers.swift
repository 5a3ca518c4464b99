import VisionInference

// Conversions between arrays, images and the tensors of a running network.

extension TensorView {
    /// Writes floats to every `step`th element. For integers, values are rounded and clamped.
    func write(_ source: UnsafePointer<Float>, count: Int, at start: Int, step: Int) {
        switch type {
        case .float32:
            let target = base.assumingMemoryBound(to: Float.self) + start
            if step == 1 {
                target.update(from: source, count: count)
            } else {
                for index in 0..<count { target[index * step] = source[index] }
            }
        case .uint8:
            let target = base.assumingMemoryBound(to: UInt8.self) + start
            for index in 0..<count {
                target[index * step] = UInt8(max(0, min(255, source[index].rounded(.toNearestOrEven))))
            }
        default:
            for index in 0..<count {
                let value = type.isFloat ? source[index] : source[index].rounded(.toNearestOrEven)
                store(Double(value), at: start + index * step)
            }
        }
    }

    /// Writes all elements of an array.
    func write(_ array: MLMultiArray) {
        array.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            if array.dataType.elementType == type, array.layout.isContiguous {
                copyBytes(array.count * array.dataType.size, from: source, to: base)
                return
            }
            for index in 0..<array.count {
                let offset = array.layout.offset(ofElement: index)
                switch array.dataType {
                case .double: store(source.load(fromByteOffset: offset * 8, as: Double.self), at: index)
                case .float32: store(Double(source.load(fromByteOffset: offset * 4, as: Float.self)), at: index)
                case .float16: store(Double(source.load(fromByteOffset: offset * 2, as: Float16.self)), at: index)
                case .int32: store(Double(source.load(fromByteOffset: offset * 4, as: Int32.self)), at: index)
                }
            }
        }
    }

    /// Writes one element.
    func store(_ value: Double, at index: Int) {
        func put<Number: FixedWidthInteger>(_: Number.Type) {
            let limited = value.isNaN ? 0 : max(Double(Number.min), min(Double(Number.max), value))
            base.assumingMemoryBound(to: Number.self)[index] = Number(exactly: limited.rounded(.towardZero)) ?? .max
        }
        switch type {
        case .float32: base.assumingMemoryBound(to: Float.self)[index] = Float(value)
        case .float64: base.assumingMemoryBound(to: Double.self)[index] = value
        case .float16: base.assumingMemoryBound(to: Float16.self)[index] = Float16(value)
        case .bfloat16: base.assumingMemoryBound(to: BFloat16.self)[index] = BFloat16(Float(value))
        case .int8: put(Int8.self)
        case .uint8: put(UInt8.self)
        case .int16: put(Int16.self)
        case .uint16: put(UInt16.self)
        case .int32: put(Int32.self)
        case .uint32: put(UInt32.self)
        case .int64: put(Int64.self)
        case .uint64: put(UInt64.self)
        case .bool: base.assumingMemoryBound(to: UInt8.self)[index] = value == 0 ? 0 : 1
        }
    }

    /// Reads one element as a number.
    func number(at index: Int) -> Double {
        switch type {
        case .float32: Double(base.assumingMemoryBound(to: Float.self)[index])
        case .float64: base.assumingMemoryBound(to: Double.self)[index]
        case .float16: Double(base.assumingMemoryBound(to: Float16.self)[index])
        case .bfloat16: Double(base.assumingMemoryBound(to: BFloat16.self)[index].float)
        case .int8: Double(base.assumingMemoryBound(to: Int8.self)[index])
        case .uint8, .bool: Double(base.assumingMemoryBound(to: UInt8.self)[index])
        case .int16: Double(base.assumingMemoryBound(to: Int16.self)[index])
        case .uint16: Double(base.assumingMemoryBound(to: UInt16.self)[index])
        case .int32: Double(base.assumingMemoryBound(to: Int32.self)[index])
        case .uint32: Double(base.assumingMemoryBound(to: UInt32.self)[index])
        case .int64: Double(base.assumingMemoryBound(to: Int64.self)[index])
        case .uint64: Double(base.assumingMemoryBound(to: UInt64.self)[index])
        }
    }

    /// Reads all elements as floats.
    var floats: [Float] {
        let count = elementCount
        if type == .float32 {
            return Array(UnsafeBufferPointer(start: base.assumingMemoryBound(to: Float.self), count: count))
        }
        return (0..<count).map { Float(number(at: $0)) }
    }

    /// Returns a copy as a multi-array.
    ///
    /// - Parameter dataType: The type of the array's numbers; nil for that of the network.
    func multiArray(of dataType: MLMultiArrayDataType? = nil) throws -> MLMultiArray {
        if let dataType, dataType != MLMultiArrayDataType(type) { return try converted(to: dataType) }
        let array = try MLMultiArray(lengths: shape, dataType: MLMultiArrayDataType(type))
        if array.dataType.elementType == type {
            copyBytes(byteCount, from: base, to: array.dataPointer)
        } else {
            let target = array.dataPointer.assumingMemoryBound(to: Int32.self)
            let floats = array.dataPointer.assumingMemoryBound(to: Float.self)
            for index in 0..<elementCount {
                if array.dataType == .int32 {
                    target[index] = Int32(max(Double(Int32.min), min(Double(Int32.max), number(at: index))))
                } else {
                    floats[index] = Float(number(at: index))
                }
            }
        }
        return array
    }

    private func converted(to dataType: MLMultiArrayDataType) throws -> MLMultiArray {
        let array = try MLMultiArray(lengths: shape, dataType: dataType)
        let target = array.dataPointer
        for index in 0..<elementCount {
            let number = number(at: index)
            switch dataType {
            case .double: target.storeBytes(of: number, toByteOffset: index * 8, as: Double.self)
            case .float32: target.storeBytes(of: Float(number), toByteOffset: index * 4, as: Float.self)
            case .float16: target.storeBytes(of: Float16(number), toByteOffset: index * 2, as: Float16.self)
            case .int32:
                let limited = number.isNaN ? 0 : max(Double(Int32.min), min(Double(Int32.max), number))
                target.storeBytes(of: Int32(limited), toByteOffset: index * 4, as: Int32.self)
            }
        }
        return array
    }
}

extension MLMultiArrayDataType {
    /// The type of multi-array for the network's type: integers of any size become 32-bit ones.
    init(_ type: ElementType) {
        switch type {
        case .float32, .bfloat16: self = .float32
        case .float64: self = .double
        case .float16: self = .float16
        default: self = .int32
        }
    }

    var elementType: ElementType {
        switch self {
        case .double: .float64
        case .float32: .float32
        case .float16: .float16
        case .int32: .int32
        }
    }
}
