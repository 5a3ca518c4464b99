internal import Foundation

/// Weights of a window of the length in input 0.
package struct SignalWindow: FloatOperator {
    package enum Kind: Hashable, Sendable { case hann, hamming, blackman }

    package var kind: Kind
    package var isPeriodic: Bool
    package var type: ElementType

    package init(kind: Kind, isPeriodic: Bool = true, type: ElementType = .float32) {
        self.kind = kind
        self.isPeriodic = isPeriodic
        self.type = type
    }

    package var name: String {
        switch kind {
        case .hann: "HannWindow"
        case .hamming: "HammingWindow"
        case .blackman: "BlackmanWindow"
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        guard type.isFloat else {
            throw ModelError.unsupported(operator: name, node: "", reason: "elements of type \(type)")
        }
        switch try integer(inputs, 0) {
        case .absent: throw ModelError.invalid("\(name) lacks its length")
        case .unknown: return .dependsOnData
        case .values(let values):
            _ = try [values[0]].checkedElementCount(type)
            return .known([TensorDescription(type, [values[0]])])
        }
    }

    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let count = outputs[0].elementCount
        let period = Double(max(isPeriodic ? count : count - 1, 1))
        let target = outputs[0].pointer(T.self)
        for index in 0..<count {
            let angle = 2 * Double.pi * Double(index) / period
            let value =
                switch kind {
                case .hann: 0.5 - 0.5 * cos(angle)
                // 25/46, as ONNX has it, instead of the rounded 0.54.
                case .hamming: 25.0 / 46 - 21.0 / 46 * cos(angle)
                case .blackman: 0.42 - 0.5 * cos(angle) + 0.08 * cos(2 * angle)
                }
            target[index] = T(double: value)
        }
    }
}

/// Weights that sum up a spectrum to mel bands. Inputs, one number each: bands, length of the transform, samples a second,
/// the lowest and the highest frequency.
package struct MelWeightMatrix: FloatOperator {
    package var type: ElementType

    package init(type: ElementType = .float32) { self.type = type }

    package var name: String { "MelWeightMatrix" }

    /// Places in the spectrum where the bands begin, culminate and end; nil when they depend on data.
    private func edges(_ values: [Double?]) throws -> (bins: Int, edges: [Int])? {
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
            let place = ((length + 1) * frequency / rate).rounded(.down)
            try check(place >= 0 && place < Double(bins), "a frequency beyond the spectrum")
            return Int(place)
        }
        return (bins, edges)
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let values = try (0..<5).map { index -> Double? in
            let input = try requiredNumber(inputs, index)
            try check(input.shape.allSatisfy { $0 == 1 }, "input \(index) of shape \(input.shape)")
            return input.constant?.view.doubles.first
        }
        guard let (bins, edges) = try edges(values) else { return .dependsOnData }
        guard type.isFloat else {
            throw ModelError.unsupported(operator: name, node: "", reason: "elements of type \(type)")
        }
        let shape = [bins, edges.count - 2]
        _ = try shape.checkedElementCount(type)
        return .known([TensorDescription(type, shape)])
    }

    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        guard let (_, edges) = try edges(inputs.map { $0?.doubles.first }) else { return }
        let bands = edges.count - 2
        let target = outputs[0].pointer(T.self)
        for index in 0..<outputs[0].elementCount { target[index] = T(double: 0) }
        for band in 0..<bands {
            let (first, centre, last) = (edges[band], edges[band + 1], edges[band + 2])
            if first >= centre {
                target[centre * bands + band] = T(double: 1)
            } else {
                for bin in first...centre {
                    target[bin * bands + band] = T(double: Double(bin - first) / Double(centre - first))
                }
            }
            if centre < last {
                for bin in centre..<last {
                    target[bin * bands + band] = T(double: Double(last - bin) / Double(last - centre))
                }
            }
        }
    }
}
