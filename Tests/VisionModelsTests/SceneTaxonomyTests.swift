import XCTest

@testable import VisionModels

final class SceneTaxonomyTests: XCTestCase {
    private let taxonomy = SceneTaxonomy.shared

    private func index(_ identifier: String, line: UInt = #line) throws -> Int {
        try XCTUnwrap(taxonomy.index(of: identifier), "There is no \(identifier).", line: line)
    }

    private func identifiers(_ indices: [Int]) -> Set<String> { Set(indices.map { taxonomy.classes[$0].identifier }) }

    func testThereAreAtLeast1300ClassesInAlphabeticalOrder() {
        let all = taxonomy.classes.map(\.identifier)
        XCTAssertGreaterThanOrEqual(all.count, 1300)
        XCTAssertEqual(all, all.sorted())
        XCTAssertEqual(Set(all).count, all.count)
    }

    func testIdentifiersAreLowerCaseWordsWithUnderscores() {
        for one in taxonomy.classes {
            XCTAssertNotNil(
                one.identifier.range(of: "^[a-z][a-z0-9]*(_[a-z0-9]+)*$", options: .regularExpression), one.identifier)
        }
    }

    func testEveryOutputOfTheNetworksBelongsToOneClass() {
        XCTAssertEqual(taxonomy.classes.flatMap(\.outputs).sorted(), Array(0..<1000))
        for (output, index) in taxonomy.classOfOutput.enumerated() {
            XCTAssertTrue(taxonomy.classes[index].outputs.contains(output))
        }
    }

    func testEveryClassCanBeSeenByTheNetworks() {
        for (index, one) in taxonomy.classes.enumerated() where one.outputs.isEmpty {
            XCTAssertTrue(
                taxonomy.descendants(of: index).contains { !taxonomy.classes[$0].outputs.isEmpty }, one.identifier)
        }
    }

    func testParentsAndChildrenMirrorEachOther() {
        for (index, one) in taxonomy.classes.enumerated() {
            for parent in one.parents { XCTAssertTrue(taxonomy.classes[parent].children.contains(index)) }
            for child in one.children { XCTAssertTrue(taxonomy.classes[child].parents.contains(index)) }
        }
    }

    func testThereAreNoCircles() {
        // An order with every child before its parents exists for an acyclic graph only.
        XCTAssertEqual(taxonomy.bottomUp.sorted(), Array(taxonomy.classes.indices))
        var order = [Int](repeating: 0, count: taxonomy.classes.count)
        for (step, index) in taxonomy.bottomUp.enumerated() { order[index] = step }
        for (index, one) in taxonomy.classes.enumerated() {
            for child in one.children { XCTAssertLessThan(order[child], order[index]) }
        }
    }

    func testAParentThatIsAboveAnotherParentIsLeftOut() {
        for one in taxonomy.classes {
            for parent in one.parents {
                for other in one.parents where other != parent {
                    XCTAssertFalse(taxonomy.ancestors(of: other).contains(parent), one.identifier)
                }
            }
        }
    }

    func testAncestorsOfAGoldenRetriever() throws {
        XCTAssertEqual(
            identifiers(taxonomy.ancestors(of: try index("golden_retriever"))),
            [
                "retriever", "sporting_dog", "hunting_dog", "dog", "canine", "carnivore", "mammal", "vertebrate",
                "domestic_animal", "animal",
            ])
    }

    func testAClassMayHaveSeveralParents() throws {
        XCTAssertEqual(identifiers(taxonomy.classes[try index("dog")].parents), ["canine", "domestic_animal"])
        XCTAssertEqual(
            identifiers(taxonomy.classes[try index("piano")].parents),
            ["keyboard_instrument", "percussion_instrument", "stringed_instrument"])
    }

    func testDescendantsOfDogsAreItsBreeds() throws {
        let below = identifiers(taxonomy.descendants(of: try index("dog")))
        XCTAssertTrue(below.isSuperset(of: ["beagle", "standard_poodle", "siberian_husky", "corgi"]))
        XCTAssertFalse(below.contains("timber_wolf"))
        XCTAssertFalse(below.contains("dog"))
    }

    func testOutputsOfOneNameAreTwoClasses() throws {
        XCTAssertEqual(taxonomy.classes[try index("crane")].outputs, [134])
        XCTAssertEqual(taxonomy.classes[try index("construction_crane")].outputs, [517])
        XCTAssertEqual(taxonomy.classes[try index("cardigan_welsh_corgi")].outputs, [264])
        XCTAssertEqual(taxonomy.classes[try index("cardigan")].outputs, [474])
    }

    func testOutputsOfOneSightAreOneClass() throws {
        XCTAssertEqual(taxonomy.classes[try index("sunglasses")].outputs, [836, 837])
        XCTAssertEqual(taxonomy.classes[try index("one_piece_swimsuit")].outputs, [638, 639])
    }

    func testOccupationsAreFoldedIntoAdults() throws {
        let adult = taxonomy.classes[try index("adult")]
        XCTAssertEqual(adult.outputs, [981, 982, 983])
        XCTAssertEqual(identifiers(adult.parents), ["people"])
        for name in ["groom", "ballplayer", "scuba_diver", "athlete", "person"] {
            XCTAssertNil(taxonomy.index(of: name))
            XCTAssertFalse(adult.names.contains(name.replacingOccurrences(of: "_", with: " ")))
        }
    }

    func testThereAreNoAbstractClasses() {
        for name in ["entity", "object", "whole", "artifact", "organism", "instrumentality", "substance", "matter"] {
            XCTAssertNil(taxonomy.index(of: name))
        }
    }

    func testSearchNamesAreLowerCaseAndDifferFromTheIdentifier() {
        for one in taxonomy.classes {
            XCTAssertFalse(one.names.contains(one.identifier))
            for name in one.names { XCTAssertEqual(name, name.lowercased()) }
        }
    }

    func testASmallTaxonomy() {
        let taxonomy = SceneTaxonomy(
            rows: [
                .init(identifier: "animal", names: "beast, fauna", parents: [], outputs: []),
                .init(identifier: "cat", names: "", parents: [0], outputs: [1]),
                .init(identifier: "house cat", names: "", parents: [1, 9], outputs: [0, 7]),
            ], outputCount: 2)
        XCTAssertEqual(taxonomy.classes.map(\.identifier), ["animal", "cat", "house cat"])
        XCTAssertEqual(taxonomy.classes[0].names, ["beast", "fauna"])
        XCTAssertEqual(taxonomy.classes.map(\.parents), [[], [0], [1]])
        XCTAssertEqual(taxonomy.classes.map(\.children), [[1], [2], []])
        XCTAssertEqual(taxonomy.classes.map(\.outputs), [[], [1], [0]])
        XCTAssertEqual(taxonomy.bottomUp, [2, 1, 0])
        XCTAssertEqual(taxonomy.descendants(of: 0), [1, 2])
        XCTAssertEqual(taxonomy.ancestors(of: 2), [0, 1])
        XCTAssertEqual(taxonomy.ancestors(of: 5), [])
    }

    func testTheBuiltInTableHoldsEveryOutputOnce() throws {
        let rows = try SceneTaxonomy.Row.all(of: BinaryTable(builtIn: "scene-taxonomy.table"))
        XCTAssertEqual(rows.flatMap(\.outputs).sorted(), Array(0..<1000))
        XCTAssertEqual(rows.count, SceneTaxonomy.shared.classes.count)
    }
}
