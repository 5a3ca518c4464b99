/// An approximate search among prints that lie in clusters (an inverted file with binary codes).
///
/// A query visits the clusters whose centres are nearest, and estimates the distance of each of their prints from a
/// bit an element. The caller compares the prints of the smallest estimates themselves.
package struct ClusterSearch: Sendable {
    /// How many clusters and prints a search reads: more find more of the nearest prints, and take longer.
    package struct Effort: Sendable, Equatable {
        /// The clusters visited.
        package var clusters: Int
        /// The prints that are compared themselves.
        package var candidates: Int

        package init(clusters: Int, candidates: Int) {
            self.clusters = clusters
            self.candidates = candidates
        }
    }

    package let centroids: PrintCentroids
    let rotation: PrintRotation

    package init(_ centroids: PrintCentroids) {
        self.centroids = centroids
        rotation = PrintRotation(elementCount: centroids.elementCount)
    }

    /// Returns the prints that are probably nearest to a query, the most probable first. Depends on nothing but the
    /// contents.
    ///
    /// - Parameters:
    ///   - query: As many elements as the prints have.
    ///   - effort: Clusters and prints, each at least 1.
    ///   - cluster: Returns the prints of a cluster.
    /// - Throws: What `cluster` throws.
    package func candidates(
        near query: [Float], _ effort: Effort, cluster: (Int) throws -> PrintCluster
    ) rethrows -> [Int64] {
        precondition(query.count == centroids.elementCount && effort.clusters > 0 && effort.candidates > 0)
        let squares = centroids.squaredDistances(from: query)
        var nearest = PrintCandidates(limit: min(effort.clusters, squares.count))
        for (row, square) in squares.enumerated() where square <= nearest.reach {
            nearest.add(Int64(row), estimate: square)
        }
        let tables = QueryTables(rotation.rotated(query))
        var candidates = PrintCandidates(limit: effort.candidates)
        var estimates: [Float] = []
        for near in nearest.sorted {
            let cluster = try cluster(Int(near.id))
            let slots = cluster.offsets.count
            if estimates.count < slots { estimates = [Float](repeating: 0, count: slots) }
            PrintKernels.estimates(of: cluster, tables, into: &estimates)
            Self.take(estimates, of: cluster, plus: near.estimate, into: &candidates)
        }
        return candidates.sorted.map(\.id)
    }

    private static func take(
        _ estimates: [Float], of cluster: PrintCluster, plus square: Float, into candidates: inout PrintCandidates
    ) {
        var limit = candidates.reach - square
        estimates.withUnsafeBufferPointer { estimates in
            cluster.ids.withUnsafeBufferPointer { ids in
                var index = 0
                // Nearly all prints are too far away: eight are ruled out at a time.
                while index + 8 <= ids.count {
                    let eight = UnsafeRawPointer(estimates.baseAddress.unsafelyUnwrapped + index)
                        .loadUnaligned(as: SIMD8<Float>.self)
                    if any(eight .<= limit) {
                        for part in 0..<8 where eight[part] <= limit {
                            candidates.add(ids[index + part], estimate: square + eight[part])
                            limit = candidates.reach - square
                        }
                    }
                    index += 8
                }
                while index < ids.count {
                    if estimates[index] <= limit {
                        candidates.add(ids[index], estimate: square + estimates[index])
                        limit = candidates.reach - square
                    }
                    index += 1
                }
            }
        }
    }
}
