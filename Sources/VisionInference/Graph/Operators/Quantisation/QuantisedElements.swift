/// Sums or products of unsigned bytes, of one shape, or of a tensor and numbers for its last axes (the second input, or
/// one number). Products and sums are of the numbers that the bytes stand for.
struct QuantisedBinary: Operator {
    enum Kind: Hashable, Sendable { case add, multiply }

    var kind: Kind
    var scales: [QuantisedScale]
    var result: QuantisedScale
    /// Bounds of an activation.
    var low: UInt8 = 0
    var high: UInt8 = 255

    var name: String { kind == .add ? "QuantisedAdd" : "QuantisedMul" }

    func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let a = try required(inputs, 0)
        let b = try required(inputs, 1)
        guard a.type == .uint8, b.type == .uint8, scales.count == 2, Self.fits(a.shape, b.shape) else {
            throw ModelError.invalid("\(name) of shapes \(a.shape) and \(b.shape)")
        }
        guard a.shape.elementCount < Int(Int32.max) else { throw ModelError.tooLarge("\(name) of shape \(a.shape)") }
        return .known([TensorDescription(.uint8, a.shape)])
    }

    /// Whether `b` is as large as `a`, or is repeated along the first axes of `a`.
    static func fits(_ a: Shape, _ b: Shape) -> Bool {
        let trimmed = Array(b.drop { $0 == 1 })
        return a.elementCount > 0 && (trimmed.isEmpty || a.suffix(trimmed.count) == trimmed[...])
    }
}

/// A function of one byte, by a table.
struct QuantisedLookup: ElementwiseOperator {
    var name: String
    /// 256 bytes.
    var table: [UInt8]
    var inputType: ElementType
    var outputType: ElementType

    init(
        name: String, from inputType: ElementType = .uint8, to outputType: ElementType = .uint8,
        _ body: (UInt8) -> UInt8
    ) {
        self.name = name
        self.inputType = inputType
        self.outputType = outputType
        table = (0...255).map { body(UInt8($0)) }
    }

    /// Signed bytes to the unsigned ones that stand for the same numbers with a zero point 128 higher, or back.
    static func flip(from type: ElementType) -> QuantisedLookup {
        QuantisedLookup(name: "Flip", from: type, to: type == .int8 ? .uint8 : .int8) { $0 ^ 0x80 }
    }

    func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard input.type == inputType, table.count == 256 else {
            throw ModelError.invalid("\(name) of elements of type \(input.type)")
        }
        return .known([TensorDescription(outputType, input.shape)])
    }
}

/// Floats (N, C, H, W) to unsigned bytes (N, H, W, C): what a network does to its input before its first convolution.
struct QuantiseImage: Operator {
    var scale: QuantisedScale

    func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard input.type == .float32, input.shape.count == 4 else {
            throw ModelError.invalid("an image of type \(input.type) and shape \(input.shape)")
        }
        guard input.shape[1] < Int(Int32.max) else { throw ModelError.tooLarge("an image of shape \(input.shape)") }
        return .known([
            TensorDescription(.uint8, [input.shape[0], input.shape[2], input.shape[3], input.shape[1]])
        ])
    }
}

/// Average or maximum pooling of images (N, H, W, C) of unsigned bytes.
struct QuantisedPool: Operator {
    enum Kind: Hashable, Sendable {
        /// Scales and zero points of input and result; whether padding counts as pixels.
        case average(from: QuantisedScale, to: QuantisedScale, countsPadding: Bool)
        case max
    }

    var kind: Kind
    /// nil: the whole image.
    var geometry: WindowGeometry?
    /// Of a window that is the whole image, only the channels are left.
    var keepsDimensions = true

    var name: String { kind == .max ? "QuantisedMaxPool" : "QuantisedAveragePool" }

    func window(_ shape: Shape) -> WindowGeometry {
        geometry ?? WindowGeometry(kernelHeight: max(shape[1], 1), kernelWidth: max(shape[2], 1))
    }

    func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard input.type == .uint8, input.shape.count == 4 else {
            throw ModelError.invalid("\(name) of elements of type \(input.type) and shape \(input.shape)")
        }
        let size = try window(input.shape).resolved(height: input.shape[1], width: input.shape[2])
        let shape =
            keepsDimensions
            ? [input.shape[0], size.outputHeight, size.outputWidth, input.shape[3]] : [input.shape[0], input.shape[3]]
        guard keepsDimensions || size.outputHeight == 1 && size.outputWidth == 1 else {
            throw ModelError.invalid("\(name) that leaves more than a pixel")
        }
        return .known([TensorDescription(.uint8, shape)])
    }
}
