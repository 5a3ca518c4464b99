/// Exchanges blocks of pixels and channels.
protocol PixelBlockOperator: Operator {
    var block: Int { get }
    /// N, C, H, W instead of N, H, W, C.
    var channelsFirst: Bool { get set }

    /// The output's shape; nil for inputs that blocks do not divide.
    func shape(of input: Shape, _ axes: ImageAxes) -> Shape?
}

extension PixelBlockOperator {
    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        guard input.shape.count == 4, (1...1 << 15).contains(block),
            let shape = shape(of: input.shape, ImageAxes(channelsFirst: channelsFirst))
        else { throw ModelError.invalid("\(name): block \(block), shape \(input.shape)") }
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

    package func sinking(_ permutation: [Int], _ inputs: Inputs, _ outputs: Outputs) -> Sinking? {
        guard channelsFirst, permutation == [0, 3, 1, 2] else { return nil }
        var replacement = self
        replacement.channelsFirst = false
        return Sinking(replacement: replacement, inputs: [0], outputPermutations: [permutation])
    }
}

/// Moves channels into blocks of pixels.
package struct DepthToSpace: PixelBlockOperator {
    package enum Mode: Hashable, Sendable {
        /// The position within a block is what changes slowest among the channels (TensorFlow, ONNX's DCR).
        case depthColumnRow
        /// It is what changes fastest (PyTorch's pixel shuffle, ONNX's CRD).
        case columnRowDepth
    }

    package var block: Int
    package var mode: Mode = .depthColumnRow
    /// N, C, H, W instead of N, H, W, C.
    package var channelsFirst = false

    func shape(of input: Shape, _ axes: ImageAxes) -> Shape? {
        guard input[axes.channel] % (block * block) == 0 else { return nil }
        var shape = input
        shape[axes.channel] /= block * block
        shape[axes.row] = shape[axes.row].multipliedReportingOverflow(by: block).partialValue
        shape[axes.column] = shape[axes.column].multipliedReportingOverflow(by: block).partialValue
        return shape
    }
}

/// Moves blocks of pixels into channels, the position within a block being what changes slowest.
package struct SpaceToDepth: PixelBlockOperator {
    package var block: Int
    /// N, C, H, W instead of N, H, W, C.
    package var channelsFirst = false

    func shape(of input: Shape, _ axes: ImageAxes) -> Shape? {
        guard input[axes.row] % block == 0, input[axes.column] % block == 0 else { return nil }
        var shape = input
        shape[axes.channel] = shape[axes.channel].multipliedReportingOverflow(by: block * block).partialValue
        shape[axes.row] /= block
        shape[axes.column] /= block
        return shape
    }
}

/// Which axis of a tensor with four is which.
struct ImageAxes {
    let channel: Int
    let row: Int
    let column: Int

    init(channelsFirst: Bool) {
        channel = channelsFirst ? 1 : 3
        row = channelsFirst ? 2 : 1
        column = channelsFirst ? 3 : 2
    }
}
