import VisionAlgorithms
import VisionImage

/// Tells the target from the rest of its video by the features of single positions.
///
/// The network's score says how much a place looks like the template. It was trained on other objects, and is high for
/// some backgrounds and for other objects of the kind. This classifier knows only this video: a ridge regression from
/// the features of a position to the share of it that the target covers, learnt in the first frame and slowly further
/// while the target is found (compare the target model of Danelljan et al., "ATOM", CVPR 2019).
struct TargetClassifier: Sendable {
    private static let channels = TrackerGraphs.channels
    private static let size = channels + 1
    private static let cells = TrackerGraphs.searchCells
    /// The regularisation, relative to the mean of the diagonal.
    private static let penalty = 0.1
    /// The weight of a new window against all earlier ones.
    private static let rate: Float = 0.01
    /// The coverage from which a position counts as one of the target's.
    private static let covered: Float = 0.5
    /// The coverage that one position must have to learn from a window.
    private static let leastCoverage: Float = 0.3

    /// The normalisation of the channels.
    private let mean: [Float]
    private let scale: [Float]
    /// The running means of the products of the features, and of their products with the coverage.
    private var products: [Float]
    private var moments: [Float]
    private var weights: [Float]

    /// - Parameters:
    ///   - windows: Search windows of the first frame.
    ///   - target: The target in that frame.
    init(windows: [SearchWindow], target: PixelRegion) {
        let count = Float(max(windows.count, 1) * Self.cells * Self.cells)
        var sum = [Float](repeating: 0, count: Self.channels)
        var squares = sum
        for window in windows {
            for (index, value) in window.features.enumerated() {
                sum[index % Self.channels] += value
                squares[index % Self.channels] += value * value
            }
        }
        mean = sum.map { $0 / count }
        scale = zip(mean, squares).map { 1 / (max($1 / count - $0 * $0, 0).squareRoot() + 1e-3) }
        products = Array(repeating: 0, count: Self.size * Self.size)
        moments = Array(repeating: 0, count: Self.size)
        weights = moments
        for window in windows { add(window, target: target, share: 1 / Float(windows.count), kept: 1) }
        solve()
    }

    /// Learns from a window in which the target was found.
    mutating func learn(_ window: SearchWindow, target: PixelRegion) {
        add(window, target: target, share: Self.rate, kept: 1 - Self.rate)
        solve()
    }

    /// Returns the mean, over the positions that a box covers, of the share of them that the target covers: about 1
    /// where the target is, and about 0 elsewhere.
    func presence(of box: PixelRegion, in window: SearchWindow) -> Float {
        let coverage = Self.coverage(of: box, in: window.window)
        var sum: Float = 0, total: Float = 0
        for (position, share) in coverage.enumerated() where share > 0 {
            sum += share * response(at: position, in: window)
            total += share
        }
        let presence = sum / max(total, 1e-3)
        return presence.isFinite ? presence : 0
    }

    /// Returns the presence of the target in each box of a score map.
    func presence(in window: SearchWindow) -> PresenceMap {
        PresenceMap((0..<Self.cells * Self.cells).map { response(at: $0, in: window) })
    }

    /// Returns the estimated share of a position that the target covers.
    private func response(at position: Int, in window: SearchWindow) -> Float {
        var value = weights[Self.channels]
        for channel in 0..<Self.channels {
            let feature = window.features[position * Self.channels + channel]
            value += weights[channel] * (feature - mean[channel]) * scale[channel]
        }
        return value
    }

    /// Adds a window to the running means, in which both classes weigh the same.
    private mutating func add(_ window: SearchWindow, target: PixelRegion, share: Float, kept: Float) {
        let coverage = Self.coverage(of: target, in: window.window)
        let inside = Float(coverage.count { $0 > Self.covered })
        let outside = Float(coverage.count) - inside
        guard (coverage.max() ?? 0) > Self.leastCoverage, window.features.allSatisfy(\.isFinite) else { return }
        for index in products.indices { products[index] *= kept }
        for index in moments.indices { moments[index] *= kept }
        let (channels, size, mean, scale) = (Self.channels, Self.size, mean, scale)
        var row = [Float](repeating: 1, count: size)
        products.withUnsafeMutableBufferPointer { products in
            row.withUnsafeMutableBufferPointer { row in
                for (position, value) in coverage.enumerated() {
                    for channel in 0..<channels {
                        row[channel] = (window.features[position * channels + channel] - mean[channel]) * scale[channel]
                    }
                    let weight = share * 0.5 / max(value > Self.covered ? inside : outside, 1)
                    for i in 0..<size {
                        let factor = weight * row[i]
                        for j in i..<size { products[i * size + j] += factor * row[j] }
                        moments[i] += factor * value
                    }
                }
            }
        }
    }

    private mutating func solve() {
        let size = Self.size
        var matrix = products.map(Double.init)
        let trace = (0..<size).reduce(0) { $0 + matrix[$1 * size + $1] }
        for index in 0..<size { matrix[index * size + index] += Self.penalty * trace / Double(size) }
        guard let solution = choleskySolution(of: matrix, moments.map(Double.init)) else { return }
        weights = solution.map(Float.init)
    }

    /// Returns the share of each position of a window that a box covers.
    private static func coverage(of box: PixelRegion, in window: ImagePatch) -> [Float] {
        let cell = Double(TrackerGraphs.step) / window.scale
        func shares(_ start: Double, from low: Double, to high: Double) -> [Float] {
            (0..<cells).map { index in
                let edge = start + Double(index) * cell
                return Float(max(0, min(high, edge + cell) - max(low, edge)) / cell)
            }
        }
        let across = shares(window.centre.x - window.extent.x / 2, from: box.x, to: box.x + box.width)
        let down = shares(window.centre.y - window.extent.y / 2, from: box.y, to: box.y + box.height)
        return down.flatMap { share in across.map { $0 * share } }
    }
}
