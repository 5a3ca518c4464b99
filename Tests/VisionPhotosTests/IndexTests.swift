import Foundation
import ModelTestSupport
import VisionFiles
import VisionThreads
import XCTest

@testable import VisionPhotos

/// The index follows its folder. Prints are made by the tests here, of a photo's first bytes: what a print says of a
/// image is tested elsewhere.
final class IndexTests: XCTestCase {
    private struct Unreadable: LocalizedError {
        var errorDescription: String? { "is no photo" }
    }

    /// A folder, its index, and how often a print was made.
    private final class IndexedFolder {
        let scratch: Scratch
        let database: String
        let made = Locked(0)

        init() throws {
            scratch = try Scratch()
            database = scratch.path("index.db")
            try FileManager.default.createDirectory(
                atPath: scratch.path("photos"), withIntermediateDirectories: true)
        }

        var folder: FilePath { FilePath(scratch.path("photos")) }

        @discardableResult
        func write(_ name: String, _ text: String) throws -> String {
            let path = scratch.path("photos/" + name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }

        func index() throws -> PhotoIndex { try PhotoIndex(writing: database) }

        @discardableResult
        func run(
            threads: Int = 2, relocated: Bool = false, _ reports: IndexRun.Reports = .init()
        ) throws -> IndexRun.Summary {
            let made = made
            var run = IndexRun(folder: folder, threads: threads) { data in
                guard !data.starts(with: Data("bad".utf8)) else { throw Unreadable() }
                made.withLock { $0 += 1 }
                let bytes = Array(data.prefix(8))
                return StoredPrint(
                    kind: .init(revision: 1, elementType: 1, count: 2, byteCount: 8),
                    data: bytes + [UInt8](repeating: 0, count: 8 - bytes.count))
            }
            run.isRelocated = relocated
            return try run.run(into: index(), reports)
        }

        /// What the index holds: the first letters of the print of each photo.
        func contents() throws -> [String: String] {
            let index = try PhotoIndex(reading: database)
            var contents: [String: String] = [:]
            try index.eachPrint { id, data in
                for path in try index.photos(ofPrint: id, limit: 100) {
                    contents[path.text] = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
                }
            }
            return contents
        }

        /// Makes the index one of format 2, as it was made of photos with these contents.
        func makeFormat2(_ contents: [String]) throws {
            let database = try Database(path: database, access: .write)
            for content in contents {
                let (new, old) = (
                    try ContentDigest(of: Data(content.utf8)), EarlierDigest.bytes(of: Data(content.utf8))
                )
                guard
                    case .bytes(let data)? = try database.value(
                        "SELECT data FROM prints WHERE digest = ?", [.bytes(new.bytes)])
                else { return XCTFail("no print of \(content)") }
                let checksum = EarlierDigest.bytes(of: Data(old + data)).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
                try database.run(
                    "UPDATE prints SET digest = ?, checksum = ? WHERE digest = ?",
                    [.bytes(old), .integer(checksum), .bytes(new.bytes)])
            }
            try database.execute("PRAGMA user_version = 2")
        }

        func digestLengths() throws -> [String: Int] {
            var lengths: [String: Int] = [:]
            try index().database.prepare("SELECT data, length(digest) FROM prints").rows { row in
                guard case .bytes(let data) = row[0], case .integer(let length) = row[1] else { return }
                lengths[String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)] = Int(length)
            }
            return lengths
        }

        var printCount: Int { get throws { try index().database.number("SELECT count(*) FROM prints") } }
    }

    func testASecondRunOverTheSameFolderReadsNothing() throws {
        let indexed = try IndexedFolder()
        for number in 0..<20 { try indexed.write("f\(number % 3)/\(number).jpg", "photo \(number)") }
        let first = try indexed.run()
        XCTAssertEqual(first, .init(photos: 20, new: 20, prints: 20))
        let second = try indexed.run()
        XCTAssertEqual(second, .init(photos: 20, unchanged: 20))
        XCTAssertEqual(indexed.made.withLock { $0 }, 20)
        XCTAssertEqual(try indexed.contents()["f1/7.jpg"], "photo 7")
    }

