extension TFLiteGraphBuilder {
    /// Moves the positions within blocks of an image to the batch: what converters write around dilated convolutions.
    func addSpaceToBatch(_ node: TFLiteNode) throws {
        let (shape, block, pads) = try blocks(node)
        var value = try operand(node.input(0))
        if pads.contains(where: { $0 != 0 }) {
            value = try pad(value, before: [0, pads[0], pads[2], 0], after: [0, pads[1], pads[3], 0])
        }
        let height = shape[1] + pads[0] + pads[1]
        let width = shape[2] + pads[2] + pads[3]
        guard height % block[0] == 0, width % block[1] == 0 else {
            throw ModelError.invalid("blocks of \(block) do not divide \(height) × \(width)")
        }
        let rows = height / block[0]
        let columns = width / block[1]
        value = try reshape(value, [-1, rows, block[0], columns, block[1], shape[3]])
        value = try transpose(value, [2, 4, 0, 1, 3, 5])
        try finish(node, try reshape(value, [-1, rows, columns, shape[3]]))
    }

    /// The reverse; `pads` are cut off.
    func addBatchToSpace(_ node: TFLiteNode) throws {
        let (shape, block, crops) = try blocks(node)
        var value = try reshape(
            operand(node.input(0)), [block[0], block[1], -1, shape[1], shape[2], shape[3]])
        value = try transpose(value, [2, 3, 0, 4, 1, 5])
        let height = shape[1] * block[0]
        let width = shape[2] * block[1]
        value = try reshape(value, [-1, height, width, shape[3]])
        if crops.contains(where: { $0 != 0 }) {
            value = try slice(
                value, from: [crops[0], crops[2]],
                to: [max(height - crops[1], 0), max(width - crops[3], 0)], axes: [1, 2])
        }
        try finish(node, value)
    }

    private func blocks(_ node: TFLiteNode) throws -> (shape: [Int], block: [Int], pads: [Int]) {
        let shape = try tensor(node.input(0)).shape
        guard shape.count == 4 else { throw node.unsupported("its input has \(shape.count) axes, not 4") }
        let block = try constantIntegers(node, 1, "block")
        let pads = try constantIntegers(node, 2, "pads")
        let limit = 1 << 24
        guard block.count == 2, pads.count == 4, block.allSatisfy({ 1...limit ~= $0 }),
            pads.allSatisfy({ 0...limit ~= $0 })
        else { throw ModelError.invalid("blocks of \(block) and pads \(pads)") }
        return (shape, block, pads)
    }
}
