import XCTest

@testable import VisionInference

final class WeightCacheTests: XCTestCase {
    private enum Scale { case none, fixed, bySize }

    /// Three convolutions of images of any size; with a scale a product with channels' numbers, or with the image's
    /// sides, is folded into the weights of each.
    private func session(_ scale: Scale) throws -> Session {
        var graph = Graph()
        let input = graph.addInput("x", .float32, [1, nil, nil, 4])
        var value = input
        for layer in 0..<3 {
            let values: [Float] = (0..<144).map { Float(($0 + layer) % 7) / 16 }
            let weights = try Tensor(values, shape: [4, 3, 3, 4])
            value = graph.add(
                Convolution(
                    geometry: WindowGeometry(kernelHeight: 3, kernelWidth: 3, padding: .sameUpper), order: .ohwi),
                [value, graph.addValue("w\(layer)", constant: weights)], name: "c\(layer)")
            guard scale != .none else { continue }
            let factors =
                scale == .fixed
                ? graph.addValue("s\(layer)", constant: try Tensor([1, 2, 3, 4] as [Float]))
                : graph.add(
                    Cast(to: .float32), [graph.add(ShapeOf(), [input], name: "h\(layer)")], name: "f\(layer)")
            value = graph.add(BinaryOperation(kind: .mul), [value, factors], name: "m\(layer)")
        }
        graph.addOutput(value, name: "y", .float32)
        return try Session(graph: graph, options: .init(threads: 1))
    }

    /// One convolution whose input has this shape, with given weights.
    private func convolution(_ shape: [Int?], weights: Tensor) throws -> Graph {
        var graph = Graph()
        let input = graph.addInput("x", .float32, shape)
        let value = graph.add(
            Convolution(
                geometry: WindowGeometry(kernelHeight: 3, kernelWidth: 3, padding: .sameUpper), order: .ohwi),
            [input, graph.addValue("w", constant: weights)], name: "c")
        graph.addOutput(value, name: "y", .float32)
        return graph
    }

    private func run(_ session: Session, size: Int) throws -> [Float] {
        let values: [Float] = (0..<size * size * 4).map { Float($0 % 5) }
        let picture = try Tensor(values, shape: [1, size, size, 4])
        return try XCTUnwrap(session.run(["x": picture])["y"]?.floats)
    }

    func testManySizesKeepTheWeightsOfTheLastFewOnly() throws {
        let session = try session(.bySize)
        let first = try run(session, size: 4)
        for size in 5..<100 { _ = try run(session, size: size) }
        let counts = session.preparation.weights.counts
        XCTAssertEqual(counts.live, 3 * Session.preparedLimit)
        XCTAssertLessThanOrEqual(counts.entries, 64)
        XCTAssertEqual(try run(session, size: 4), first)
    }

    /// A larger size gets a new arena, a smaller one finds what others have left in it.
    func testSizesThatShareAnArenaGiveTheSameResults() throws {
        let weights = try Tensor((0..<2 * 36).map { Float($0 % 7) - 3 }, shape: [2, 3, 3, 4])
        let graph = try convolution([1, nil, nil, 4], weights: weights)
        let (own, shared) = (
            try Session(graph: graph), try Session(graph: graph, options: .init(threads: 1, sharesArenas: true))
        )
        for size in [6, 30, 5, 30, 17, 4] { XCTAssertEqual(try run(shared, size: size), try run(own, size: size)) }
    }

    func testWeightsThatNoSizeChangesArePackedOnce() throws {
        let session = try session(.none)
        for size in 4..<40 { _ = try run(session, size: size) }
        XCTAssertEqual(session.preparation.weights.counts.live, 3)
    }

    /// Folding makes new weights for each size, with the same numbers.
    func testFoldedWeightsThatAreTheSameForAllSizesAreKeptOnce() throws {
        let session = try session(.fixed)
        for size in 4..<40 { _ = try run(session, size: size) }
        XCTAssertEqual(session.preparation.weights.counts.live, 3)
        let constants = session.preparation.constants.counts
        XCTAssertLessThan(constants.live, 16)
        XCTAssertLessThan(constants.entries, 256)
    }

    func testOnlyEqualConstantsAreShared() throws {
        let cache = ConstantCache()
        var values = [Float](repeating: 1, count: 1000)
        let first = cache.shared(try Tensor(values, shape: [10, 100]))
        XCTAssertTrue(cache.shared(try Tensor(values, shape: [10, 100])).storage === first.storage)
        XCTAssertFalse(cache.shared(try Tensor(values, shape: [100, 10])).storage === first.storage)
        // In a byte that is not part of the hash, and the last one.
        for index in [1, 999] {
            values[index] = 2
            let other = cache.shared(try Tensor(values, shape: [10, 100]))
            XCTAssertEqual(other.floats, values)
            values[index] = 1
        }
        XCTAssertEqual(first.floats, values)
        XCTAssertEqual(cache.counts.live, 1)
    }

    func testSessionsOfTheSameConstantsCanShareWhatIsPackedOfThem() throws {
        let weights = try Tensor((0..<144).map { Float($0 % 7) / 16 }, shape: [4, 3, 3, 4])
        let fixed = try Session(graph: try convolution([1, 6, 6, 4], weights: weights))
        let open = try Session(graph: try convolution([1, nil, nil, 4], weights: weights), sharingWeightsOf: fixed)
        let alone = try Session(graph: try convolution([1, nil, nil, 4], weights: weights))
        XCTAssertEqual(try run(open, size: 6), try run(fixed, size: 6))
        XCTAssertEqual(try run(open, size: 9), try run(alone, size: 9))
        XCTAssertTrue(open.preparation.weights === fixed.preparation.weights)
        XCTAssertFalse(alone.preparation.weights === fixed.preparation.weights)
        XCTAssertEqual(fixed.preparation.weights.counts.live, 1)
    }
}
