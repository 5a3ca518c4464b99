import Foundation
import ModelTestSupport
import VisionExtras
import VisionFiles
import VisionImage
import VisionModels
import XCTest

@testable import VisionPhotos

/// Searches with the approximate index of a database, and what happens to it as the database changes.
final class ClusterTests: XCTestCase {
    private static let elements = 64
    private static let kind = PhotoIndex.Kind(revision: 1, elementType: 1, count: elements, byteCount: 4 * elements)
    private var scratch: Scratch?
    private var database: String { scratch?.path("photos.db") ?? "" }

    override func setUpWithError() throws { scratch = try Scratch() }
    override func tearDown() { scratch = nil }

    /// The print of a photo.
    private func print(_ number: Int) throws -> FeaturePrint {
        var random = SplitMix64(seed: UInt64(number % 20))
        var vector = (0..<Self.elements).map { _ in Float(random.unit()) * 2 - 1 }
        random = SplitMix64(seed: UInt64(number) + 1000)
        for index in vector.indices { vector[index] += 0.5 * (Float(random.unit()) * 2 - 1) }
        return try FeaturePrint(revision: 1, data: vector.withUnsafeBytes { Data($0) })
    }

    private func add(_ numbers: Range<Int>) throws {
        let index = try PhotoIndex(writing: database)
        if try index.collection() == nil {
            try index.setCollection(.init(folder: FilePath("/photos"), kind: Self.kind))
        }
        let readings = try numbers.map { number in
            let photo = IndexChanges.Pending(id: Int64(number), path: FilePath("\(number).jpg"), isNew: true)
            let digest = try ContentDigest(of: Data("\(number)".utf8)).bytes
            let stamp = FileStamp(size: 1, modified: 1, node: Int64(number))
            return (photo, PhotoIndex.Reading.print(stamp: stamp, digest: digest, data: Array(try print(number).data)))
        }
        _ = try index.store(readings)
    }

    private func remove(_ numbers: Range<Int>) throws {
        let index = try PhotoIndex(writing: database)
        for number in numbers {
            try index.database.run("DELETE FROM photos WHERE path = ?", [.bytes(Array("\(number).jpg".utf8))])
        }
        try index.removePrintsWithoutPhotos()
    }

    @discardableResult
    private func update(_ rule: ClusterRule = .always) throws -> Bool {
        try PhotoIndex(writing: database).updateClusters(rule, threads: 2)
    }

    /// The names of the nearest photos.
    private func search(_ number: Int, isExact: Bool = false, limit: Int = 5) throws -> [String] {
        let index = try PhotoIndex(reading: database)
        guard let collection = try index.collection() else { return [] }
        return try index.nearest(to: print(number), collection, limit: limit, isExact: isExact).sorted
            .map { ($0.key.text as NSString).lastPathComponent }
    }

    private func clusters() throws -> ClusterFile { try ClusterFile(path: database + ".clusters") }

    func testASearchFindsWhatAComparisonOfAllFinds() throws {
        try add(0..<1500)
        XCTAssertTrue(try update())
        XCTAssertFalse(try update())
        XCTAssertEqual(try clusters().header.printCount, 1500)
        XCTAssertGreaterThan(try clusters().clusterCount, 8)
        var same = 0
        for query in 2000..<2040 {
            let exact = try search(query, isExact: true)
            XCTAssertEqual(exact.count, 5)
            same += Set(try search(query)).intersection(exact).count
        }
        XCTAssertGreaterThan(same, 190)
    }

    func testTheApproximateIndexIsUsed() throws {
        try add(0..<300)
        try update()
        // A file whose prints are others': the search finds these alone.
        let builder = try makeBuilder([(id: 7, number: 40)])
        try ClusterFile.write(
            builder,
            .init(
                revision: 1, elementCount: Self.elements, printCount: 1, lastID: 300,
                witnesses: try clusters().header.witnesses), to: database + ".clusters")
        XCTAssertEqual(try search(40), ["6.jpg"])
        XCTAssertEqual(try search(40, isExact: true).first, "40.jpg")
        // Too many for it to be of use.
        XCTAssertEqual(try search(40, limit: 1002).count, 300)
    }

