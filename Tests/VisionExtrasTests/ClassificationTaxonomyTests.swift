import Vision
import VisionExtras
import XCTest

final class ClassificationTaxonomyTests: XCTestCase {
    private func taxonomy() throws -> ClassificationTaxonomy { try ClassificationTaxonomy() }

    func testIdentifiersAreThoseOfTheRequest() throws {
        let known = try VNClassifyImageRequest.knownClassifications(forRevision: VNClassifyImageRequestRevision2)
        XCTAssertEqual(
            try ClassificationTaxonomy(forRevision: VNClassifyImageRequestRevision2).identifiers,
            known.map(\.identifier))
        XCTAssertThrowsError(try ClassificationTaxonomy(forRevision: 12)) { error in
            XCTAssertEqual((error as NSError).code, VNErrorCode.unsupportedRevision.rawValue)
        }
    }

    func testEveryClassIsAmongTheChildrenOfItsParents() throws {
        let taxonomy = try taxonomy()
        let roots = Set(taxonomy.roots)
        for identifier in taxonomy.identifiers {
            let parents = try XCTUnwrap(taxonomy.parents(of: identifier))
            XCTAssertEqual(parents, parents.sorted())
            XCTAssertEqual(parents.isEmpty, roots.contains(identifier))
            for parent in parents {
                XCTAssertTrue(try XCTUnwrap(taxonomy.children(of: parent)).contains(identifier), identifier)
            }
            for child in try XCTUnwrap(taxonomy.children(of: identifier)) {
                XCTAssertTrue(try XCTUnwrap(taxonomy.parents(of: child)).contains(identifier), identifier)
            }
        }
    }

    func testAPathLeadsFromARootToTheClass() throws {
        let taxonomy = try taxonomy()
        let roots = Set(taxonomy.roots)
        for identifier in taxonomy.identifiers {
            let path = try XCTUnwrap(taxonomy.path(to: identifier))
            XCTAssertEqual(path.last, identifier)
            XCTAssertTrue(roots.contains(try XCTUnwrap(path.first)), identifier)
            for (above, below) in zip(path, path.dropFirst()) {
                XCTAssertTrue(try XCTUnwrap(taxonomy.parents(of: below)).contains(above), identifier)
            }
            XCTAssertEqual(
                Set(path.dropLast()).subtracting(try XCTUnwrap(taxonomy.ancestors(of: identifier))), [], identifier)
        }
        XCTAssertTrue(try XCTUnwrap(taxonomy.path(to: "golden_retriever")).contains("dog"))
    }

    func testAncestorsAndDescendantsMirrorEachOther() throws {
        let taxonomy = try taxonomy()
        let below = try XCTUnwrap(taxonomy.descendants(of: "dog"))
        XCTAssertTrue(below.contains("golden_retriever"))
        XCTAssertFalse(below.contains("dog"))
        for identifier in below { XCTAssertTrue(try XCTUnwrap(taxonomy.ancestors(of: identifier)).contains("dog")) }
    }

    func testSearchFindsNamesBestFirst() throws {
        let taxonomy = try taxonomy()
        XCTAssertEqual(taxonomy.search("dog").first, "dog")
        XCTAssertEqual(taxonomy.search("Golden Retriever").first, "golden_retriever")
        XCTAssertTrue(taxonomy.search("retriever").contains("golden_retriever"))
        XCTAssertTrue(taxonomy.search("bike").contains("motorcycle"), "another word for it")
        XCTAssertTrue(taxonomy.search("zucch").contains("zucchini"))
        let found = taxonomy.search("ca")
        XCTAssertEqual(Set(found).count, found.count)
        XCTAssertTrue(taxonomy.search("no such thing").isEmpty)
        XCTAssertTrue(taxonomy.search(" _ ").isEmpty)
    }

    func testAClassThatDoesNotExistGivesNil() throws {
        let taxonomy = try taxonomy()
        XCTAssertNil(taxonomy.parents(of: "nonsense"))
        XCTAssertNil(taxonomy.children(of: "Dog"))
        XCTAssertNil(taxonomy.path(to: ""))
        XCTAssertNil(taxonomy.names(of: "golden retriever"))
        XCTAssertNil(taxonomy.ancestors(of: "nonsense"))
        XCTAssertNil(taxonomy.descendants(of: "nonsense"))
    }
}
