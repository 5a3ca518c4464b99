internal import Foundation

/// Weights of a window of the length in input 0.
package struct SignalWindow: Operator {
    package enum Kind: Hashable, Sendable { case hann, hamming, blackman }

    package var kind: Kind
    package var isPeriodic = true
    package var type: ElementType = .float32

    package var name: String {
        switch kind {
        case .hann: "HannWindow"
        case .hamming: "HammingWindow"
        case .blackman: "BlackmanWindow"
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        guard type.isFloat else {
            throw ModelError.unsupported("elements of type \(type)")
        }
        switch try integer(inputs, 0) {
        case .absent: throw ModelError.invalid("\(name) lacks its length")
        case .unknown: return .dependsOnData
        case .values(let values):
            _ = try [values[0]].checkedElementCount(type)
            return .known([TensorDescription(type, [values[0]])])
        }
    }
}

/// Weights that sum up a spectrum to mel bands. Inputs, one number each: bands, length of the transform, samples a
/// second, the lowest and the highest frequency.
package struct MelWeightMatrix: Operator {
    package var type: ElementType = .float32

    /// Positions in the spectrum where the bands begin, culminate and end; nil when they depend on data.
    func edges(_ values: [Double?]) throws -> (bins: Int, edges: [Int])? {
        let known = values.compactMap { $0 }
        guard known.count == 5 else { return nil }
        let (bands, length, rate) = (known[0], known[1], known[2])
        try check(
            (1...65536).contains(bands) && (1...Double(1 << 24)).contains(length) && (1...1e9).contains(rate)
                && known[3] > -700 && known[4] > -700 && known[3].isFinite && known[4].isFinite, "\(known)")
        func mel(_ frequency: Double) -> Double { 2595 * log10(1 + frequency / 700) }
        let (low, high) = (mel(known[3]), mel(known[4]))
        let step = (high - low) / (bands + 2)
        let bins = Int(length) / 2 + 1
        let edges = try (0..<Int(bands) + 2).map { index in
            let frequency = 700 * (pow(10, (Double(index) * step + low) / 2595) - 1)
            let position = ((length + 1) * frequency / rate).rounded(.down)
            try check(position >= 0 && position < Double(bins), "a frequency beyond the spectrum")
            return Int(position)
        }
        return (bins, edges)
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let values = try (0..<5).map { index -> Double? in
            let input = try requiredNumber(inputs, index)
            try check(input.shape.allSatisfy { $0 == 1 }, "input \(index) of shape \(input.shape)")
            return input.constant?.doubles?.first
        }
        guard let (bins, edges) = try edges(values) else { return .dependsOnData }
        guard type.isFloat else {
            throw ModelError.unsupported("elements of type \(type)")
        }
        let shape = [bins, edges.count - 2]
        _ = try shape.checkedElementCount(type)
        return .known([TensorDescription(type, shape)])
    }
}
