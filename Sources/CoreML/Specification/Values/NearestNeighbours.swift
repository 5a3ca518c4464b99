import VisionInference

/// A classifier by the labels of the nearest samples (NearestNeighbors.proto).
struct NearestNeighbours: ValueModel {
    private let reader: ValueReader
    private let samples: [[Float]]
    private let sampleLabels: [Int]
    let labels: CoreMLClassLabels
    private let count: Int
    private let weighsByDistance: Bool

    init(_ content: ProtobufMessage, _ description: CoreMLDescription) throws {
        reader = ValueReader(description: description)
        guard let index = try content.message(1), let all = try CoreMLClassLabels(content) else {
            throw ModelError.damaged("a classifier without samples or labels")
        }
        let dimensions = try index.int(1)
        samples = try index.messages(2).map { try $0.floats(1) }
        guard samples.allSatisfy({ $0.count == dimensions }), samples.count == all.count, !samples.isEmpty else {
            throw ModelError.damaged("\(samples.count) samples with \(all.count) labels")
        }
        // Labels are listed for each sample; the classes are those that occur.
        var numbers: [String: Int] = [:]
        var order: [Int] = []
        let texts = all.texts
        sampleLabels = texts.enumerated().map { position, text in
            if let number = numbers[text] { return number }
            numbers[text] = order.count
            order.append(position)
            return order.count - 1
        }
        switch all {
        case .strings(let strings): labels = .strings(order.map { strings[$0] })
        case .integers(let integers): labels = .integers(order.map { integers[$0] })
        }
        count = try content.message(3)?.int(1) ?? 0
        guard (1...1 << 20).contains(count) else { throw ModelError.damaged("\(count) neighbours") }
        weighsByDistance = content.has(210)
    }

    func outputs(of features: [String: MLFeatureValue]) throws -> [String: MLFeatureValue] {
        let vector = try reader.vector(features, count: samples[0].count).map { Float($0) }
        let distances = samples.map { sample in
            zip(sample, vector).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        let nearest = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.prefix(count)
        var shares = [Double](repeating: 0, count: labels.count)
        let hasHit = nearest.contains { distances[$0] == 0 }
        for index in nearest {
            let distance = Double(distances[index]).squareRoot()
            // Samples that lie on the point outweigh all others.
            let weight = !weighsByDistance ? 1 : hasHit ? (distance == 0 ? 1 : 0) : 1 / distance
            shares[sampleLabels[index]] += weight
        }
        let sum = shares.reduce(0, +)
        return try reader.classified(shares.map { sum > 0 ? $0 / sum : 0 }, labels)
    }
}
