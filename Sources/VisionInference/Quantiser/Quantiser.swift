/// Makes an 8-bit network of one in floats: runs it over samples, chooses a scale for every tensor between layers, and
/// writes it with `QuantizeLinear` and `DequantizeLinear` around what is to run on bytes, as other engines read it too.
///
/// Weights become signed bytes with a scale for each output channel, tensors between layers unsigned bytes with a scale
/// and a zero point, biases 32-bit integers. Operators that are not listed stay in floats.
package struct Quantiser: Sendable {
    /// How the range of a tensor is chosen from what the samples showed.
    package enum Method: Hashable, Sendable {
        /// All of it.
        case extremes
        /// What leaves out at most this share of the numbers, half of it at each end.
        case percentile(Double)
        /// The one with the least squared error of rounding and cutting off.
        case leastSquares
        /// The one whose bytes are distributed most like the numbers (Kullback-Leibler divergence).
        case entropy
    }

    package struct Options: Sendable {
        package var method: Method
        /// Layers and operators that stay in floats, by the nodes' names.
        package var excludedNodes: Set<String>
        /// The tensors that may become bytes, by name; nil for all. Layers that read others stay in floats.
        package var tensors: Set<String>?
        /// One scale for each output channel; else one for all weights of a layer.
        package var scalesChannels: Bool
        package var threads: Int

        package init(
            method: Method = .leastSquares, excludedNodes: Set<String> = [], tensors: Set<String>? = nil,
            scalesChannels: Bool = true, threads: Int = 2
        ) {
            self.method = method
            self.excludedNodes = excludedNodes
            self.tensors = tensors
            self.scalesChannels = scalesChannels
            self.threads = threads
        }
    }

    /// The float network, normalisations folded into their convolutions.
    private let model: ONNXModel
    private let plan: QuantisationPlan
    private let options: Options

    /// Throws for networks of an operator set that scales by channel cannot be written in, and for those with nothing
    /// to quantise.
    package init(_ model: ONNXModel, options: Options = Options()) throws {
        var model = try Self.upgraded(model)
        try ConstantFolding.run(&model)
        try BiasFolding.run(&model)
        try NormalisationFolding.run(&model)
        self.model = model
        self.options = options
        plan = try QuantisationPlan(model, excluding: options.excludedNodes, allowing: options.tensors)
        guard !plan.layers.isEmpty else {
            throw ModelError.invalid("it has no convolution or product with constant weights that could be quantised")
        }
    }

    /// The quantised network.
    ///
    /// - Parameters:
    ///   - samples: inputs by name, as a run of the network takes them; a few dozen that are like those it will meet.
    ///     They are gone through twice unless the method is `.extremes`.
    ///   - progress: called after each sample with the number of those done.
    package func quantised(
        samples: some Collection<[String: Tensor]>, progress: ((Int) -> Void)? = nil
    ) throws -> ONNXModel {
        guard !samples.isEmpty else { throw ModelError.wrongInput("there are no samples to calibrate with") }
        var statistics = try ranges(samples, progress)
        if options.method != .extremes {
            for index in statistics.indices { statistics[index].prepareHistogram() }
            try observe(samples, progress, offset: samples.count) { index, values in
                statistics[index].count(values)
            }
        }
        var scales: [String: QuantisedScale] = [:]
        for (name, statistic) in zip(plan.observed, statistics) {
            scales[name] = QuantisedScale(range: statistic.range(options.method))
        }
        return try written(scales)
    }

    /// The quantised network, where the ranges of the tensors between its layers are known already.
    ///
    /// - Parameters:
    ///   - ranges: by the tensors' names, of every tensor that is quantised; others are ignored.
    ///   - corrections: what is added to the biases of convolutions, a number for each channel, by the names of their
    ///     results.
    package func quantised(
        ranges: [String: ClosedRange<Float>], corrections: [String: [Float]] = [:]
    ) throws -> ONNXModel {
        var scales: [String: QuantisedScale] = [:]
        for name in plan.observed {
            guard let range = ranges[name], range.lowerBound.isFinite, range.upperBound.isFinite else {
                throw ModelError.invalid("no range is given for tensor “\(name)”")
            }
            scales[name] = QuantisedScale(range: range)
        }
        return try written(scales, corrections)
    }

    private func written(
        _ scales: [String: QuantisedScale], _ corrections: [String: [Float]] = [:]
    ) throws -> ONNXModel {
        var scales = scales
        for (name, source) in plan.sameScale { scales[name] = scales[source] }
        return try QDQWriter(
            model: model, plan: plan, scales: scales, corrections: corrections, scalesChannels: options.scalesChannels
        ).written()
    }

    private func ranges(
        _ samples: some Collection<[String: Tensor]>, _ progress: ((Int) -> Void)?
    ) throws -> [TensorStatistics] {
        var statistics = [TensorStatistics](repeating: TensorStatistics(), count: plan.observed.count)
        try observe(samples, progress, offset: 0) { index, values in statistics[index].extend(values) }
        for (name, statistic) in zip(plan.observed, statistics) where !statistic.isFinite {
            throw ModelError.invalid("tensor “\(name)” has values that are not finite")
        }
        return statistics
    }

    /// Runs the network on every sample and shows the values of every observed tensor.
    private func observe(
        _ samples: some Collection<[String: Tensor]>, _ progress: ((Int) -> Void)?, offset: Int,
        _ body: (_ index: Int, _ values: UnsafeBufferPointer<Float>) throws -> Void
    ) throws {
        var observed = model
        let inputs = Set(model.graph.inputs.map(\.name))
        observed.graph.outputs = plan.observed.filter { !inputs.contains($0) }
            .map { ONNXValueInfo($0, .tensor(.float, shape: nil)) }
        let session = try Session(
            graph: try ONNXImporter.graph(observed), options: .init(threads: options.threads, optimises: true))
        for (number, sample) in samples.enumerated() {
            let results = try session.run(sample)
            for (index, name) in plan.observed.enumerated() {
                guard let tensor = results[name] ?? sample[name], tensor.type == .float32 else {
                    throw ModelError.invalid("tensor “\(name)” is not of 32-bit floats")
                }
                try tensor.withUnsafeBytes { try body(index, $0.bindMemory(to: Float.self)) }
            }
            progress?(offset + number + 1)
        }
    }
}

extension QuantisedScale {
    /// The scale for numbers within a range, to which zero is added: it has to be one of the numbers that bytes stand
    /// for.
    init(range: ClosedRange<Float>) {
        let low = min(range.lowerBound, 0)
        let high = max(range.upperBound, 0)
        guard high > low, ((high - low) / 255).isNormal else {
            self.init(scale: 1, zeroPoint: 0, isSigned: false)
            return
        }
        let scale = (high - low) / 255
        let zeroPoint = min(max(Int((-low / scale).rounded(.toNearestOrEven)), 0), 255)
        self.init(scale: scale, zeroPoint: zeroPoint, isSigned: false)
    }

    /// The numbers that the least and the greatest byte stand for.
    var range: ClosedRange<Float> { value(0)...value(255) }
}
