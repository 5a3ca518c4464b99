extension ONNXDefinition {
    static let losses: [String: ONNXDefinition] = [
        "NegativeLogLikelihoodLoss": ONNXDefinition(.floats) { node in
            [try likelihoodLoss(node, node.input(0), node.input(1))]
        },
        "SoftmaxCrossEntropyLoss": ONNXDefinition(.floats) { node in
            let logarithms = try node.add(Softmax(axis: 1, isLogarithm: true), [node.input(0)])
            return [try likelihoodLoss(node, logarithms, node.input(1)), logarithms]
        },
    ]

    /// The negative logarithm of the likelihood of each target, weighted by its class.
    private static func likelihoodLoss(
        _ node: ONNXLowering, _ logarithms: Graph.ValueID, _ target: Graph.ValueID
    ) throws -> Graph.ValueID {
        let shape = try node.shape(logarithms)
        try node.require(shape.count >= 2 && shape[1] >= 1, "likelihoods of shape \(shape)")
        let type = try node.type(logarithms)
        let wide = try node.cast(target, .int64)
        var kept: Graph.ValueID?
        var index = wide
        if let ignored = node.int("ignore_index") {
            let isIgnored = try node.binary(.equal, wide, node.scalar(Double(ignored), .int64))
            kept = try node.unary(.not, isIgnored)
            index = try node.add(Where(), [isIgnored, node.scalar(0, .int64), wide])
        }
        let column = try node.unsqueeze(index, axes: [1])
        let picked = try node.add(GatherElements(axis: 1), [logarithms, column])
        var loss = try node.unary(.neg, node.squeeze(picked, axes: [1]))
        var weights: Graph.ValueID?
        if let classes = node.optional(2) {
            weights = try node.add(Gather(axis: 0), [classes, index])
        }
        if let kept {
            let factor = try node.cast(kept, type)
            weights = try weights.map { try node.binary(.mul, $0, factor) } ?? factor
        }
        if let weights { loss = try node.binary(.mul, loss, weights) }
        switch node.string("reduction", "mean") {
        case "none": return loss
        case "sum": return try node.reduce(.sum, loss, keepsDimensions: false)
        case "mean":
            guard let weights else { return try node.reduce(.mean, loss, keepsDimensions: false) }
            let sum = try node.reduce(.sum, loss, keepsDimensions: false)
            return try node.binary(
                .div, sum, node.reduce(.sum, weights, keepsDimensions: false))
        default: throw node.unsupported("the reduction \(node.string("reduction", ""))")
        }
    }
}
