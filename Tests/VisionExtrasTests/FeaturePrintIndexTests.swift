import Foundation
import Vision
import VisionExtras
import XCTest

final class FeaturePrintIndexTests: XCTestCase {
    /// A print of two elements.
    private func print(_ x: Float, _ y: Float, revision: Int = 1) throws -> FeaturePrint {
        var data = Data()
        for value in [x, y] { withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) } }
        return try FeaturePrint(revision: revision, data: data)
    }

    private func index() throws -> FeaturePrintIndex<String> {
        var index = FeaturePrintIndex<String>()
        for (key, x) in [("a", 0), ("b", 5), ("c", 2), ("d", -1)] as [(String, Float)] {
            try index.insert(print(x, 0), for: key)
        }
        return index
    }

    private func assertCode(_ code: VNErrorCode, line: UInt = #line, _ body: () throws -> Void) {
        XCTAssertThrowsError(try body(), line: line) { error in
            XCTAssertEqual((error as NSError).domain, VNErrorDomain, line: line)
            XCTAssertEqual((error as NSError).code, code.rawValue, "\(error)", line: line)
        }
    }

    func testAPrintIsItsElements() throws {
        let print = try print(0.5, -2, revision: 2)
        XCTAssertEqual(print.revision, 2)
        XCTAssertEqual(print.elementCount, 2)
        XCTAssertEqual(print.elements, [0.5, -2])
        XCTAssertEqual(try FeaturePrint(revision: 2, data: print.data), print)
        XCTAssertEqual(try print.distance(to: self.print(3.5, 2, revision: 2)), 5)
        assertCode(.invalidOperation) { _ = try print.distance(to: self.print(0.5, -2)) }
        assertCode(.invalidArgument) { _ = try FeaturePrint(revision: 1, data: Data(count: 6)) }
    }

    func testTheNearestComeFirst() throws {
        let found = try index().nearest(3, to: print(1.5, 0))
        XCTAssertEqual(found.map(\.key), ["c", "a", "d"])
        XCTAssertEqual(found.map(\.distance), [0.5, 1.5, 2.5])
        XCTAssertEqual(try index().nearest(3, to: print(1.5, 0), within: 1).map(\.key), ["c"])
        XCTAssertEqual(try FeaturePrintIndex<Int>().nearest(3, to: print(0, 0)).count, 0)
    }

    func testAKeyHasOnePrint() throws {
        var index = try index()
        try index.insert(print(9, 9), for: "a")
        XCTAssertEqual(index.count, 4)
        XCTAssertEqual(index.keys, ["b", "c", "d", "a"])
        XCTAssertEqual(index["a"], try print(9, 9))
        XCTAssertEqual(try index.nearest(1, to: print(0, 0)).map(\.key), ["d"])
    }

    func testRemovedKeysAreGone() throws {
        var index = try index()
        let before = index
        XCTAssertTrue(index.remove("a"))
        XCTAssertFalse(index.remove("a"))
        XCTAssertNil(index["a"])
        XCTAssertEqual(index.keys, ["b", "c", "d"])
        XCTAssertEqual(try index.nearest(4, to: print(0, 0)).map(\.key), ["d", "c", "b"])
        for key in index.keys { XCTAssertTrue(index.remove(key)) }
        XCTAssertTrue(index.isEmpty)
        XCTAssertEqual(before.count, 4)
        XCTAssertEqual(try before.nearest(1, to: print(0, 0)).map(\.key), ["a"])
    }

    func testPrintsOfAnotherKindAreRefusedAndTheIndexStaysAsItIs() throws {
        var index = try index()
        let other = try print(0, 0, revision: 2)
        assertCode(.invalidOperation) { try index.insert(other, for: "a") }
        assertCode(.invalidOperation) { _ = try index.nearest(1, to: other) }
        XCTAssertEqual(index.keys, ["a", "b", "c", "d"])
        XCTAssertEqual(index.revision, 1)
        XCTAssertEqual(index.elementCount, 2)
    }

    func testAnIndexSurvivesItsBytes() throws {
        var index = try index()
        index.remove("b")
        try index.insert(print(7, 7), for: "Ä ∑ 🦊")
        let back = try FeaturePrintIndex<String>(data: index.data)
        XCTAssertEqual(back.keys, index.keys)
        for key in index.keys { XCTAssertEqual(back[key], index[key]) }
        XCTAssertEqual(try FeaturePrintIndex<String>(data: FeaturePrintIndex<String>().data).count, 0)
        var numbered = FeaturePrintIndex<Int>()
        try numbered.insert(print(1, 2), for: -3)
        XCTAssertEqual(try FeaturePrintIndex<Int>(data: numbered.data)[-3], try print(1, 2))
        // Keys that are no numbers.
        assertCode(.invalidArgument) { _ = try FeaturePrintIndex<Int>(data: index.data) }
    }

    func testDamagedBytesGiveAnErrorOrAnIndexAndNeverTrap() throws {
        let sound = try index().data
        for length in sound.indices {
            assertCode(.invalidArgument) { _ = try FeaturePrintIndex<String>(data: sound.prefix(length)) }
        }
        assertCode(.invalidArgument) { _ = try FeaturePrintIndex<String>(data: sound + [0]) }
        var refused = 0
        for place in sound.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var damaged = sound
                damaged[place] = value
                do {
                    let index = try FeaturePrintIndex<String>(data: damaged)
                    let probe = try XCTUnwrap(index.keys.first.flatMap { index[$0] })
                    XCTAssertFalse(try index.nearest(9, to: probe).contains { $0.distance.isNaN })
                } catch {
                    XCTAssertEqual((error as NSError).domain, VNErrorDomain)
                    refused += 1
                }
            }
        }
        XCTAssertGreaterThan(refused, 100)
    }

    func testObservationsHaveADistance() throws {
        let values: [String: String] = [
            "x": try print(0, 3).data.base64EncodedString(), "y": try print(4, 0).data.base64EncodedString(),
        ]
        let prints = try ["x", "y"].map { name in
            let json = """
                {"type": "VNFeaturePrintObservation", "uuid": "\(UUID().uuidString)", "confidence": 1, \
                "requestRevision": 1, "data": "\(values[name] ?? "")"}
                """
            let observation = try JSONDecoder().decode(CodableObservation.self, from: Data(json.utf8)).observation
            return try XCTUnwrap(observation as? VNFeaturePrintObservation)
        }
        XCTAssertEqual(try prints[0].distance(to: prints[1]), 5)
        XCTAssertEqual(try FeaturePrint(prints[0]).distance(to: FeaturePrint(prints[1])), 5)
        XCTAssertEqual(try prints[0].distance(to: prints[0]), 0)
        XCTAssertEqual(try prints[0].scaledDistance(to: prints[1]), 100)
        XCTAssertEqual(try FeaturePrint(prints[0]).scaledDistance(to: FeaturePrint(prints[1])), 100)
        let back = try JSONDecoder().decode(
            CodableObservation.self, from: JSONEncoder().encode(CodableObservation(prints[0])))
        XCTAssertEqual(back.observation, prints[0])
    }
}
