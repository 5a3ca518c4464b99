import VisionInference

/// Decision trees whose leaves add up (TreeEnsemble.proto).
struct TreeEnsemble: ValueModel {
    private struct Node {
        var behaviour: Int
        var feature: Int
        var threshold: Double
        var yes: Int
        var no: Int
        var missingIsYes: Bool
        var values: [(index: Int, value: Double)]
    }

    private let reader: ValueReader
    private let nodes: [Node]
    private let roots: [Int]
    private let base: [Double]
    private let featureCount: Int
    private let transform: Int
    private let labels: CoreMLClassLabels?

    private static let leaf = 6

    init(_ content: ProtobufMessage, _ description: CoreMLDescription, isClassifier: Bool) throws {
        reader = ValueReader(description: description)
        guard let ensemble = try content.message(1) else { throw ModelError.damaged("an ensemble without trees") }
        transform = try content.int(2)
        guard (0...3).contains(transform) else { throw ModelError.invalid("the transform \(transform)") }
        labels = isClassifier ? try CoreMLClassLabels(content) : nil
        let dimensions = try ensemble.int(2)
        let base = try ensemble.doubles(3)
        guard (1...1 << 20).contains(dimensions), base.isEmpty || base.count == dimensions else {
            throw ModelError.damaged("\(dimensions) predictions with \(base.count) base values")
        }
        self.base = base.isEmpty ? [Double](repeating: 0, count: dimensions) : base
        if isClassifier {
            let expected = transform == 3 || dimensions == 1 ? dimensions + 1 : dimensions
            guard let labels, labels.count == expected else {
                throw ModelError.damaged("\(dimensions) predictions for \(labels?.count ?? 0) labels")
            }
        }
        (nodes, roots) = try Self.trees(ensemble.messages(1), dimensions: dimensions)
        featureCount = (nodes.filter { $0.behaviour != Self.leaf }.map(\.feature).max() ?? -1) + 1
    }

    /// Nodes whose children are indices, and the roots of the trees.
    private static func trees(_ messages: [ProtobufMessage], dimensions: Int) throws -> ([Node], [Int]) {
        struct Key: Hashable {
            let tree: Int
            let node: Int
        }
        var positions: [Key: Int] = [:]
        for (index, message) in messages.enumerated() {
            guard positions.updateValue(index, forKey: Key(tree: try message.int(1), node: try message.int(2))) == nil
            else { throw ModelError.damaged("a tree has two nodes of one number") }
        }
        var isChild = [Bool](repeating: false, count: messages.count)
        let nodes = try messages.map { message -> Node in
            let behaviour = try message.int(3)
            guard (0...leaf).contains(behaviour) else { throw ModelError.invalid("a node of kind \(behaviour)") }
            let tree = try message.int(1)
            func child(_ field: Int) throws -> Int {
                guard behaviour != leaf else { return -1 }
                guard let index = positions[Key(tree: tree, node: try message.int(field))], !isChild[index] else {
                    throw ModelError.damaged("a node of tree \(tree) has a child that is not there, or another's")
                }
                isChild[index] = true
                return index
            }
            let values = try message.messages(20).map { (index: try $0.int(1), value: try $0.double(2)) }
            guard values.allSatisfy({ (0..<dimensions).contains($0.index) }) else {
                throw ModelError.damaged("a leaf of tree \(tree) has a value for a prediction that is not there")
            }
            let feature = try message.int(10)
            guard (0...1 << 24).contains(feature) else { throw ModelError.invalid("a feature \(feature)") }
            return Node(
                behaviour: behaviour, feature: feature, threshold: try message.double(11), yes: try child(12),
                no: try child(13), missingIsYes: try message.bool(14), values: values)
        }
        // Each node is the child of one at most: what begins at a root is a tree, and cycles are reached from nowhere.
        let roots = nodes.indices.filter { !isChild[$0] }
        guard Set(try roots.map { try messages[$0].int(1) }).count == roots.count, !roots.isEmpty else {
            throw ModelError.damaged("a tree has no root, or two")
        }
        return (nodes, roots)
    }

    func outputs(of features: [String: MLFeatureValue]) throws -> [String: MLFeatureValue] {
        let vector = try reader.vector(features, count: featureCount)
        var sums = base
        for root in roots {
            for (index, value) in leaf(of: root, vector).values { sums[index] += value }
        }
        guard let labels else {
            let values = transform == 2 ? sums.map(Probabilities.logistic) : sums
            return try reader.outputs(values, named: reader.description.predictedFeatureName)
        }
        return try reader.classified(probabilities(sums), labels)
    }

    private func probabilities(_ sums: [Double]) -> [Double] {
        switch transform {
        case 1 where sums.count > 1: return Probabilities.softmax(sums)
        case 3: return Probabilities.softmax([0] + sums)
        default:
            let values = transform == 0 ? sums : sums.map(Probabilities.logistic)
            if values.count == 1 { return [1 - values[0], values[0]] }
            // Forests add up the shares of all trees.
            let sum = values.reduce(0, +)
            return sum > 0 && values.allSatisfy { $0 >= 0 } ? values.map { $0 / sum } : values
        }
    }

    private func leaf(of root: Int, _ vector: [Double]) -> Node {
        var node = nodes[root]
        while node.behaviour != Self.leaf {
            let value = vector[node.feature]
            let isYes: Bool
            if value.isNaN {
                isYes = node.missingIsYes
            } else {
                switch node.behaviour {
                case 0: isYes = value <= node.threshold
                case 1: isYes = value < node.threshold
                case 2: isYes = value >= node.threshold
                case 3: isYes = value > node.threshold
                case 4: isYes = value == node.threshold
                default: isYes = value != node.threshold
                }
            }
            node = nodes[isYes ? node.yes : node.no]
        }
        return node
    }
}
