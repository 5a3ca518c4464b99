import VisionImage
import VisionModels
import XCTest

@testable import VisionPhotos

final class FaceGroupsTests: XCTestCase {
    /// Prints around some people: `spread` is the length of what is added to each.
    private func prints(people: Int, each count: Int, spread: Float, seed: UInt64 = 3) throws -> [PrintVector] {
        var random = SplitMix64(seed: seed)
        func direction(_ length: Float) -> [Float] {
            let values = (0..<128).map { _ in Float(random.unit() + random.unit() + random.unit() - 1.5) }
            let norm = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return values.map { $0 * length / norm }
        }
        let centres = (0..<people).map { _ in direction(0.7) }
        return try (0..<people * count).map { index in
            try PrintVector(revision: 1, elements: zip(centres[index % people], direction(spread)).map { $0 + $1 })
        }
    }

    func testFacesOfOnePersonAreOneGroup() throws {
        let prints = try prints(people: 7, each: 12, spread: 0.3)
        let groups = try FaceGroups(prints, photos: Array(prints.indices), distance: 0.5).groups
        XCTAssertEqual(groups.count, 7)
        for (index, group) in groups.enumerated() {
            XCTAssertEqual(group, stride(from: index, to: prints.count, by: 7).map { $0 }, "\(index)")
        }
        XCTAssertEqual(groups, try FaceGroups(prints, photos: Array(prints.indices), distance: 0.5).groups)
    }

    func testLargeGroupsComeFirstAndStrangersAreAlone() throws {
        let several = try prints(people: 2, each: 6, spread: 0.2)
        let strangers = try prints(people: 3, each: 1, spread: 0, seed: 9)
        let all = strangers + several + several.prefix(1)
        let groups = try FaceGroups(all, photos: Array(all.indices), distance: 0.5).groups
        XCTAssertEqual(groups.map(\.count), [7, 6, 1, 1, 1])
        XCTAssertEqual(groups[0], [3, 5, 7, 9, 11, 13, 15])
        XCTAssertEqual(groups.suffix(3), [[0], [1], [2]])
    }

    /// Twins in one photo are near, and two people all the same.
    func testFacesOfOnePhotoAreNotNeighbours() throws {
        let prints = try prints(people: 1, each: 2, spread: 0.1)
        XCTAssertEqual(try FaceGroups(prints, photos: [0, 0], distance: 0.5).groups, [[0], [1]])
        XCTAssertEqual(try FaceGroups(prints, photos: [0, 1], distance: 0.5).groups, [[0, 1]])
        // Nor do they come together by way of others.
        let six = try self.prints(people: 1, each: 6, spread: 0.1)
        let photos = [0, 1, 2, 3, 4, 0]
        let groups = try FaceGroups(six, photos: photos, distance: 0.5).groups
        XCTAssertEqual(groups.count, 2)
        XCTAssertTrue(groups.allSatisfy { Set($0.map { photos[$0] }).count == $0.count }, "\(groups)")
    }

    func testPartsThatAreTooLargeAreDivided() throws {
        let several = try prints(people: 3, each: 20, spread: 0.3)
        let photos = Array(several.indices)
        let groups = try FaceGroups(several, photos: photos, distance: 0.5, largestPart: 8).groups
        XCTAssertTrue(groups.allSatisfy { $0.count <= 8 && Set($0.map { $0 % 3 }).count == 1 }, "\(groups)")
        XCTAssertEqual(groups.joined().sorted(), photos)
        // Copies have no distances to be divided by.
        let copies = [PrintVector](repeating: several[0], count: 20)
        XCTAssertEqual(
            try FaceGroups(copies, photos: Array(0..<20), distance: 0.5, largestPart: 8).groups.map(\.count), [8, 8, 4])
    }

    func testNoFacesAndManyNeighbours() throws {
        XCTAssertEqual(try FaceGroups([], photos: [], distance: 0.5).groups, [])
        let prints = try prints(people: 1, each: 400, spread: 0.2)
        XCTAssertEqual(try FaceGroups(prints, photos: Array(prints.indices), distance: 0.5).groups.map(\.count), [400])
    }
}
