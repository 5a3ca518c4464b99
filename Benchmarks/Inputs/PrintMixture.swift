import Foundation
import VisionImage
import VisionThreads

/// Any number of prints that lie as those of photos do, for indexes larger than the photos at hand: each is a print of
/// a photo, moved by up to the distance of that photo's nearest neighbour, mostly along the directions to its
/// neighbours, and along differences of random pairs of photos.
///
/// So the prints follow the local and the overall covariance of the real ones, and are as far from those as photos that
/// were left out would be.
struct PrintMixture: Sendable {
    /// Neighbours whose directions a print is moved along, and random pairs.
    private static let (neighbourCount, pairCount) = (24, 4)
    /// The length of the move along random pairs, relative to that along neighbours.
    private static let pairShare: Float = 0.5
    /// The shortest move, relative to the distance of the nearest neighbour, which is the longest.
    private static let shortestMove: Float = 0.3

    let elementCount: Int
    private let prints: [[Float]]
    private let neighbours: [[Int]]
    private let zeros: [Float]
    private let seed: UInt64

    /// - Parameter prints: At least two, all of the same number of elements.
    init(around prints: [[Float]], seed: UInt64, threads: Int) {
        precondition(prints.count > 1)
        self.prints = prints
        self.seed = seed
        elementCount = prints[0].count
        zeros = [Float](repeating: 0, count: elementCount)
        var neighbours = [[Int]](repeating: [], count: prints.count)
        neighbours.withUnsafeMutableBufferPointer { neighbours in
            nonisolated(unsafe) let neighbours = neighbours
            Workers.with(threads: threads) { workers in
                workers.parallel(prints.count) { row, _ in
                    let distances = prints.map { other in Self.squaredDistance(prints[row], other) }
                    let order = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
                    neighbours[row] = order.filter { $0 != row }.prefix(Self.neighbourCount).map { $0 }
                }
            }
        }
        self.neighbours = neighbours
    }

    /// Returns the print of a number, of length 1; the same one every time.
    func print(_ number: Int) -> [Float] {
        var random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x2545_F491_4F6C_DD1D)
        func any() -> Int { Int(random.next() % UInt64(prints.count)) }
        let center = any()
        let reach = Self.squaredDistance(prints[center], prints[neighbours[center][0]]).squareRoot()
        var (near, weights): ([Float], Float) = (zeros, 0)
        for neighbour in neighbours[center] {
            let weight = Float(random.normal())
            weights += weight
            Self.add(prints[neighbour], times: weight, to: &near)
        }
        Self.add(prints[center], times: -weights, to: &near)
        var far = zeros
        for _ in 0..<Self.pairCount {
            let weight = Float(random.normal())
            Self.add(prints[any()], times: weight, to: &far)
            Self.add(prints[any()], times: -weight, to: &far)
        }
        var move = unit(near)
        Self.add(unit(far), times: Self.pairShare, to: &move)
        let share = Self.shortestMove + (1 - Self.shortestMove) * Float(random.unit())
        var vector = prints[center]
        Self.add(unit(move), times: share * reach, to: &vector)
        return unit(vector)
    }

    /// Returns the vector at length 1; one without a direction stays.
    private func unit(_ vector: [Float]) -> [Float] {
        let length = Self.squaredDistance(vector, zeros).squareRoot()
        return length > 1e-6 ? vector.map { $0 / length } : vector
    }

    private static func add(_ other: [Float], times weight: Float, to vector: inout [Float]) {
        vector.withUnsafeMutableBufferPointer { vector in
            other.withUnsafeBufferPointer { other in
                for index in vector.indices { vector[index] += weight * other[index] }
            }
        }
    }

    private static func squaredDistance(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
}