    func testPhotosThatWereAddedLaterAreFoundForCertain() throws {
        try add(0..<400)
        try update()
        try add(400..<480)
        XCTAssertEqual(try clusters().header.printCount, 400)
        for number in 400..<480 { XCTAssertEqual(try search(number).first, "\(number).jpg") }
        XCTAssertTrue(try update())
        XCTAssertEqual(try clusters().header.printCount, 480)
        for number in 400..<480 { XCTAssertEqual(try search(number).first, "\(number).jpg") }
    }

    func testRemovedPhotosAreNotFoundAndTheirNumbersNotGivenAgain() throws {
        try add(0..<400)
        try update()
        try remove(300..<400)
        for number in 300..<310 { XCTAssertFalse(try search(number, limit: 400).contains("\(number).jpg")) }
        // Without its number from the file, a new photo would take that of a removed one, and be searched for there.
        try add(500..<510)
        let next = try PhotoIndex(reading: database).database.number("SELECT min(id) FROM prints WHERE id > 300")
        XCTAssertEqual(next, 401)
        for number in 500..<510 { XCTAssertEqual(try search(number).first, "\(number).jpg") }
    }

    func testAnOpenIndexFollowsTheFile() throws {
        try add(0..<300)
        let open = try PhotoIndex(reading: database)
        let collection = try XCTUnwrap(try open.collection())
        func isFound(_ number: Int) throws -> Bool {
            let name = try open.nearest(to: print(number), collection, limit: 5, isExact: false).sorted.first?.key.text
            return name?.hasSuffix("/\(number).jpg") ?? false
        }
        XCTAssertTrue(try isFound(7))
        try update()
        XCTAssertTrue(try isFound(7))
        // A file is made of fewer photos, and the numbers of the removed ones stay taken.
        try remove(100..<300)
        XCTAssertTrue(try update(.automatic))
        XCTAssertEqual(try clusters().header.printCount, 100)
        XCTAssertEqual(try clusters().header.lastID, 300)
        try add(500..<600)
        for number in 500..<600 { XCTAssertTrue(try isFound(number), "\(number)") }
        XCTAssertEqual(open.clusters?.file.header.printCount, 100)
    }

    func testAnInterruptedRunLeavesTheFile() throws {
        try add(0..<300)
        try update()
        let url = URL(fileURLWithPath: database + ".clusters")
        let file = try Data(contentsOf: url)
        try add(300..<400)
        for calls in [0, 1, 5, 40] {
            var asked = 0
            XCTAssertThrowsError(
                try PhotoIndex(writing: database).updateClusters(.always, threads: 2) {
                    asked += 1
                    return asked > calls
                }
            ) { XCTAssertTrue($0 is CancellationError) }
        }
        XCTAssertEqual(try Data(contentsOf: url), file)
        XCTAssertTrue(try update())
    }

    func testTheFirstAndTheLastPrintAreWitnesses() throws {
        for count in [1, 2, 62, 63, 64, 65, 126, 127, 128, 300] {
            try? FileManager.default.removeItem(atPath: database)
            try add(0..<count)
            try update()
            let witnesses = try clusters().header.witnesses
            XCTAssertLessThanOrEqual(witnesses.count, ClusterFile.largestWitnessCount)
            XCTAssertEqual(witnesses.first?.id, 1)
            XCTAssertEqual(witnesses.last?.id, Int64(count))
            let gaps = zip(witnesses, witnesses.dropFirst()).map { $1.id - $0.id }
            XCTAssertLessThanOrEqual(gaps.max() ?? 1, Int64(count / 63 + 1))
            try FileManager.default.removeItem(atPath: database + ".clusters")
        }
    }

