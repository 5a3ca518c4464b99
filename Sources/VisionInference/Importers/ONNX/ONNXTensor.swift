/// A constant of an ONNX file. Whichever field the file keeps its elements in, here they are bytes: row-major,
/// little-endian, elements of fewer than eight bits packed. Where the file has them in that form already they stay in
/// the file's bytes.
package struct ONNXTensor: Sendable {
    package var name: String
    package var type: ONNXDataType
    package var shape: [Int]
    /// As many bytes as the shape asks for; none for strings.
    package var data: ModelSlice
    package var strings: [String] = []

    package var elementCount: Int { shape.reduce(1, *) }

    /// Throws where the bytes are not as many as the shape asks for.
    package init(name: String, type: ONNXDataType, shape: [Int], data: ModelSlice) throws(ModelError) {
        let count = try Self.elementCount(shape, of: name)
        guard let expected = type.byteCount(of: count) else {
            throw .invalid("the tensor '\(name)' has elements of type \(type)")
        }
        guard data.count == expected else {
            throw .invalid("the tensor '\(name)' of shape \(shape) and type \(type) has \(data.count) bytes")
        }
        self.init(unchecked: name, type, shape, data)
    }

    init(unchecked name: String, _ type: ONNXDataType, _ shape: [Int], _ data: ModelSlice, strings: [String] = []) {
        self.name = name
        self.type = type
        self.shape = shape
        self.data = data
        self.strings = strings
    }

    /// A tensor of little-endian numbers; `type` must be as wide as they are.
    package init<Element: BitwiseCopyable>(
        _ name: String, _ type: ONNXDataType, _ shape: [Int], _ elements: [Element]
    ) throws(ModelError) {
        try self.init(name: name, type: type, shape: shape, data: ModelSlice(ModelBytes(elements)))
    }

    /// The number of elements of a shape from a file: neither negative nor more than can be counted.
    static func elementCount(_ shape: [Int], of name: String) throws(ModelError) -> Int {
        var count = 1
        for size in shape {
            guard size >= 0 else { throw .invalid("the tensor '\(name)' has the shape \(shape)") }
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow else { throw .tooLarge("the tensor '\(name)' has the shape \(shape)") }
            count = product
        }
        return count
    }
}
