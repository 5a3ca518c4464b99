import Foundation
import VisionImage
import XCTest

@testable import VisionModels

final class PrintIndexTests: XCTestCase {
    /// Prints in clusters, as photos have them: some near each other, most not.
    private func prints(_ count: Int, elements: Int, clusters: Int = 20, seed: UInt64 = 1) throws -> [PrintVector] {
        var random = SplitMix64(seed: seed)
        let centres = (0..<clusters).map { _ in (0..<elements).map { _ in random.normal() } }
        return try (0..<count).map { _ in
            let centre = centres[Int(random.next() % UInt64(clusters))]
            let spread = Float(random.next() % 100) / 100
            let vector = centre.map { $0 + spread * random.normal() }
            let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return try PrintVector(revision: 1, elements: vector.map { $0 / length })
        }
    }

    private func index(_ prints: [PrintVector]) throws -> PrintIndex {
        var index = PrintIndex(like: prints[0])
        for print in prints { try index.append(print) }
        return index
    }

    private func expected(
        _ limit: Int, to query: PrintVector, in prints: [PrintVector], within: Float = .infinity
    ) throws -> [PrintIndex.Match] {
        let all = try prints.enumerated().map { PrintIndex.Match(slot: $0, distance: try $1.distance(to: query)) }
        let ranked = all.sorted { ($0.distance, $0.slot) < ($1.distance, $1.slot) }
        return Array(ranked.filter { $0.distance <= within }.prefix(limit))
    }

    func testTheNearestAreThoseOfComparingAll() throws {
        for (count, elements) in [(1, 1), (5, 3), (300, 33), (2600, 64), (1024, 512)] {
            let prints = try prints(count, elements: elements)
            let index = try index(prints)
            for limit in [1, 7, 100, count, count + 1] {
                for query in [prints[0], prints[count / 2]] + (try self.prints(2, elements: elements, seed: 9)) {
                    XCTAssertEqual(
                        try index.nearest(limit, to: query, threads: 2), try expected(limit, to: query, in: prints),
                        "\(limit) of \(count) × \(elements)")
                }
            }
        }
    }

    func testPrintsOfAnyLengthAreFoundExactly() throws {
        var random = SplitMix64(seed: 5)
        let prints = try (0..<500).map { index in
            let scale = pow(10, Float(index % 13) - 7)
            return try PrintVector(revision: 1, elements: (0..<40).map { _ in random.normal() * scale })
        }
        let zero = try PrintVector(revision: 1, elements: [Float](repeating: 0, count: 40))
        let index = try index(prints + [zero])
        for query in prints.prefix(26) + [zero] {
            XCTAssertEqual(try index.nearest(20, to: query), try expected(20, to: query, in: prints + [zero]))
        }
    }

    func testEquallyDistantPrintsComeInTheOrderOfInsertion() throws {
        let prints = try prints(3, elements: 16)
        var index = try index((0..<3000).map { prints[$0 % 3] })
        let found = try index.nearest(1500, to: prints[1], threads: 3)
        XCTAssertEqual(found.prefix(1000).map(\.slot), (0..<1000).map { 3 * $0 + 1 })
        XCTAssertEqual(found.map(\.distance), found.map(\.distance).sorted())
        // The last print moves to slot 1, but is still the youngest.
        index.remove(at: 1)
        let after = try index.nearest(1000, to: prints[1]).map(\.slot)
        XCTAssertEqual(after.first, 4)
        XCTAssertFalse(after.contains(1))
    }

    func testTheNumberOfThreadsDoesNotMatter() throws {
        let prints = try prints(5000, elements: 48)
        let index = try index(prints)
        let one = try index.nearest(50, to: prints[77], threads: 1)
        for threads in [2, 5] { XCTAssertEqual(try index.nearest(50, to: prints[77], threads: threads), one) }
    }

    func testOnlyPrintsWithinADistanceAreFound() throws {
        let prints = try prints(1500, elements: 32)
        let index = try index(prints)
        for within: Float in [0, 0.3, 1, 2] {
            XCTAssertEqual(
                try index.nearest(2000, to: prints[3], within: within),
                try expected(2000, to: prints[3], in: prints, within: within))
        }
        XCTAssertEqual(try index.nearest(5, to: prints[3], within: -1), [])
        XCTAssertEqual(try index.nearest(5, to: prints[3], within: .nan), [])
        XCTAssertEqual(try index.nearest(0, to: prints[3]), [])
    }

    func testRemovedPrintsAreGoneAndTheOthersStay() throws {
        let all = try prints(2100, elements: 24)
        var index = try index(all)
        let copy = index
        var left = Array(all.indices)
        var random = SplitMix64(seed: 3)
        while left.count > 1 {
            let slot = Int(random.next() % UInt64(left.count))
            index.remove(at: slot)
            left[slot] = left[left.count - 1]
            left.removeLast()
            guard left.count.isMultiple(of: 300) else { continue }
            XCTAssertEqual(index.count, left.count)
            XCTAssertEqual(index.elements(at: left.count / 2), all[left[left.count / 2]].elements)
            XCTAssertEqual(index.slotsByAge.map { left[$0] }, left.sorted())
            let found = try index.nearest(10, to: all[0], threads: 2).map { left[$0.slot] }
            let wanted = try expected(2100, to: all[0], in: all).map(\.slot).filter(Set(left).contains)
            XCTAssertEqual(found, Array(wanted.prefix(10)))
        }
        index.remove(at: 0)
        XCTAssertEqual(index.count, 0)
        XCTAssertEqual(try index.nearest(3, to: all[0]), [])
        try index.append(all[5])
        XCTAssertEqual(try index.nearest(3, to: all[5]), [.init(slot: 0, distance: 0)])
        XCTAssertEqual(copy.count, all.count)
        XCTAssertEqual(try copy.nearest(9, to: all[8]), try expected(9, to: all[8], in: all))
    }

    func testPrintsOfAnotherKindAreRefused() throws {
        let prints = try prints(2, elements: 8)
        var index = try index(prints)
        for other in try [
            PrintVector(revision: 2, elements: prints[0].elements), PrintVector(revision: 1, elements: [1, 2]),
        ] {
            XCTAssertThrowsError(try index.append(other))
            XCTAssertThrowsError(try index.nearest(1, to: other))
        }
        XCTAssertEqual(index.count, 2)
    }
}

extension SplitMix64 {
    /// The sum of a few uniform ones.
    fileprivate mutating func normal() -> Float {
        (0..<6).reduce(0) { sum, _ in sum + Float(next() >> 40) / Float(1 << 24) - 0.5 }
    }
}
