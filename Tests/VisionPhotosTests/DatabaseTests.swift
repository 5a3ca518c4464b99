import Foundation
import ModelTestSupport
import VisionFiles
import VisionImage
import XCTest

@testable import VisionPhotos

final class DatabaseTests: XCTestCase {
    /// Expects an error of a kind, with the path in front.
    private func assertFails(
        _ path: String, _ kind: DatabaseError.Kind, line: UInt = #line, _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) { error in
            XCTAssertEqual((error as? DatabaseError)?.kind, kind, "\(error)", line: line)
            XCTAssertTrue("\(error)".hasPrefix(path), "\(error)", line: line)
        }
    }

    func testValuesComeBackAsTheyWere() throws {
        let scratch = try Scratch()
        let database = try Database(path: scratch.path("a.db"), access: .write)
        try database.execute("CREATE TABLE t (n INTEGER, v)")
        let values: [DatabaseValue] = [
            .null, .integer(.min), .integer(.max), .text(""), .text("Grüße\u{0}🙂"), .bytes([]), .bytes([0, 255, 0, 7]),
        ]
        for (number, value) in values.enumerated() {
            try database.run("INSERT INTO t VALUES (?, ?)", [.integer(Int64(number)), value])
        }
        var found: [DatabaseValue] = []
        try database.prepare("SELECT v FROM t ORDER BY n").rows { found += $0 }
        XCTAssertEqual(found, values)
        XCTAssertEqual(try database.value("SELECT typeof(v) FROM t WHERE n = 5"), .text("blob"))
        XCTAssertNil(try database.value("SELECT v FROM t WHERE n = 99"))
        XCTAssertEqual(try database.number("SELECT count(*) FROM t"), values.count)
        assertFails(database.path, .damaged) { _ = try database.number("SELECT v FROM t WHERE n = 3") }
    }

    func testATransactionThatFailsLeavesNothing() throws {
        struct Stop: Error {}
        let scratch = try Scratch()
        let database = try Database(path: scratch.path("a.db"), access: .write)
        try database.execute("CREATE TABLE t (n INTEGER)")
        XCTAssertThrowsError(
            try database.transaction {
                try database.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        ) { XCTAssertTrue($0 is Stop) }
        XCTAssertEqual(try database.number("SELECT count(*) FROM t"), 0)
        try database.transaction { try database.run("INSERT INTO t VALUES (1)") }
        XCTAssertEqual(try database.number("SELECT count(*) FROM t"), 1)
    }

    func testAStatementThatIsLeftHalfWayCanBeRunAgain() throws {
        let scratch = try Scratch()
        let database = try Database(path: scratch.path("a.db"), access: .write)
        try database.execute("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2), (3)")
        let statement = try database.prepare("SELECT n FROM t ORDER BY n")
        struct Stop: Error {}
        XCTAssertThrowsError(try statement.rows { _ in throw Stop() })
        XCTAssertEqual(try statement.firstRow(), [.integer(1)])
        var count = 0
        try statement.rows { _ in count += 1 }
        XCTAssertEqual(count, 3)
    }

    // MARK: Files that are no index

    func testFilesThatAreNotDatabasesAreRefusedAndLeftAlone() throws {
        let scratch = try Scratch()
        for (name, text) in [("short", "hello"), ("long", String(repeating: "no database ", count: 1000))] {
            let path = try scratch.write(Data(text.utf8), name)
            assertFails(path, .notADatabase) { _ = try PhotoIndex(writing: path) }
            assertFails(path, .notADatabase) { _ = try PhotoIndex(reading: path) }
            XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), text)
        }
        assertFails(scratch.path("none.db"), .io) { _ = try PhotoIndex(reading: scratch.path("none.db")) }
        XCTAssertFalse(FileManager.default.fileExists(atPath: scratch.path("none.db")))
        assertFails(scratch.url.path, .io) { _ = try PhotoIndex(writing: scratch.url.path) }
        let nowhere = scratch.path("no/such/folder.db")
        assertFails(nowhere, .io) { _ = try PhotoIndex(writing: nowhere) }
        let pipe = scratch.path("pipe.db")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        assertFails(pipe, .io) { _ = try PhotoIndex(writing: pipe) }
    }

    func testPipesBesideADatabaseAreRefused() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try filledIndex(path, photos: 2)
        for suffix in ["-journal", "-wal", "-shm"] {
            let pipe = try NamedPipe(at: URL(fileURLWithPath: path + suffix))
            let error = pipe.error { _ = try PhotoIndex(reading: path).photoCount }
            XCTAssertEqual((error as? DatabaseError)?.kind, .io, "\(String(describing: error))")
            XCTAssertTrue((error as? DatabaseError)?.reason.contains("a named pipe") ?? false)
            try FileManager.default.removeItem(at: pipe.url)
        }
        XCTAssertEqual(try PhotoIndex(reading: path).photoCount, 2)
    }

    func testDatabasesOfOthersAreRefused() throws {
        let scratch = try Scratch()
        let path = scratch.path("other.db")
        try Database(path: path, access: .write).execute("CREATE TABLE photos (path TEXT)")
        assertFails(path, .foreign) { _ = try PhotoIndex(writing: path) }
        assertFails(path, .foreign) { _ = try PhotoIndex(reading: path) }
        XCTAssertEqual(try Database(path: path, access: .read).number("SELECT count(*) FROM sqlite_schema"), 1)
    }

    func testAnEmptyFileBecomesAnIndexButCannotBeSearched() throws {
        let scratch = try Scratch()
        let path = try scratch.write(Data(), "empty.db")
        assertFails(path, .foreign) { _ = try PhotoIndex(reading: path) }
        XCTAssertNil(try PhotoIndex(writing: path).collection())
        XCTAssertEqual(try PhotoIndex(reading: path).photoCount, 0)
    }

    func testAnIndexOfALaterVersionIsRefused() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        _ = try PhotoIndex(writing: path)
        try Database(path: path, access: .write).execute("PRAGMA user_version = \(PhotoIndex.formatVersion + 1)")
        for open in [PhotoIndex.init(reading:), PhotoIndex.init(writing:)] {
            XCTAssertThrowsError(try open(path)) { error in
                XCTAssertEqual((error as? DatabaseError)?.kind, .newer)
                XCTAssertTrue("\(error)".contains("newer version"), "\(error)")
            }
        }
    }

    func testASchemaWithMoreOrLessThanOursIsRefused() throws {
        let scratch = try Scratch()
        for (number, change) in [
            "DROP TABLE photos", "CREATE VIEW more AS SELECT 1", "ALTER TABLE photos ADD COLUMN note TEXT",
            "CREATE TRIGGER t AFTER INSERT ON photos BEGIN DELETE FROM prints; END",
        ].enumerated() {
            let path = scratch.path("\(number).db")
            _ = try PhotoIndex(writing: path)
            try Database(path: path, access: .write).execute(change)
            assertFails(path, .damaged) { _ = try PhotoIndex(writing: path) }
        }
    }

    // MARK: Damage

    /// An index with so many prints of 512 bytes.
    private func filledIndex(_ path: String, photos: Int) throws {
        let index = try PhotoIndex(writing: path)
        let kind = PhotoIndex.Kind(revision: 1, elementType: 1, count: 128, byteCount: 512)
        try index.setCollection(.init(folder: FilePath("/photos"), kind: kind))
        _ = try index.store(
            (0..<photos).map { number in
                let stamp = FileStamp(size: 5, modified: 6, node: Int64(number))
                let digest = (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) }
                let data = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* number) }
                return (
                    .init(id: Int64(number), path: FilePath("folder/\(number).jpg"), isNew: true),
                    .print(stamp: stamp, digest: digest, data: data)
                )
            })
    }

    /// Everything that a search reads.
    private func readAll(_ path: String) throws {
        let index = try PhotoIndex(reading: path)
        _ = try index.collection()
        try index.eachPrint { id, _ in _ = try index.photos(ofPrint: id, limit: 5) }
    }

    func testDamageAnywhereGivesAnErrorOrWhatWasWritten() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try filledIndex(path, photos: 60)
        try readAll(path)
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SplitMix64(seed: 5)
        var refused = 0
        for round in 0..<300 {
            var bytes = good
            switch round % 3 {
            case 0: bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            case 1:
                for _ in 0..<20 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x55 }
            default:
                let start = Int.random(in: 0..<bytes.count - 200, using: &random)
                for offset in start..<start + 200 { bytes[offset] = UInt8.random(in: 0...255, using: &random) }
            }
            let copy = try scratch.write(bytes, "damaged.db")
            do {
                try readAll(copy)
            } catch let error as DatabaseError {
                refused += 1
                XCTAssertTrue(error.description.hasPrefix(copy), error.description)
            }
            try? FileManager.default.removeItem(atPath: copy + "-journal")
        }
        XCTAssertGreaterThan(refused, 150)
    }

    func testPathsThatLeadOutOfTheFolderAreDamage() throws {
        let scratch = try Scratch()
        for (number, name) in ["/etc/passwd", "a/../../b.jpg", "..", "", "a//b.jpg", "./a.jpg", "a\u{0}b.jpg"]
            .enumerated()
        {
            let path = scratch.path("\(number).db")
            try filledIndex(path, photos: 1)
            try Database(path: path, access: .write).run("UPDATE photos SET path = ?", [.bytes(Array(name.utf8))])
            assertFails(path, .damaged) { try readAll(path) }
        }
    }

    func testPrintsOfAnotherLengthAreDamage() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try filledIndex(path, photos: 3)
        try Database(path: path, access: .write).run("UPDATE prints SET data = x'00' WHERE id = 2")
        assertFails(path, .damaged) { try readAll(path) }
    }

    func testAFlippedBitOfAPrintIsDamageAndThePhotoIsNamed() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try filledIndex(path, photos: 3)
        let database = try Database(path: path, access: .write)
        for column in ["data", "digest"] {
            guard case .bytes(var bytes)? = try database.value("SELECT \(column) FROM prints WHERE id = 2") else {
                return XCTFail("no print")
            }
            bytes[7] ^= 16
            try database.run("UPDATE prints SET \(column) = ? WHERE id = 2", [.bytes(bytes)])
            assertFails(path, .damaged) { try readAll(path) }
            XCTAssertThrowsError(try readAll(path)) {
                XCTAssertTrue("\($0)".contains("folder/1.jpg"), "\($0)")
                XCTAssertTrue("\($0)".contains("openvision index /photos --db \(path)"), "\($0)")
            }
            bytes[7] ^= 16
            try database.run("UPDATE prints SET \(column) = ? WHERE id = 2", [.bytes(bytes)])
            XCTAssertNoThrow(try readAll(path))
        }
    }

    /// An index as version 1 made it.
    private func oldIndex(_ path: String, prints: [[Float]]) throws {
        let database = try Database(path: path, access: .write)
        for table in PhotoIndex.tablesWithoutChecksums { try database.execute(table) }
        try database.execute("PRAGMA application_id = \(PhotoIndex.applicationID); PRAGMA user_version = 1")
        try database.run(
            "INSERT INTO collection VALUES (1, ?, 1, 1, 2, 8)", [.bytes(Array("/photos".utf8))])
        for (number, print) in prints.enumerated() {
            let data = print.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } }
            try database.run(
                "INSERT INTO prints VALUES (?, ?, ?)",
                [
                    .integer(Int64(number)), .bytes([UInt8](repeating: UInt8(number), count: 16)), .bytes(data),
                ])
            try database.run(
                "INSERT INTO photos VALUES (?, 1, 1, 1, ?)",
                [.bytes(Array("\(number).jpg".utf8)), .integer(Int64(number))])
        }
    }

    func testAnIndexWithoutChecksumsIsSearchedAndGetsThem() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try oldIndex(path, prints: (0..<200).map { [Float($0), 1] } + [[.nan, 0]])
        let old = try PhotoIndex(reading: path)
        var count = 0
        try old.eachPrint { _, _ in count += 1 }
        XCTAssertEqual(count, 201)
        XCTAssertEqual(try old.database.number("PRAGMA user_version"), 1, "searching changes nothing")

        let index = try PhotoIndex(writing: path)
        XCTAssertEqual(try index.database.number("PRAGMA user_version"), 3)
        XCTAssertEqual(try PhotoIndex(writing: path).photoCount, 201, "the layout is that of a new index")
        var damaged: [String] = []
        try index.removeDamagedPrints { damaged.append($0.text) }
        XCTAssertEqual(damaged, ["200.jpg"], "what is no print gets no checksum")
        XCTAssertNoThrow(try readAll(path))
        XCTAssertEqual(try index.photoCount, 200)
    }

    func testAnIndexOfFormat2IsSearchedAndGetsTheChecksumsOfThisFormat() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try filledIndex(path, photos: 5)
        let database = try Database(path: path, access: .write)
        try database.prepare("SELECT id, digest, data FROM prints").rows { row in
            guard case .bytes(let digest) = row[1], case .bytes(let data) = row[2] else { return XCTFail("no print") }
            let checksum = EarlierDigest.bytes(of: Data(digest + data)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
            try database.run("UPDATE prints SET checksum = ? WHERE id = ?", [.integer(checksum), row[0]])
        }
        try database.run("UPDATE prints SET data = zeroblob(512) WHERE id = 4")
        try database.execute("PRAGMA user_version = 2")
        assertFails(path, .damaged) { try readAll(path) }
        XCTAssertThrowsError(try readAll(path)) { XCTAssertTrue("\($0)".contains("folder/3.jpg"), "\($0)") }

        let index = try PhotoIndex(writing: path)
        XCTAssertEqual(try index.database.number("PRAGMA user_version"), 3)
        XCTAssertTrue(index.mayHaveEarlierDigests)
        var damaged: [String] = []
        try index.removeDamagedPrints { damaged.append($0.text) }
        XCTAssertEqual(damaged, ["folder/3.jpg"])
        XCTAssertNoThrow(try readAll(path))
    }

    func testAnotherProgramThatWritesIsWaitedForOrNamed() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try filledIndex(path, photos: 2)
        let (first, second) = (try Database(path: path, access: .write), try Database(path: path, access: .write))
        try second.execute("PRAGMA busy_timeout = 1")
        try first.execute("BEGIN EXCLUSIVE")
        assertFails(path, .busy) { try second.execute("BEGIN IMMEDIATE") }
        try first.execute("COMMIT")
        try second.transaction { try second.run("DELETE FROM photos") }
        XCTAssertEqual(try first.number("SELECT count(*) FROM photos"), 0)
    }

    func testAnIndexIsNotWrittenWhileItIsSearched() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.db")
        try filledIndex(path, photos: 2)
        let index = try PhotoIndex(reading: path)
        assertFails(path, .io) { try index.database.run("DELETE FROM photos") }
        XCTAssertEqual(try index.photoCount, 2)
    }
}
