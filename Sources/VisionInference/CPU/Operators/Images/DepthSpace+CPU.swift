extension DepthToSpace: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        let axes = ImageAxes(channelsFirst: channelsFirst)
        let (input, output) = (try required(inputs, 0).shape, outputs[0].shape)
        let (from, to) = (input.rowMajorStrides, output.rowMajorStrides)
        let channels = output[axes.channel]
        let channelStep = from[axes.channel]
        let (blockStep, innerStep) =
            mode == .depthColumnRow ? (channels * channelStep, channelStep) : (channelStep, block * block * channelStep)
        // Image, row, row in the block, column, column in the block, channel; those of the output's order.
        var parts = [
            (input[0], to[0], from[0]), (input[axes.row], block * to[axes.row], from[axes.row]),
            (block, to[axes.row], block * blockStep),
            (input[axes.column], block * to[axes.column], from[axes.column]),
            (block, to[axes.column], blockStep),
        ]
        parts.insert((channels, to[axes.channel], innerStep), at: channelsFirst ? 1 : 5)
        return [StridedCopy(parts.map(\.0), to: parts.map(\.1), from: parts.map(\.2))]
    }
}

extension SpaceToDepth: CopyingOperator {
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy] {
        let axes = ImageAxes(channelsFirst: channelsFirst)
        let (input, output) = (try required(inputs, 0).shape, outputs[0].shape)
        let (from, to) = (input.rowMajorStrides, output.rowMajorStrides)
        let channels = input[axes.channel]
        let blockStep = channels * to[axes.channel]
        var parts = [
            (output[0], to[0], from[0]), (output[axes.row], to[axes.row], block * from[axes.row]),
            (output[axes.column], to[axes.column], block * from[axes.column]),
        ]
        parts.insert(
            contentsOf: [
                (block, block * blockStep, from[axes.row]), (block, blockStep, from[axes.column]),
                (channels, to[axes.channel], from[axes.channel]),
            ], at: channelsFirst ? 1 : 3)
        return [StridedCopy(parts.map(\.0), to: parts.map(\.1), from: parts.map(\.2))]
    }
}
