internal import Synchronization
import VisionImage
import VisionThreads

/// The centres of clusters of prints, each quantised to bytes times a scale of its own, which is what the kernels
/// multiply. The quantised centres are the centres: nothing is lost by it.
package struct PrintCentroids: Sendable, Equatable {
    /// The most clusters.
    package static let largestCount = 1 << 16

    package let elementCount: Int
    /// Row by row, one a cluster.
    package private(set) var codes: [Int8]
    package private(set) var scales: [Double]
    /// The squared length of each centre.
    private var squaredNorms: [Double]

    package var count: Int { scales.count }

    /// - Parameter rows: The centres row by row.
    init(_ rows: [Float], elementCount: Int) {
        self.elementCount = elementCount
        (codes, scales, squaredNorms) = ([], [], [])
        codes.reserveCapacity(rows.count)
        for start in stride(from: 0, to: rows.count, by: elementCount) {
            let coded = CodedPrint<Int8>(Array(rows[start..<start + elementCount]), largest: 127)
            codes += coded.codes
            scales.append(coded.scale)
            squaredNorms.append(coded.squaredNorm)
        }
    }

    /// Creates centres from what a file holds. `codes` must have `elementCount` bytes for each scale.
    package init(codes: [Int8], scales: [Double], elementCount: Int) {
        precondition(codes.count == scales.count * elementCount)
        self.elementCount = elementCount
        self.codes = codes
        self.scales = scales
        squaredNorms = scales.indices.map { row in
            let squares = codes[row * elementCount..<(row + 1) * elementCount].reduce(0) { $0 + Int($1) * Int($1) }
            return Double(squares) * scales[row] * scales[row]
        }
    }

    subscript(row: Int) -> [Float] {
        codes[row * elementCount..<(row + 1) * elementCount].map { Float(Double($0) * scales[row]) }
    }

    /// Returns the squared distance of every centre from a vector of `elementCount` elements, but for the rounding of
    /// the vector to 14 bits.
    func squaredDistances(from vector: [Float]) -> [Float] {
        let coded = CodedPrint<Int16>(vector, largest: 8191)
        var products = [Int32](repeating: 0, count: count)
        PrintKernels.products(of: codes, with: coded.codes, into: &products)
        return [Float](unsafeUninitializedCapacity: count) { distances, initialised in
            for row in 0..<count {
                let product = Double(products[row]) * scales[row] * coded.scale
                distances.initializeElement(
                    at: row, to: Float(max(0, squaredNorms[row] + coded.squaredNorm - 2 * product)))
            }
            initialised = count
        }
    }

    /// Finds the centre that is nearest to each vector; of equally near ones the first.
    ///
    /// - Parameter rows: The vectors row by row.
    /// - Returns: The nearest cluster of each vector, and the squared distance from its centre.
    func nearest(to rows: [Float], threads: Int) -> [(cluster: Int32, squaredDistance: Float)] {
        let total = rows.count / elementCount
        // Vectors that share the centres that are in the cache.
        let (group, tile) = (32, max(1, (32 << 10) / elementCount))
        let parts = (total + group - 1) / group
        var found = [(cluster: Int32, squaredDistance: Float)](repeating: (0, .infinity), count: total)
        found.withUnsafeMutableBufferPointer { found in
            // Every part writes rows of its own.
            nonisolated(unsafe) let found = found
            Workers.with(threads: threads) { workers in
                workers.parallel(parts) { part, _ in
                    let vectors = part * group..<min(total, (part + 1) * group)
                    let coded = vectors.map { row in
                        CodedPrint<Int16>(Array(rows[row * elementCount..<(row + 1) * elementCount]), largest: 8191)
                    }
                    var products = [Int32](repeating: 0, count: tile)
                    for first in stride(from: 0, to: count, by: tile) {
                        let clusters = first..<min(count, first + tile)
                        for (row, coded) in zip(vectors, coded) {
                            PrintKernels.products(of: codes, rows: clusters, with: coded.codes, into: &products)
                            for cluster in clusters {
                                let product = Double(products[cluster - first]) * scales[cluster] * coded.scale
                                let square = Float(max(0, squaredNorms[cluster] + coded.squaredNorm - 2 * product))
                                if square < found[row].squaredDistance { found[row] = (Int32(cluster), square) }
                            }
                        }
                    }
                }
            }
        }
        return found
    }
}

extension PrintCentroids {
    private static let iterations = 10

    /// Finds centres of clusters by k-means (Lloyd, 1982), starting from samples drawn at random. The result does not
    /// depend on the number of threads.
    ///
    /// - Parameters:
    ///   - samples: Prints row by row, some tens for each cluster.
    ///   - count: The number of clusters, at least 1; there are not more than samples.
    ///   - isCancelled: Asked before each iteration; the centres stay as they are then.
    package init(
        ofClusters count: Int, samples: [Float], elementCount: Int, threads: Int,
        isCancelled: () -> Bool = { false }
    ) {
        let total = samples.count / elementCount
        let count = min(count, total, Self.largestCount)
        precondition(count > 0)
        func sample(_ row: Int) -> ArraySlice<Float> { samples[row * elementCount..<(row + 1) * elementCount] }
        var random = SplitMix64(seed: 1)
        let order = Array(0..<total).shuffled(using: &random)
        self.init(order.prefix(count).flatMap(sample), elementCount: elementCount)
        for _ in 0..<Self.iterations where !isCancelled() {
            let nearest = nearest(to: samples, threads: threads)
            var members = [[Int]](repeating: [], count: count)
            for (row, found) in nearest.enumerated() { members[Int(found.cluster)].append(row) }
            // Clusters without samples start again at those that are furthest from their centres.
            var furthest: [Int] = []
            if members.contains(where: \.isEmpty) {
                furthest = nearest.indices.sorted {
                    (nearest[$0].squaredDistance, $0) < (nearest[$1].squaredDistance, $1)
                }
            }
            for cluster in members.indices where members[cluster].isEmpty {
                if let row = furthest.popLast() { members[cluster] = [row] }
            }
            var means = [Float](repeating: 0, count: count * elementCount)
            let width = elementCount
            means.withUnsafeMutableBufferPointer { means in
                // Every cluster writes its own row, and adds in the order of the samples.
                nonisolated(unsafe) let means = means
                let members = members
                Workers.with(threads: threads) { workers in
                    workers.parallel(count) { cluster, _ in
                        let scale = 1 / Float(max(1, members[cluster].count))
                        samples.withUnsafeBufferPointer { samples in
                            for row in members[cluster] {
                                for column in 0..<width {
                                    means[cluster * width + column] += samples[row * width + column] * scale
                                }
                            }
                        }
                    }
                }
            }
            self.init(means, elementCount: elementCount)
        }
    }
}
