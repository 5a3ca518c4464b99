/// Tells the target of a tracker from the rest of its video by the features of samples: positions of a search window,
/// or boxes in it.
///
/// A tracker's own score says how much a sample looks like what it has learnt, and is high for some backgrounds and for
/// other objects of the kind. This classifier knows only this video: a ridge regression from the features of a sample
/// to the share of it that the target covers, learnt in the first frame and slowly further while the target is found
/// (compare the target model of Danelljan et al., "ATOM", CVPR 2019).
package struct TargetClassifier: Sendable {
    package struct Settings: Sendable {
        /// The number of features of a sample.
        package var channels: Int
        /// The regularisation, relative to the mean of the diagonal.
        package var penalty: Double
        /// The weight of new samples against all earlier ones.
        package var rate: Float
        /// The coverage from which a sample counts as one of the target's.
        package var covered: Float
        /// The coverage that one sample must have for the others to be learnt.
        package var leastCoverage: Float
        /// What is added to the standard deviation of a feature before the division by it.
        package var leastDeviation: Float

        package init(
            channels: Int, penalty: Double = 0.1, rate: Float = 0.01, covered: Float, leastCoverage: Float = 0.3,
            leastDeviation: Float = 1e-3
        ) {
            self.channels = channels
            self.penalty = penalty
            self.rate = rate
            self.covered = covered
            self.leastCoverage = leastCoverage
            self.leastDeviation = leastDeviation
        }
    }

    /// The number of samples that are added to one row of products after another.
    private static let blockSize = 16

    private let settings: Settings
    /// The normalisation of the channels.
    private let mean: [Float]
    private let scale: [Float]
    /// The running means of the products of the features, and of their products with the coverage.
    private var products: [Float]
    private var moments: [Float]
    private var weights: [Float]

    private var channels: Int { settings.channels }
    private var size: Int { settings.channels + 1 }

    /// - Parameters:
    ///   - samples: The samples of each search window of the first frame: their features, sample by sample.
    ///   - coverage: The share of each sample that the target covers, window by window.
    package init(_ samples: [[Float]], coverage: [[Float]], settings: Settings) {
        precondition(samples.count == coverage.count)
        self.settings = settings
        let channels = settings.channels, size = channels + 1
        let count = Float(max(samples.reduce(0) { $0 + $1.count } / channels, 1))
        var sum = [Float](repeating: 0, count: channels)
        var squares = sum
        for window in samples {
            for start in stride(from: 0, to: window.count, by: channels) {
                for channel in 0..<channels {
                    let value = window[start + channel]
                    sum[channel] += value
                    squares[channel] += value * value
                }
            }
        }
        mean = sum.map { $0 / count }
        scale = zip(mean, squares).map {
            1 / (max($1 / count - $0 * $0, 0).squareRoot() + settings.leastDeviation)
        }
        products = Array(repeating: 0, count: size * size)
        moments = Array(repeating: 0, count: size)
        weights = moments
        for (window, coverage) in zip(samples, coverage) {
            add(window, coverage: coverage, part: coverage.indices, share: 1 / Float(samples.count), kept: 1)
        }
        solve()
    }

    /// Learns from samples of a frame in which the target was found.
    package mutating func learn(_ samples: [Float], coverage: [Float]) {
        for part in 0..<2 { learn(part: part, of: 2, samples, coverage: coverage) }
    }

    /// Does one part of `learn`, so that it can be spread over frames: all parts, in order, with the same
    /// arguments. The responses change with the last one.
    ///
    /// - Parameter parts: The number of parts, two or more: all but the last one add samples, the last one solves.
    mutating func learn(part: Int, of parts: Int, _ samples: [Float], coverage: [Float]) {
        guard part < parts - 1 else { return solve() }
        let count = coverage.count
        add(
            samples, coverage: coverage, part: count * part / (parts - 1)..<count * (part + 1) / (parts - 1),
            share: settings.rate, kept: part == 0 ? 1 - settings.rate : 1)
    }

    /// Returns the estimated share of a sample that the target covers.
    ///
    /// - Parameters:
    ///   - index: The index of the sample.
    ///   - samples: The features of samples, one sample after the other.
    package func response(at index: Int, of samples: [Float]) -> Float {
        var value = weights[channels]
        for channel in 0..<channels {
            let feature = samples[index * channels + channel]
            value += weights[channel] * (feature - mean[channel]) * scale[channel]
        }
        return value
    }

    /// Returns `response(at:of:)` for all samples, which takes less time and differs in the last digits.
    package func responses(to samples: [Float]) -> [Float] {
        let channels = channels
        let factors = zip(weights, scale).map { $0 * $1 }
        let constant = zip(factors, mean).reduce(weights[channels]) { $0 - $1.0 * $1.1 }
        return samples.withUnsafeBytes { samples in
            factors.withUnsafeBytes { factors in
                func load<Value>(_ values: UnsafeRawBufferPointer, _ index: Int, as type: Value.Type) -> Value {
                    values.loadUnaligned(fromByteOffset: index * MemoryLayout<Float>.stride, as: type)
                }
                return (0..<samples.count / (channels * MemoryLayout<Float>.stride)).map { sample in
                    var sums = SIMD8<Float>(repeating: 0)
                    var channel = 0
                    while channel + 8 <= channels {
                        sums +=
                            load(factors, channel, as: SIMD8<Float>.self)
                            * load(samples, sample * channels + channel, as: SIMD8<Float>.self)
                        channel += 8
                    }
                    var value = constant + sums.sum()
                    while channel < channels {
                        value +=
                            load(factors, channel, as: Float.self)
                            * load(samples, sample * channels + channel, as: Float.self)
                        channel += 1
                    }
                    return value
                }
            }
        }
    }

    /// Adds part of the samples of a frame to the running means, in which both classes weigh the same.
    private mutating func add(_ samples: [Float], coverage: [Float], part: Range<Int>, share: Float, kept: Float) {
        precondition(samples.count == coverage.count * channels)
        let covered = settings.covered
        let inside = Float(coverage.count { $0 > covered })
        let outside = Float(coverage.count) - inside
        guard (coverage.max() ?? 0) > settings.leastCoverage, samples.allSatisfy(\.isFinite) else { return }
        for index in products.indices { products[index] *= kept }
        for index in moments.indices { moments[index] *= kept }
        let rows = normalised(samples, part), size = size
        let weights = coverage.map { share * 0.5 / max($0 > covered ? inside : outside, 1) }
        products.withUnsafeMutableBufferPointer { products in
            rows.withUnsafeBufferPointer { rows in
                guard let products = products.baseAddress, let rows = rows.baseAddress else { return }
                // Blocks of samples, so that a row of products stays in the registers and the cache.
                for first in stride(from: part.lowerBound, to: part.upperBound, by: Self.blockSize) {
                    let block = first..<min(first + Self.blockSize, part.upperBound)
                    for i in 0..<size {
                        for sample in block {
                            let row = rows + (sample - part.lowerBound) * size + i
                            let factor = weights[sample] * row[0]
                            moments[i] += factor * coverage[sample]
                            addRow(row, times: factor, to: products + i * size + i, size - i)
                        }
                    }
                }
            }
        }
    }

    /// Returns the normalised features of part of the samples, each followed by 1.
    private func normalised(_ samples: [Float], _ part: Range<Int>) -> [Float] {
        let (channels, size, mean, scale) = (channels, size, mean, scale)
        return [Float](unsafeUninitializedCapacity: part.count * size) { rows, written in
            for (row, sample) in part.enumerated() {
                for channel in 0..<channels {
                    rows[row * size + channel] =
                        (samples[sample * channels + channel] - mean[channel]) * scale[channel]
                }
                rows[row * size + channels] = 1
            }
            written = part.count * size
        }
    }

    private mutating func solve() {
        let size = size
        var matrix = products.map(Double.init)
        let trace = (0..<size).reduce(0) { $0 + matrix[$1 * size + $1] }
        for index in 0..<size { matrix[index * size + index] += settings.penalty * trace / Double(size) }
        guard let solution = choleskySolution(of: matrix, moments.map(Double.init)) else { return }
        weights = solution.map(Float.init)
    }
}

/// Adds `factor` times a row of `count` numbers to another one. Eight at a time, in place of a loop whose indices are
/// checked.
private func addRow(
    _ row: UnsafePointer<Float>, times factor: Float, to sum: UnsafeMutablePointer<Float>, _ count: Int
) {
    let (source, target) = (UnsafeRawPointer(row), UnsafeMutableRawPointer(sum))
    let stride = MemoryLayout<Float>.stride
    var index = 0
    while index &+ 8 <= count {
        let value =
            target.loadUnaligned(fromByteOffset: index &* stride, as: SIMD8<Float>.self) + factor
            * source.loadUnaligned(fromByteOffset: index &* stride, as: SIMD8<Float>.self)
        target.storeBytes(of: value, toByteOffset: index &* stride, as: SIMD8<Float>.self)
        index &+= 8
    }
    while index < count {
        sum[index] += factor * row[index]
        index &+= 1
    }
}