    func testNewChangedAndRemovedPhotosAreFollowed() throws {
        let indexed = try IndexedFolder()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try indexed.write(name, "old \(name.first ?? " ")") }
        try indexed.run()
        try indexed.write("b.jpg", "newer b")
        try FileManager.default.removeItem(atPath: indexed.scratch.path("photos/c.jpg"))
        try indexed.write("d.jpg", "new d")
        XCTAssertEqual(try indexed.run(), .init(photos: 3, new: 1, changed: 1, removed: 1, unchanged: 1, prints: 2))
        XCTAssertEqual(try indexed.contents(), ["a.jpg": "old a", "b.jpg": "newer b", "d.jpg": "new d"])
        XCTAssertEqual(try indexed.printCount, 3, "the prints of deleted photos are deleted, too")
    }

    func testAChangeThatKeepsTheSizeIsSeenByItsTime() throws {
        let indexed = try IndexedFolder()
        let path = try indexed.write("a.jpg", "one")
        try indexed.run()
        try indexed.write("a.jpg", "two")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: path)
        XCTAssertEqual(try indexed.run().changed, 1)
        XCTAssertEqual(try indexed.contents(), ["a.jpg": "two"])
    }

    func testMovedPhotosKeepTheirPrints() throws {
        let indexed = try IndexedFolder()
        for number in 0..<10 { try indexed.write("old/\(number).jpg", "photo \(number)") }
        try indexed.run()
        // A folder that gets another name, and a photo that goes elsewhere.
        try FileManager.default.moveItem(
            atPath: indexed.scratch.path("photos/old"), toPath: indexed.scratch.path("photos/new"))
        try FileManager.default.moveItem(
            atPath: indexed.scratch.path("photos/new/3.jpg"), toPath: indexed.scratch.path("photos/three.jpg"))
        XCTAssertEqual(try indexed.run(), .init(photos: 10, moved: 10))
        XCTAssertEqual(indexed.made.withLock { $0 }, 10)
        XCTAssertEqual(try indexed.contents()["three.jpg"], "photo 3")
        XCTAssertEqual(try indexed.contents()["new/4.jpg"], "photo 4")
    }

    func testPhotosThatWereCopiedAndDeletedAreKnownByTheirContents() throws {
        let indexed = try IndexedFolder()
        let old = try indexed.write("a.jpg", "the photo")
        try indexed.run()
        try indexed.write("sub/b.jpg", "the photo")
        try FileManager.default.removeItem(atPath: old)
        XCTAssertEqual(try indexed.run(), .init(photos: 1, moved: 1))
        XCTAssertEqual(indexed.made.withLock { $0 }, 1)
        XCTAssertEqual(try indexed.contents(), ["sub/b.jpg": "the phot"])
    }

    func testCopiesShareAPrintAndLiveOnAlone() throws {
        let indexed = try IndexedFolder()
        try indexed.write("a.jpg", "same")
        try indexed.run()
        try indexed.write("b.jpg", "same")
        XCTAssertEqual(try indexed.run(), .init(photos: 2, copied: 1, unchanged: 1))
        XCTAssertEqual(try indexed.printCount, 1)
        try FileManager.default.removeItem(atPath: indexed.scratch.path("photos/a.jpg"))
        XCTAssertEqual(try indexed.run(), .init(photos: 1, removed: 1, unchanged: 1))
        XCTAssertEqual(try indexed.contents(), ["b.jpg": "same"])
    }

    func testPhotosThatSwapTheirNamesSwapTheirPrints() throws {
        let indexed = try IndexedFolder()
        let (a, b) = (try indexed.write("a.jpg", "first"), try indexed.write("b.jpg", "second one"))
        try indexed.run()
        let aside = indexed.scratch.path("aside")
        for (from, to) in [(a, aside), (b, a), (aside, b)] {
            try FileManager.default.moveItem(atPath: from, toPath: to)
        }
        try indexed.run()
        XCTAssertEqual(try indexed.contents(), ["a.jpg": "second o", "b.jpg": "first"])
        XCTAssertEqual(indexed.made.withLock { $0 }, 2)
    }

    func testUnreadablePhotosAreReportedSkippedAndTriedAgain() throws {
        let indexed = try IndexedFolder()
        try indexed.write("good.jpg", "good")
        try indexed.write("bad.jpg", "bad bytes")
        var told: [String] = []
        let reports = IndexRun.Reports(skipped: { path, reason in told.append("\(path.text): \(reason)") })
        XCTAssertEqual(try indexed.run(reports), .init(photos: 1, new: 1, skipped: 1, prints: 1))
        XCTAssertEqual(told, ["bad.jpg: is no photo"])
        XCTAssertEqual(try indexed.run(reports).skipped, 1)
        XCTAssertEqual(told.count, 2)
        try indexed.write("bad.jpg", "mended")
        XCTAssertEqual(try indexed.run(reports), .init(photos: 2, new: 1, unchanged: 1, prints: 1))
        try indexed.write("good.jpg", "bad now")
        XCTAssertEqual(try indexed.run(reports), .init(photos: 1, unchanged: 1, skipped: 1))
        XCTAssertEqual(try indexed.contents(), ["bad.jpg": "mended"])
    }

    func testDamagedPrintsAreMadeAnewAndTheOthersLeftAlone() throws {
        let indexed = try IndexedFolder()
        for name in ["a", "b", "copy of b", "c"] { try indexed.write("\(name).jpg", "photo \(name.last ?? " ")") }
        try indexed.run()
        let good = try indexed.contents()
        // One bit of one print, which two photos share.
        try indexed.index().database.run(
            "UPDATE prints SET data = CAST('photo x' || x'00' AS BLOB) "
                + "WHERE id = (SELECT print FROM photos WHERE path = ?)",
            [.bytes(Array("b.jpg".utf8))])
        XCTAssertThrowsError(try indexed.contents()) { XCTAssertEqual(($0 as? DatabaseError)?.kind, .damaged) }
        let made = indexed.made.withLock { $0 }
        let summary = try indexed.run(threads: 1)
        XCTAssertEqual(summary, .init(photos: 4, repaired: 2, unchanged: 2, prints: summary.prints))
        XCTAssertEqual(try indexed.contents(), good)
        XCTAssertTrue((made + 1...made + 2).contains(indexed.made.withLock { $0 }))
        XCTAssertEqual(try indexed.printCount, 3)
        XCTAssertEqual(try indexed.run(), .init(photos: 4, unchanged: 4))
    }

    func testARepairThatIsInterruptedGoesOn() throws {
        let indexed = try IndexedFolder()
        for number in 0..<5 { try indexed.write("\(number).jpg", "photo \(number)") }
        try indexed.run()
        try indexed.index().database.run("UPDATE prints SET checksum = checksum + 1")
        XCTAssertTrue(try indexed.run(.init(isInterrupted: { true })).isInterrupted)
        XCTAssertEqual(try indexed.contents(), [:], "no damaged print is left")
        XCTAssertEqual(try indexed.run().photos, 5)
        XCTAssertEqual(try indexed.contents().count, 5)
    }

    func testFoldersThatCannotBeReadKeepTheirPhotos() throws {
        let indexed = try IndexedFolder()
        for name in ["in/a.jpg", "inner/b.jpg", "c.jpg", "c.jpg.png"] { try indexed.write(name, name) }
        try indexed.run()
        let changes = try IndexChanges(try indexed.index())
        try changes.collect { found in
            try found(.unreadable(FilePath("in"), isFolder: true, reason: "denied"))
            try found(.unreadable(FilePath("c.jpg"), isFolder: false, reason: "denied"))
        }
        XCTAssertEqual(try changes.apply(), .init(vanished: 2))
        XCTAssertEqual(Set(try indexed.contents().keys), ["in/a.jpg", "c.jpg"])
    }

    func testAnEmptyFolderDoesNotEmptyTheIndex() throws {
        let indexed = try IndexedFolder()
        let path = try indexed.write("a.jpg", "a")
        try indexed.run()
        try FileManager.default.removeItem(atPath: path)
        XCTAssertThrowsError(try indexed.run()) { error in
            XCTAssertEqual((error as? DatabaseError)?.kind, .mismatch)
            XCTAssertTrue("\(error)".contains("disk"), "\(error)")
        }
        XCTAssertEqual(try indexed.contents(), ["a.jpg": "a"])
    }

    func testAnotherFolderIsRefusedUnlessItIsTheSameInAnotherPlace() throws {
        let indexed = try IndexedFolder()
        try indexed.write("a.jpg", "a")
        try indexed.run()
        let other = try IndexedFolder()
        try other.write("a.jpg", "a")
        let run = IndexRun(folder: other.folder) { _ in throw Unreadable() }
        XCTAssertThrowsError(try run.run(into: indexed.index())) { error in
            XCTAssertTrue("\(error)".contains(indexed.folder.text) && "\(error)".contains("--relocate"), "\(error)")
        }
        var relocated = run
        relocated.isRelocated = true
        let summary = try relocated.run(into: indexed.index())
        XCTAssertEqual(summary.photos, 1)
        XCTAssertEqual(summary.prints, 0, "known by its contents")
        XCTAssertEqual(try indexed.index().collection()?.folder, other.folder)
    }

    func testAnInterruptedRunGoesOnWhereItStopped() throws {
        let indexed = try IndexedFolder()
        for number in 0..<50 { try indexed.write("\(number).jpg", "photo \(number)") }
        let made = indexed.made
        let first = try indexed.run(.init(isInterrupted: { made.withLock { $0 } >= 12 }))
        XCTAssertTrue(first.isInterrupted)
        XCTAssertTrue((12..<40).contains(first.photos), "\(first)")
        XCTAssertEqual(first.photos, made.withLock { $0 }, "what was made is kept")
        let second = try indexed.run()
        XCTAssertEqual(second.unchanged, first.photos)
        XCTAssertEqual(made.withLock { $0 }, 50, "none is made twice")
        XCTAssertEqual(try indexed.contents().count, 50)
    }

    func testPrintsOfAMoveThatWasInterruptedAreFoundByTheNextRun() throws {
        let indexed = try IndexedFolder()
        for number in 0..<10 { try indexed.write("\(number).jpg", "photo \(number)") }
        try indexed.run()
        for number in 0..<10 {
            try FileManager.default.removeItem(atPath: indexed.scratch.path("photos/\(number).jpg"))
            try indexed.write("copy-\(number).jpg", "photo \(number)")
        }
        XCTAssertTrue(try indexed.run(.init(isInterrupted: { true })).isInterrupted)
        XCTAssertEqual(try indexed.run(), .init(photos: 10, moved: 10))
        XCTAssertEqual(indexed.made.withLock { $0 }, 10)
    }

    func testPrintsOfAnotherKindAreRefused() throws {
        let indexed = try IndexedFolder()
        try indexed.write("a.jpg", "a")
        try indexed.run()
        try indexed.write("b.jpg", "b")
        let run = IndexRun(folder: indexed.folder) { _ in
            StoredPrint(
                kind: .init(revision: 2, elementType: 1, count: 2, byteCount: 8), data: [0, 0, 0, 0, 0, 0, 0, 0])
        }
        XCTAssertThrowsError(try run.run(into: indexed.index())) { error in
            XCTAssertEqual((error as? DatabaseError)?.kind, .mismatch)
        }
        XCTAssertEqual(try indexed.contents(), ["a.jpg": "a"])
    }

    func testProgressCountsThePhotosThatAreReadAndOnlyThose() throws {
        let indexed = try IndexedFolder()
        for number in 0..<5 { try indexed.write("\(number).jpg", "photo \(number)") }
        try indexed.run()
        for number in 5..<12 { try indexed.write("\(number).jpg", "photo \(number)") }
        var seen: [String] = []
        try indexed.run(.init(progress: { seen.append("\($0)/\($1)") }))
        XCTAssertEqual(seen, (1...7).map { "\($0)/7" })
    }

    func testAHundredThousandPhotosAreComparedWithoutReadingThem() throws {
        let indexed = try IndexedFolder()
        let count = 100_000
        func photo(_ number: Int, folder: String) -> FoundPhoto {
            FoundPhoto(
                path: FilePath("\(folder)/\(number % 100)/\(number).jpg"),
                stamp: FileStamp(size: Int64(number), modified: 7, node: Int64(number)))
        }
        let index = try indexed.index()
        let stored = try index.store(
            (0..<count).map { number in
                let found = photo(number, folder: "a")
                let digest = withUnsafeBytes(of: number) { Array($0) }
                return (
                    .init(id: 0, path: found.path, isNew: true),
                    .print(stamp: found.stamp, digest: digest + digest, data: [1])
                )
            })
        XCTAssertEqual(stored.filter { $0 == .new }.count, count)
        // One in ten is in another folder, one in a thousand is deleted, one in a hundred is new.
        let changes = try IndexChanges(index)
        try changes.collect { found in
            for number in 0..<count where number % 1000 != 1 {
                try found(.photo(photo(number, folder: number % 10 == 0 ? "b" : "a")))
            }
            for number in 0..<count / 100 { try found(.photo(photo(count + number, folder: "c"))) }
        }
        XCTAssertEqual(
            try changes.apply(),
            .init(unchanged: 89_900, moved: 10_000, vanished: 10_100, pending: 1000))
        XCTAssertEqual(try index.photoCount, 99_900)
        var (last, pending): (Int64, Int) = (0, 0)
        while let page = try Optional(changes.pending(after: last, limit: 300)), let end = page.last {
            pending += page.count
            last = end.id
        }
        XCTAssertEqual(pending, 1000)
    }

    // MARK: Indexes of earlier formats

    func testPhotosOfAnIndexOfFormat2AreKnownByTheirContents() throws {
        let indexed = try IndexedFolder()
        try indexed.write("a.jpg", "one")
        try indexed.write("b.jpg", "two")
        try indexed.run()
        try indexed.makeFormat2(["one", "two"])
        XCTAssertEqual(try indexed.contents(), ["a.jpg": "one", "b.jpg": "two"])

        try indexed.write("copy.jpg", "one")
        try indexed.write("copy 2.jpg", "one")
        try indexed.write("new.jpg", "three")
        let summary = try indexed.run()
        XCTAssertEqual([summary.copied, summary.new, summary.unchanged, summary.prints], [2, 1, 2, 1])
        XCTAssertEqual(indexed.made.current, 3, "prints were made again")
        let lengths = try indexed.digestLengths()
        XCTAssertEqual(lengths, ["one": 32, "two": 16, "three": 32])
        XCTAssertEqual(try indexed.contents()["copy 2.jpg"], "one")
        XCTAssertEqual(try indexed.run().unchanged, 5)
    }
}
