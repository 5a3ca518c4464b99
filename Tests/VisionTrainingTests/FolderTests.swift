import ModelTestSupport
import VisionPhotos
import XCTest

@testable import VisionTraining

final class FolderTests: XCTestCase {
    private let folder = try? TemporaryFolder()

    private func root() throws -> URL { try XCTUnwrap(folder).url }

    @discardableResult
    private func touch(_ path: String) throws -> URL {
        let url = try root().appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data([1]).write(to: url)
        return url
    }

    private func found(_ folder: LabelledFolder) throws -> [String] {
        let start = try root().path.count + 1
        return folder.photos.map { "\($0.label): \($0.url.path.dropFirst(start))" }
    }

    func testFoldersAreLabelsAndWhatLiesDeeperBelongsToThem() throws {
        for path in ["cat/1.jpg", "cat/old/2.PNG", "cat/old/older/3.heic", "dog/1.webp", "loose.jpg", "dog/notes.txt"] {
            try touch(path)
        }
        let folder = try LabelledFolder(directoriesAt: root())
        XCTAssertEqual(
            try found(folder), ["cat: cat/1.jpg", "cat: cat/old/2.PNG", "cat: cat/old/older/3.heic", "dog: dog/1.webp"])
        XCTAssertEqual(folder.skipped, [])
    }

    func testHiddenFilesAndFoldersAreLeftOut() throws {
        for path in ["cat/.1.jpg", "cat/2.jpg", ".git/3.jpg", "cat/.cache/4.jpg", "cat/._5.jpg"] { try touch(path) }
        let folder = try LabelledFolder(directoriesAt: root())
        XCTAssertEqual(try found(folder), ["cat: cat/2.jpg"])
        XCTAssertEqual(folder.labels, ["cat"])
    }

    func testOddNamesArePhotosLikeOthers() throws {
        let names = [
            "cafe\u{301}.jpg", "caf\u{E9} 2.jpg", "🐈 (1).jpg", "100% #1?.jpg", "a\nb.jpg", "%2F.jpg", "日本語.jpg",
            "-rf.jpg",
        ]
        for name in names { try touch("Kätzchen & Co./\(name)") }
        let folder = try LabelledFolder(directoriesAt: root())
        XCTAssertEqual(folder.photos.count, names.count)
        XCTAssertEqual(Set(folder.photos.map(\.label)), ["Kätzchen & Co."])
        for photo in folder.photos { XCTAssertNoThrow(try PhotoFile.read(FilePath(photo.url.path)), photo.url.path) }
    }

    func testNamesThatAreNoTextAreListed() throws {
        try touch("cat/1.jpg")
        let path = try root().path + "/cat/"
        let bytes = Array(path.utf8) + [0xFF, 0xFE] + Array(".jpg".utf8) + [0]
        let file = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { fopen($0.baseAddress, "w") }
        guard let file else { throw XCTSkip("the file system takes no such names") }
        fclose(file)
        let folder = try LabelledFolder(directoriesAt: root())
        XCTAssertEqual(folder.photos.count, 1)
        XCTAssertEqual(folder.skipped.map(\.reason), ["its name is not UTF-8"])
    }

    func testLinksAreFollowedAndCyclesEnd() throws {
        let files = FileManager.default
        let photo = try touch("cat/1.jpg")
        try touch("store/deep/2.jpg")
        try files.createDirectory(at: root().appendingPathComponent("dog"), withIntermediateDirectories: true)
        for (link, target) in [
            ("dog/linked.jpg", photo.path), ("dog/all", try root().appendingPathComponent("store").path),
            ("store/deep/cycle", try root().appendingPathComponent("store").path),
            ("dog/dead.jpg", "/nowhere/at/all.jpg"),
        ] {
            try files.createSymbolicLink(atPath: root().appendingPathComponent(link).path, withDestinationPath: target)
        }
        let folder = try LabelledFolder(directoriesAt: root())
        XCTAssertEqual(
            try found(folder),
            ["cat: cat/1.jpg", "dog: dog/all/deep/2.jpg", "dog: dog/linked.jpg", "store: store/deep/2.jpg"])
        XCTAssertEqual(folder.skipped.map(\.reason), ["the link leads nowhere"])
    }

    func testFilesAreLabelledUpToTheirFirstPoint() throws {
        for path in ["cat.1.jpg", "cat.2.jpg", "big dog.x.y.png", "cat/3.jpg", "readme.md"] { try touch(path) }
        XCTAssertEqual(
            try found(LabelledFolder(filesAt: root())),
            ["big dog: big dog.x.y.png", "cat: cat.1.jpg", "cat: cat.2.jpg"])
    }

    func testAFolderThatIsNotThereIsAnError() throws {
        XCTAssertThrowsError(try LabelledFolder(directoriesAt: root().appendingPathComponent("none"))) { error in
            guard case LabelledFolder.Failure.unreadable = error else { return XCTFail("\(error)") }
        }
    }

    func testManyFilesAreFound() throws {
        try touch("cat/0.jpg")
        let path = try root().path
        for index in 1..<20_000 { close(open("\(path)/cat/\(index).jpg", O_CREAT | O_WRONLY, 0o600)) }
        XCTAssertEqual(try LabelledFolder(directoriesAt: root()).photos.count, 20_000)
    }
}
