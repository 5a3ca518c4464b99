import VisionFiles
import VisionImage
import XCTest

@testable import VisionTraining

final class NearDuplicateTests: XCTestCase {
    /// Compares with a plain loop. 700 photos are several blocks of the product, and the last one is not full.
    func testPairsWithinAndAcrossBlocksAreFound() throws {
        var random = SplitMix64(seed: 5)
        let content = try XCTUnwrap(ContentDigest(bytes: [UInt8](repeating: 0, count: ContentDigest.byteCount)))
        var vectors = (0..<700).map { _ in (0..<24).map { _ in Float.random(in: -1...1, using: &random) } }
        // Copies with a little noise: within a block, in neighbouring ones, in the first and the last one.
        for (copy, original) in [(3, 2), (257, 255), (300, 290), (699, 0), (520, 300), (698, 600)] {
            vectors[copy] = vectors[original].map { $0 + Float.random(in: -0.02...0.02, using: &random) }
        }
        let photos = vectors.enumerated().map { index, features in
            (
                photo: LabelledPhoto(url: URL(fileURLWithPath: "/\(index)"), label: index % 2 == 0 ? "a" : "b"),
                features: features, content: content
            )
        }
        func length(_ vector: [Float]) -> Float { vector.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        var expected: [NearDuplicates.Pair] = []
        for first in vectors.indices {
            for second in vectors.indices.dropFirst(first + 1) where first % 2 != second % 2 {
                let product = zip(vectors[first], vectors[second]).reduce(0) { $0 + $1.0 * $1.1 }
                if product / length(vectors[first]) / length(vectors[second]) >= Advice.duplicateCosine {
                    expected.append(.init(first: first, second: second, isExact: true))
                }
            }
        }
        XCTAssertTrue(expected.contains(.init(first: 0, second: 699, isExact: true)))
        for threads in 1...2 { XCTAssertEqual(NearDuplicates.pairs(photos, threads: threads), expected) }
    }
}