    func testWhatAKilledRunHasLeftIsReplaced() throws {
        try add(0..<100)
        let scratch = URL(fileURLWithPath: database).deletingLastPathComponent()
            .appendingPathComponent(".photos.db.clusters.partial")
        try Data(repeating: 7, count: 1 << 20).write(to: scratch)
        XCTAssertTrue(try update())
        XCTAssertFalse(FileManager.default.fileExists(atPath: scratch.path))
        XCTAssertEqual(try search(40).first, "40.jpg")
        // A folder of that name cannot be written to.
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
        try add(100..<101)
        XCTAssertThrowsError(try update()) { XCTAssertEqual(($0 as? ClusterFileError)?.kind, .io) }
        XCTAssertEqual(try search(100).first, "100.jpg")
    }

    func testANumberThatTheFileCannotHoldIsDamage() throws {
        try add(0..<50)
        try PhotoIndex(writing: database).database.run(
            "UPDATE prints SET id = ? WHERE id = 50", [.integer(Int64.max - 1)])
        XCTAssertThrowsError(try update()) { XCTAssertEqual(($0 as? DatabaseError)?.kind, .damaged) }
    }

    func testAnIndexOfAnotherDatabaseIsNotUsed() throws {
        try add(0..<100)
        try update()
        let file = try Data(contentsOf: URL(fileURLWithPath: database + ".clusters"))
        try FileManager.default.removeItem(atPath: database)
        try add(600..<700)
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: database + ".clusters")), file)
        for number in 600..<700 { XCTAssertEqual(try search(number).first, "\(number).jpg") }
        // It is replaced by the next one.
        XCTAssertTrue(try update())
        XCTAssertEqual(try search(650).first, "650.jpg")
    }

    func testRules() throws {
        try add(0..<0)
        XCTAssertFalse(try update())
        try add(0..<50)
        XCTAssertFalse(try update(.automatic))
        XCTAssertFalse(try update(.never))
        XCTAssertTrue(try update())
        // Most of its prints are gone.
        try remove(0..<30)
        XCTAssertTrue(try update(.automatic))
        XCTAssertEqual(try clusters().header.printCount, 20)
    }

    func testADamagedFileIsAnErrorForSearchesAndMadeAgain() throws {
        try add(0..<200)
        try update()
        let url = URL(fileURLWithPath: database + ".clusters")
        let file = try Data(contentsOf: url)
        for damaged in [file.prefix(100), file.dropLast(1), Data(repeating: 7, count: 400)] {
            try damaged.write(to: url)
            XCTAssertThrowsError(try search(3)) {
                XCTAssertTrue("\($0)".contains("openvision index"), "\($0)")
                XCTAssertTrue($0 is ClusterFileError)
            }
            XCTAssertEqual(try search(3, isExact: true).first, "3.jpg")
            // With so few photos, too: the user had it made.
            XCTAssertTrue(try update(.automatic))
            XCTAssertEqual(try Data(contentsOf: url), file)
        }
    }

    func testADamagedPrintIsNamed() throws {
        try add(0..<50)
        try update()
        try PhotoIndex(writing: database).database.run(
            "UPDATE prints SET data = zeroblob(?) WHERE id = 4", [.integer(Int64(4 * Self.elements))])
        XCTAssertThrowsError(try search(3)) { XCTAssertTrue("\($0)".contains("3.jpg"), "\($0)") }
    }

    private func makeBuilder(_ prints: [(id: Int64, number: Int)]) throws -> ClusterBuilder {
        let rows = try prints.flatMap { try print($0.number).elements }
        var builder = ClusterBuilder(
            PrintCentroids(ofClusters: 1, samples: rows, elementCount: Self.elements, threads: 1))
        builder.append(rows, ids: prints.map(\.id), threads: 1)
        return builder
    }
}
