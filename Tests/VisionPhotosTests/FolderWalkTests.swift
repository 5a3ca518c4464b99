import Foundation
import ModelTestSupport
import XCTest

@testable import VisionPhotos

final class FolderWalkTests: XCTestCase {
    private func make(_ scratch: Scratch, _ names: [String]) throws {
        for name in names {
            let url = scratch.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(name.utf8).write(to: url)
        }
    }

    private func walk(
        _ scratch: Scratch, followsLinks: Bool = false
    ) throws -> (photos: [String], unreadable: [FilePath], counts: FolderWalk.Counts) {
        var photos: [String] = []
        var unreadable: [FilePath] = []
        let walk = FolderWalk(root: FilePath(scratch.url.path), followsLinks: followsLinks)
        let counts = try walk.run { finding in
            switch finding {
            case .photo(let photo): photos.append(photo.path.text)
            case .folder: break
            case .unreadable(let path, _, _): unreadable.append(path)
            }
        }
        XCTAssertEqual(counts.photos, photos.count)
        return (photos.sorted(), unreadable, counts)
    }

    func testPhotosAreFoundByTheirExtensionsInAllFolders() throws {
        let scratch = try Scratch()
        let wanted = ["a.jpg", "B.JPEG", "c/d.png", "c/e/f.WebP", "c/e/g.heic", "point.at.end.tif", "c/ .gif"]
        try make(
            scratch, wanted + ["notes.txt", "jpg", ".hidden.jpg", ".trash/h.jpg", "c/.x/y.jpg", ".jpg", "a.jpg.part"])
        let found = try walk(scratch)
        XCTAssertEqual(found.photos, wanted.sorted())
        XCTAssertEqual(found.unreadable, [])
    }

    func testOddNamesAreKeptToTheByte() throws {
        let scratch = try Scratch()
        // Composed and decomposed forms of the same word are two names; so are words that differ in case.
        let names = [
            "caf\u{E9}.jpg", "cafe\u{301}.jpg", "Caf\u{E9}.jpg", "日本語/写真.png", "🙂.webp", "new\nline.jpg", "  .gif",
            "'quote\".jpg", "%s%n.jpg", String(repeating: "ü", count: 125) + ".jpg",
        ]
        try make(scratch, names)
        let latin = FilePath(bytes: Array(scratch.url.path.utf8) + Array("/caf".utf8) + [0xE9] + Array(".jpg".utf8))
        let file = open(latin.system, O_CREAT | O_WRONLY, 0o600)
        XCTAssertGreaterThanOrEqual(file, 0)
        XCTAssertEqual(Foundation.write(file, "bytes", 5), 5)
        close(file)

        var paths: Set<FilePath> = []
        _ = try FolderWalk(root: FilePath(scratch.url.path)).run { finding in
            if case .folder = finding { return }
            guard case .photo(let photo) = finding else { return XCTFail("\(finding)") }
            paths.insert(photo.path)
            let (data, identity) = try PhotoFile.read(FilePath(scratch.url.path).appending(photo.path))
            XCTAssertEqual(FileStamp(identity), photo.stamp)
            XCTAssertEqual(data.count, Int(photo.stamp.size))
        }
        XCTAssertEqual(paths, Set(names.map { FilePath($0) } + [latin.name]))
    }

    func testLinksAreCountedAndLeftOutUnlessTheyAreWanted() throws {
        let (scratch, elsewhere) = (try Scratch(), try Scratch())
        try make(scratch, ["real/a.jpg", "b.jpg"])
        try make(elsewhere, ["far.jpg", "deep/er.jpg", "note.txt"])
        func link(_ name: String, _ target: String) { XCTAssertEqual(symlink(target, scratch.path(name)), 0) }
        link("again.jpg", "b.jpg")
        link("away", elsewhere.url.path)
        link("cycle", ".")
        link("real/up", "..")
        link("broken.jpg", "nowhere.jpg")
        link("text.jpg.txt", "b.jpg")

        let plain = try walk(scratch)
        XCTAssertEqual(plain.photos, ["b.jpg", "real/a.jpg"])
        XCTAssertEqual(plain.counts.links, 4, "again.jpg, away, cycle, real/up")
        XCTAssertEqual(plain.unreadable, [FilePath("broken.jpg")])

        let followed = try walk(scratch, followsLinks: true)
        XCTAssertEqual(followed.photos, ["again.jpg", "away/deep/er.jpg", "away/far.jpg", "b.jpg", "real/a.jpg"])
        XCTAssertEqual(followed.counts.links, 0)
    }

