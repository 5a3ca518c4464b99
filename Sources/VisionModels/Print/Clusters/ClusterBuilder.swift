import VisionThreads

/// Distributes prints over clusters and encodes them. Prints take 20 bytes and an eighth of a byte an element.
package struct ClusterBuilder: Sendable {
    private let search: ClusterSearch
    /// The rotated centres, row by row.
    private let rotated: [Float]
    private var ids: [Int64] = []
    private var clusters: [Int32] = []
    private var codes: [UInt8] = []
    private var offsets: [Float] = []
    private var factors: [Float] = []

    package var count: Int { ids.count }
    package var centroids: PrintCentroids { search.centroids }

    package init(_ centroids: PrintCentroids) {
        let search = ClusterSearch(centroids)
        self.search = search
        rotated = (0..<centroids.count).flatMap { search.rotation.rotated(centroids[$0]) }
    }

    /// The number of clusters for a number of prints. More would take a search a little less time, and the
    /// distribution of the prints much more.
    package static func clusterCount(forPrints count: Int) -> Int {
        let wanted = 1.5 * Double(count).squareRoot()
        var clusters = 1
        while Double(clusters) * 1.414 < wanted, clusters < PrintCentroids.largestCount { clusters *= 2 }
        return clusters
    }

    /// The samples for each cluster with which centres are found.
    package static let samplesPerCluster = 32

    /// Adds prints.
    ///
    /// - Parameters:
    ///   - rows: The prints row by row.
    ///   - ids: One for each row.
    package mutating func append(_ rows: [Float], ids: [Int64], threads: Int) {
        let (elements, total) = (search.centroids.elementCount, ids.count)
        precondition(rows.count == total * elements)
        let nearest = search.centroids.nearest(to: rows, threads: threads)
        let (rotation, rotated) = (search.rotation, rotated)
        let width = rotation.rotatedCount
        var coded = [BinaryCode?](repeating: nil, count: total)
        let part = 64
        coded.withUnsafeMutableBufferPointer { coded in
            // Every part writes slots of its own.
            nonisolated(unsafe) let coded = coded
            Workers.with(threads: threads) { workers in
                workers.parallel((total + part - 1) / part) { number, _ in
                    for row in number * part..<min(total, (number + 1) * part) {
                        let vector = rotation.rotated(rows[row * elements..<(row + 1) * elements])
                        let cluster = Int(nearest[row].cluster)
                        coded[row] = BinaryCode(vector, centroid: rotated[cluster * width..<(cluster + 1) * width])
                    }
                }
            }
        }
        for (row, code) in coded.enumerated() {
            guard let code else { continue }
            self.ids.append(ids[row])
            clusters.append(nearest[row].cluster)
            codes += code.bits
            offsets.append(code.offset)
            factors.append(code.factor)
        }
    }

    /// Calls `body` with each cluster in turn; prints keep the order in which they were added.
    package func eachCluster(_ body: (PrintCluster) throws -> Void) rethrows {
        // Sorted by counting: first where the prints of each cluster begin, then the order of the prints.
        var starts = [Int](repeating: 0, count: search.centroids.count + 1)
        for cluster in clusters { starts[Int(cluster) + 1] += 1 }
        for cluster in 1..<starts.count { starts[cluster] += starts[cluster - 1] }
        var order = [Int32](repeating: 0, count: count)
        var next = starts
        for (row, cluster) in clusters.enumerated() {
            order[next[Int(cluster)]] = Int32(row)
            next[Int(cluster)] += 1
        }
        let codeBytes = search.rotation.rotatedCount / 8
        for cluster in 0..<search.centroids.count {
            let rows = order[starts[cluster]..<starts[cluster + 1]].map { Int($0) }
            try body(
                PrintCluster(
                    ids: rows.map { ids[$0] },
                    codes: rows.flatMap { codes[$0 * codeBytes..<($0 + 1) * codeBytes] }, codeBytes: codeBytes,
                    offsets: rows.map { offsets[$0] }, factors: rows.map { factors[$0] }))
        }
    }
}
