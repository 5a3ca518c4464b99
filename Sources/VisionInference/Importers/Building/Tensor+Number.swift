extension Tensor {
    /// A scalar. Numbers that the type does not have become the nearest one.
    init(number: Double, _ type: ElementType) throws {
        let whole = number.isNaN ? 0 : Int(max(-0x1p62, min(number, 0x1p62)))
        switch type {
        case .float32: try self.init(scalar: Float(number))
        case .float64: try self.init(scalar: number)
        case .float16: try self.init(scalar: Float16(number))
        case .bfloat16: try self.init(scalar: BFloat16(Float(number)))
        case .int8: try self.init(scalar: Int8(clamping: whole))
        case .uint8: try self.init(scalar: UInt8(clamping: whole))
        case .int16: try self.init(scalar: Int16(clamping: whole))
        case .uint16: try self.init(scalar: UInt16(clamping: whole))
        case .int32: try self.init(scalar: Int32(clamping: whole))
        case .uint32: try self.init(scalar: UInt32(clamping: whole))
        case .int64: try self.init(scalar: Int64(clamping: whole))
        case .uint64: try self.init(scalar: UInt64(clamping: whole))
        case .bool:
            let one = try Tensor(scalar: UInt8(number == 0 ? 0 : 1))
            try self.init(.bool, shape: [], storage: one.storage)
        }
    }
}