    func testFoldersThatLinkToEachOtherAreEnteredOnce() throws {
        let scratch = try Scratch()
        try make(scratch, (0..<6).map { "f\($0)/p.jpg" })
        for from in 0..<6 {
            for to in 0..<6 { XCTAssertEqual(symlink("../f\(to)", scratch.path("f\(from)/to\(to)")), 0) }
        }
        XCTAssertEqual(try walk(scratch, followsLinks: true).counts.photos, 6)
    }

    func testPipesFoldersAndDevicesWithTheNameOfAPhotoAreNone() throws {
        let scratch = try Scratch()
        try make(scratch, ["folder.jpg/inside.png"])
        XCTAssertEqual(mkfifo(scratch.path("pipe.jpg"), 0o600), 0)
        XCTAssertEqual(symlink("/dev/zero", scratch.path("device.png")), 0)
        XCTAssertEqual(try walk(scratch, followsLinks: true).photos, ["folder.jpg/inside.png"])
        for (name, kind) in [("pipe.jpg", "a named pipe"), ("device.png", "a device"), ("folder.jpg", "a folder")] {
            XCTAssertThrowsError(try PhotoFile.read(FilePath(scratch.path(name)))) { error in
                XCTAssertEqual(
                    error as? PhotoFile.Failure, .init(description: "is not a regular file but \(kind)"))
            }
        }
    }

    func testDeepFoldersAreWalkedAndTooDeepOnesReported() throws {
        let scratch = try Scratch()
        let part = String(repeating: "d", count: 100)
        // Made from inside: a path of more than 4,096 bytes cannot be named from outside.
        let before = FileManager.default.currentDirectoryPath
        defer { XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(before)) }
        XCTAssertEqual(chdir(scratch.url.path), 0)
        for _ in 0..<60 {
            XCTAssertEqual(mkdir(part, 0o700), 0)
            XCTAssertEqual(chdir(part), 0)
            let file = open("p.jpg", O_CREAT | O_WRONLY, 0o600)
            close(file)
        }
        let found = try walk(scratch)
        XCTAssertTrue((35...40).contains(found.photos.count), "\(found.photos.count)")
        XCTAssertEqual(found.unreadable.count, 1)
        // The folder that the test leaves must go again; nothing deletes what it cannot name.
        for _ in 0..<60 {
            unlink("p.jpg")
            XCTAssertEqual(chdir(".."), 0)
            XCTAssertEqual(rmdir(part), 0)
        }
    }

    func testAFolderThatIsMissingIsTheOnlyFinding() throws {
        var findings: [FolderWalk.Finding] = []
        _ = try FolderWalk(root: FilePath("/no/such/folder")).run { findings.append($0) }
        XCTAssertEqual(
            findings, [.unreadable(FilePath(""), isFolder: true, reason: "No such file or directory")])
    }

    func testPathsAreTakenApart() {
        XCTAssertEqual(FilePath("/a/b.JPG").pathExtension, "jpg")
        XCTAssertNil(FilePath("/a.jpg/b").pathExtension)
        XCTAssertNil(FilePath(".jpg").pathExtension)
        XCTAssertEqual(FilePath("a.").pathExtension, "")
        XCTAssertEqual(FilePath("/a/b/").name, FilePath("b"))
        XCTAssertEqual(FilePath("/").name, FilePath(""))
        XCTAssertEqual(FilePath("/a").appending(FilePath("b")), FilePath("/a/b"))
        XCTAssertEqual(FilePath("/").appending(FilePath("b")), FilePath("/b"))
        XCTAssertEqual(FilePath("").appending(FilePath("b")), FilePath("b"))
        XCTAssertEqual(FilePath("a\u{1B}[2Jb\n🙂 é").printable, "a\u{FFFD}[2Jb\u{FFFD}🙂 é")
        XCTAssertEqual(FilePath(bytes: [0x61, 0xE9]).printable, "a\u{FFFD}")
        for path in ["a", "a/b.jpg", "..a/b..", "a b/…"] { XCTAssertTrue(FilePath(path).isInside, path) }
        for path in ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a/.", "a\u{0}"] {
            XCTAssertFalse(FilePath(path).isInside, path)
        }
    }
}
