package import VisionModels

/// Groups faces by person: hierarchical clustering by the mean distance between the faces of two groups, along chains
/// of nearest neighbours (Murtagh, 1983). The same faces always give the same groups.
package struct FaceGroups {
    /// Groups of indices: the largest group first, of equal ones that with the first face. Faces that are near no other
    /// are groups of one.
    package let groups: [[Int]]

    /// The most faces whose distances from one another are in memory at once (256 MB).
    package static let largestPart = 8_000
    /// Between two faces of one photo: they are two people, however near, and so are the groups that they are in.
    private static let apart = Float.infinity

    /// - Parameters:
    ///   - prints: Of faces, of one length.
    ///   - photos: What photo each face is of.
    ///   - distance: The mean distance up to which groups are joined.
    ///   - largestPart: The most faces whose distances are in memory at once.
    /// - Throws: `PrintError` for prints of different lengths.
    /// - Complexity: Quadratic in the number of faces.
    package init(
        _ prints: [PrintVector], photos: [Int], distance: Float, largestPart: Int = FaceGroups.largestPart
    ) throws {
        precondition(prints.count == photos.count)
        let parts = try Self.parts(Array(prints.indices), prints, distance, largestPart)
        groups = try parts.flatMap { part in
            try Self.groups(part.map { prints[$0] }, part.map { photos[$0] }, distance).map { $0.map { part[$0] } }
        }.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
    }

    /// Faces that are connected by steps up to the distance: no others can come into one group. Parts that are too
    /// large are divided by shorter steps, which may divide a person.
    private static func parts(
        _ faces: [Int], _ prints: [PrintVector], _ distance: Float, _ largestPart: Int
    ) throws -> [[Int]] {
        var (parts, left) = ([[Int]](), faces[...])
        while let first = left.popFirst() {
            var (part, next) = ([first], 0)
            while next < part.count {
                let face = part[next]
                next += 1
                var others: ArraySlice<Int> = []
                for other in left {
                    if try prints[face].distance(to: prints[other]) <= distance {
                        part.append(other)
                    } else {
                        others.append(other)
                    }
                }
                left = others
            }
            parts.append(part.sorted())
        }
        return try parts.flatMap { part -> [[Int]] in
            guard part.count > largestPart else { return [part] }
            // Copies of one face cannot be divided by their distances.
            guard distance > 1e-3 else {
                return stride(from: 0, to: part.count, by: largestPart).map {
                    Array(part[$0..<min($0 + largestPart, part.count)])
                }
            }
            return try Self.parts(part, prints, distance * 0.9, largestPart)
        }
    }

    private static func groups(_ prints: [PrintVector], _ photos: [Int], _ limit: Float) throws -> [[Int]] {
        let count = prints.count
        var distances = [Float](repeating: 0, count: count * count)
        for first in 0..<count {
            for second in 0..<first {
                let distance =
                    photos[first] == photos[second] ? apart : try prints[first].distance(to: prints[second])
                distances[first * count + second] = distance
                distances[second * count + first] = distance
            }
        }
        var members: [[Int]?] = (0..<count).map { [$0] }
        var chain: [Int] = []
        // A group whose nearest one is too far away is finished: joins of others only move away from it.
        var open = Set(0..<count)
        while let start = chain.last ?? open.min() {
            if chain.isEmpty { chain = [start] }
            let nearest = members.indices.filter { $0 != start && members[$0] != nil }.min { a, b in
                let (one, other) = (distances[start * count + a], distances[start * count + b])
                // Of equally near ones the one before in the chain, so that the chain ends.
                return (one, a == chain.dropLast().last ? 0 : 1, a) < (other, b == chain.dropLast().last ? 0 : 1, b)
            }
            guard let nearest, distances[start * count + nearest] <= limit else {
                open.remove(start)
                chain.removeLast()
                continue
            }
            guard nearest == chain.dropLast().last, let one = members[start], let other = members[nearest] else {
                chain.append(nearest)
                continue
            }
            chain.removeLast(2)
            let (kept, gone) = (min(start, nearest), max(start, nearest))
            let (a, b) = (Float(one.count), Float(other.count))
            for group in members.indices where members[group] != nil && group != start && group != nearest {
                let mean =
                    (a * distances[start * count + group] + b * distances[nearest * count + group]) / (a + b)
                distances[kept * count + group] = mean
                distances[group * count + kept] = mean
            }
            members[kept] = (one + other).sorted()
            members[gone] = nil
            open.remove(gone)
            open.insert(kept)
        }
        return members.compactMap { $0 }
    }
}
