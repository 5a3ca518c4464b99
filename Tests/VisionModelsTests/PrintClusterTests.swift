import ModelTestSupport
import VisionImage
import XCTest

@testable import VisionModels

/// The approximate search finds what a comparison of all prints finds, nearly always, and its file is checked.
final class PrintClusterTests: XCTestCase {
    private static let elements = 96

    /// Prints about some tens of centres.
    private func prints(_ count: Int, seed: UInt64 = 1) -> [[Float]] {
        var random = SplitMix64(seed: 5)
        func number() -> Float { Float(random.unit()) * 2 - 1 }
        let centers = (0..<40).map { _ in (0..<Self.elements).map { _ in number() } }
        random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let center = centers[Int(random.next() % 40)]
            let vector = center.map { $0 + 0.6 * number() }
            let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return vector.map { $0 / length }
        }
    }

    private func builder(_ prints: [[Float]], clusters: Int, threads: Int = 1) -> ClusterBuilder {
        let rows = prints.flatMap { $0 }
        var builder = ClusterBuilder(
            PrintCentroids(ofClusters: clusters, samples: rows, elementCount: Self.elements, threads: threads))
        builder.append(rows, ids: prints.indices.map { Int64($0) + 10 }, threads: threads)
        return builder
    }

    private func file(_ builder: ClusterBuilder, _ path: String) throws -> ClusterFile {
        try ClusterFile.write(
            builder,
            .init(
                revision: 2, elementCount: Self.elements, printCount: builder.count,
                lastID: Int64(builder.count) + 9, witnesses: [.init(id: 10, checksum: -5)]), to: path)
        return try ClusterFile(path: path)
    }

    private func exact(_ prints: [[Float]], _ query: [Float], _ limit: Int) throws -> [Int64] {
        let query = try PrintVector(revision: 2, elements: query)
        let distances = try prints.map { try query.distance(to: PrintVector(revision: 2, elements: $0)) }
        let order = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
        return order.prefix(limit).map { Int64($0) + 10 }
    }

    func testTheNearestPrintsAreAmongTheCandidates() throws {
        let (all, scratch) = (prints(4000), try Scratch())
        let file = try file(builder(all, clusters: 32), scratch.path("a.clusters"))
        XCTAssertEqual(file.clusterCount, 32)
        XCTAssertEqual(file.header.witnesses, [.init(id: 10, checksum: -5)])
        var found = 0
        for query in prints(50, seed: 2) {
            let vector = try PrintVector(revision: 2, elements: query)
            let candidates = Set(try file.candidates(near: vector, .init(clusters: 8, candidates: 100)))
            XCTAssertEqual(candidates.count, 100)
            found += try exact(all, query, 10).filter(candidates.contains).count
        }
        XCTAssertGreaterThan(found, 480)
    }

    func testEveryPrintIsInExactlyOneClusterAndFoundByItself() throws {
        let (all, scratch) = (prints(700), try Scratch())
        let file = try file(builder(all, clusters: 16), scratch.path("a.clusters"))
        let query = try PrintVector(revision: 2, elements: all[0])
        let candidates = try file.candidates(near: query, .init(clusters: 16, candidates: 5000))
        XCTAssertEqual(candidates.sorted(), all.indices.map { Int64($0) + 10 })
        for row in [0, 31, 32, 33, 699] {
            let query = try PrintVector(revision: 2, elements: all[row])
            XCTAssertEqual(try file.candidates(near: query, .init(clusters: 1, candidates: 1)), [Int64(row) + 10])
        }
    }

    func testEstimatesAreCloseToTheDistances() throws {
        let all = prints(600)
        let rows = all.flatMap { $0 }
        let centroids = PrintCentroids(ofClusters: 4, samples: rows, elementCount: Self.elements, threads: 1)
        let search = ClusterSearch(centroids)
        let query = prints(1, seed: 3)[0]
        let rotated = search.rotation.rotated(query)
        let tables = QueryTables(rotated)
        let nearest = centroids.nearest(to: rows, threads: 1)
        let squares = centroids.squaredDistances(from: query)
        var (bias, spread) = (0.0, 0.0)
        for (row, print) in all.enumerated() {
            let cluster = Int(nearest[row].cluster)
            let code = BinaryCode(
                search.rotation.rotated(print), centroid: search.rotation.rotated(centroids[cluster])[...])
            let single = PrintCluster(
                ids: [1], codes: code.bits, codeBytes: code.bits.count, offsets: [code.offset], factors: [code.factor])
            var estimates = [Float](repeating: 0, count: 32)
            PrintKernels.estimates(of: single, tables, into: &estimates)
            XCTAssertEqual(estimates[1], .infinity)
            let exact = zip(query, print).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
            let error = Double(squares[cluster] + estimates[0] - exact)
            bias += error / Double(all.count)
            spread += error * error / Double(all.count)
        }
        // The products of unit vectors of 128 elements with random signs have a spread of 1/√128.
        XCTAssertLessThan(abs(bias), 0.02)
        XCTAssertLessThan(spread.squareRoot(), 0.15)
        XCTAssertGreaterThan(spread, 0)
    }

    func testTheRotationKeepsLengthsAndProducts() {
        let rotation = PrintRotation(elementCount: Self.elements)
        XCTAssertEqual(rotation.rotatedCount, 128)
        let (a, b) = (prints(1)[0], prints(1, seed: 9)[0])
        func product(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
        XCTAssertEqual(product(rotation.rotated(a), rotation.rotated(a)), 1, accuracy: 1e-5)
        XCTAssertEqual(product(rotation.rotated(a), rotation.rotated(b)), product(a, b), accuracy: 1e-5)
        // One element spreads over all.
        let one = rotation.rotated([1] + [Float](repeating: 0, count: Self.elements - 1))
        XCTAssertLessThan(one.map(abs).max() ?? 1, 0.5)
    }

    func testTheNumberOfThreadsChangesNothing() throws {
        let (all, scratch) = (prints(1500), try Scratch())
        _ = try file(builder(all, clusters: 16, threads: 1), scratch.path("one"))
        _ = try file(builder(all, clusters: 16, threads: 2), scratch.path("two"))
        XCTAssertEqual(
            try Data(contentsOf: URL(fileURLWithPath: scratch.path("one"))),
            try Data(contentsOf: URL(fileURLWithPath: scratch.path("two"))))
    }

    func testAlikePrintsAndFewerPrintsThanClusters() throws {
        let scratch = try Scratch()
        let same = [[Float]](repeating: prints(1)[0], count: 40)
        let file = try file(builder(same, clusters: 8), scratch.path("same"))
        let query = try PrintVector(revision: 2, elements: same[0])
        XCTAssertEqual(try file.candidates(near: query, .init(clusters: 8, candidates: 100)).count, 40)
        let few = try self.file(builder(prints(3), clusters: 64), scratch.path("few"))
        XCTAssertEqual(few.clusterCount, 3)
        XCTAssertEqual(try few.candidates(near: query, .init(clusters: 64, candidates: 100)).count, 3)
        let other = try PrintVector(revision: 3, elements: same[0])
        XCTAssertThrowsError(try few.candidates(near: other, .init(clusters: 1, candidates: 1)))
    }

    // MARK: - Damaged files

    private func search(_ path: String) throws {
        let file = try ClusterFile(path: path)
        let query = try PrintVector(revision: 2, elements: prints(1)[0])
        _ = try file.candidates(near: query, .init(clusters: file.clusterCount, candidates: 10))
    }

    func testEveryTruncationIsAnError() throws {
        let scratch = try Scratch()
        let path = scratch.path("a")
        _ = try file(builder(prints(60), clusters: 2), path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try search(path)
        for length in Array(stride(from: 0, to: bytes.count, by: 7)) + [bytes.count - 1] {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
            XCTAssertThrowsError(try search(path)) { XCTAssertTrue($0 is ClusterFileError, "\(length): \($0)") }
        }
        try (bytes + [0]).write(to: URL(fileURLWithPath: path))
        XCTAssertThrowsError(try search(path)) { XCTAssertEqual(($0 as? ClusterFileError)?.kind, .damaged) }
    }

    func testEveryChangedBitIsAnError() throws {
        let scratch = try Scratch()
        let path = scratch.path("a")
        _ = try file(builder(prints(60), clusters: 2), path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SplitMix64(seed: 1)
        for position in Array(0..<72) + (0..<300).map({ _ in Int(random.next() % UInt64(bytes.count)) }) {
            var changed = bytes
            changed[position] ^= 1 << UInt8(random.next() % 8)
            try changed.write(to: URL(fileURLWithPath: path))
            XCTAssertThrowsError(try search(path), "byte \(position)") {
                XCTAssertTrue($0 is ClusterFileError, "\(position): \($0)")
            }
        }
    }

    func testOtherFilesAreErrors() throws {
        let scratch = try Scratch()
        func kind(_ path: String) -> ClusterFileError.Kind? {
            do {
                _ = try ClusterFile(path: path)
                return nil
            } catch {
                return error.kind
            }
        }
        XCTAssertEqual(kind(scratch.path("none")), .missing)
        XCTAssertEqual(kind(scratch.path("")), .io)
        try Data("SQLite format 3, and no index of prints at all. 3".utf8)
            .write(to: URL(fileURLWithPath: scratch.path("other")))
        XCTAssertEqual(kind(scratch.path("other")), .foreign)
        XCTAssertEqual(mkfifo(scratch.path("pipe"), 0o600), 0)
        XCTAssertEqual(kind(scratch.path("pipe")), .io)
    }
}
