import Foundation
import XCTest

@testable import VisionModels

final class PrintVectorTests: XCTestCase {
    private func print(_ elements: [Float], revision: Int = 1) throws -> PrintVector {
        try PrintVector(revision: revision, elements: elements)
    }

    func testTheDistanceIsEuclidean() throws {
        XCTAssertEqual(try print([0, 0]).distance(to: print([3, 4])), 5)
        let a = (0..<512).map { Float(sin(Double($0))) }
        let b = (0..<512).map { Float(cos(Double(3 * $0))) }
        let exact = zip(a, b).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }.squareRoot()
        XCTAssertEqual(Double(try print(a).distance(to: print(b))), exact, accuracy: 1e-5 * exact)
    }

    func testTheDistanceIsZeroForEqualPrintsAndTheSameBothWays() throws {
        for count in [1, 2, 31, 33, 100, 512, 2048] {
            let a = try print((0..<count).map { Float(sin(Double(7 * $0 + count))) })
            let b = try print((0..<count).map { Float(cos(Double(5 * $0))) })
            XCTAssertEqual(try a.distance(to: a), 0)
            XCTAssertEqual(try a.distance(to: b), try b.distance(to: a))
            XCTAssertGreaterThan(try a.distance(to: b), 0)
        }
    }

    func testTheDistanceIsANumberAtTheExtremes() throws {
        let most = PrintVector.largestElement
        let a = try print([Float](repeating: most, count: PrintVector.largestCount))
        let b = try print([Float](repeating: -most, count: PrintVector.largestCount))
        XCTAssertEqual(try a.distance(to: b), 2e6 * Float(2048).squareRoot(), accuracy: 100)
        let tiny = try print([.leastNonzeroMagnitude, -.leastNormalMagnitude])
        XCTAssertEqual(try tiny.distance(to: print([0, 0])), 0, accuracy: 1e-37)
    }

    func testPrintsOfOtherKindsHaveNoDistance() throws {
        for other in try [print([1, 2], revision: 2), print([1, 2, 3])] {
            XCTAssertThrowsError(try print([1, 2]).distance(to: other)) { error in
                guard case PrintError.differentKinds? = error as? PrintError else { return XCTFail("\(error)") }
            }
        }
    }

    func testWhatIsNoPrintIsRefused() {
        let wrong: [[Float]] = [
            [], [.nan], [0, .infinity], [-.infinity], [1.1e6], [Float](repeating: 0, count: 2049),
        ]
        for elements in wrong {
            XCTAssertThrowsError(try print(elements))
            let data = Data(
                elements.flatMap { element in withUnsafeBytes(of: element.bitPattern.littleEndian, Array.init) })
            XCTAssertThrowsError(try PrintVector(revision: 1, data: data))
        }
        for count in [1, 3, 5, 2047 * 4 + 2] {
            XCTAssertThrowsError(try PrintVector(revision: 1, data: Data(count: count)))
        }
    }

    func testDataAreTheElementsLeastSignificantByteFirst() throws {
        let vector = try print([1, -0.5])
        XCTAssertEqual(Array(vector.data), [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF])
        XCTAssertEqual(try PrintVector(revision: 1, data: vector.data), vector)
        // A slice does not begin at index 0.
        XCTAssertEqual(try PrintVector(revision: 1, data: (Data([9]) + vector.data).dropFirst()), vector)
    }
}
