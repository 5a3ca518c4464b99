import Foundation
import ModelTestSupport
import Vision
import VisionFiles
import XCTest

@testable import VisionPhotos

/// The public search of an index: what it needs, what it refuses, and an index that grows while it is open.
final class PhotoSearchTests: XCTestCase {
    private var scratch: Scratch?
    private var database: String { scratch?.path("photos.db") ?? "" }

    override func setUpWithError() throws { scratch = try Scratch() }
    override func tearDown() { scratch = nil }

    private func print(_ revision: Int, shade: UInt8) throws -> VNFeaturePrintObservation {
        let request = VNGenerateImageFeaturePrintRequest()
        request.revision = revision
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, 64, 64, kCVPixelFormatType_OneComponent8, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer)).assumingMemoryBound(to: UInt8.self)
        for y in 0..<64 {
            for x in 0..<64 { base[y * CVPixelBufferGetBytesPerRow(buffer) + x] = UInt8(x * 2) ^ shade }
        }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        _ = try requireModel { try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request]) }
        return try XCTUnwrap(request.results?.first)
    }

    private func add(_ print: VNFeaturePrintObservation, _ name: String) throws {
        let index = try PhotoIndex(writing: database)
        let stored = StoredPrint(print)
        if try index.collection() == nil {
            try index.setCollection(.init(folder: FilePath("/photos"), kind: stored.kind))
        }
        let photo = IndexChanges.Pending(id: 1, path: FilePath(name), isNew: true)
        _ = try index.store([
            (
                photo,
                .print(
                    stamp: FileStamp(size: 1, modified: 1, node: 1),
                    digest: try ContentDigest(of: Data(name.utf8)).bytes, data: stored.data)
            )
        ])
    }

    func testAnIndexThatGrowsIsSearchedAsItIs() throws {
        for revision in [1, 2] {
            try? FileManager.default.removeItem(atPath: database)
            let (one, other) = (try print(revision, shade: 0), try print(revision, shade: 255))
            try add(one, "a/one.jpg")
            let search = try PhotoSearch(path: database)
            XCTAssertEqual(search.revision, revision)
            XCTAssertEqual(try search.nearest(5, to: other).map(\.path), ["a/one.jpg"])
            try add(other, "other.jpg")
            let found = try search.nearest(5, to: other)
            XCTAssertEqual(found.map(\.path), ["other.jpg", "a/one.jpg"])
            XCTAssertEqual(found[0].distance, 0, accuracy: 1e-3)
            XCTAssertEqual(try search.nearest(1, to: one).map(\.path), ["a/one.jpg"])
            XCTAssertEqual(try search.nearest(5, to: one, within: found[1].distance / 2).map(\.path), ["a/one.jpg"])
            for limit in [0, -1, .min] { XCTAssertEqual(try search.nearest(limit, to: one).count, 0) }
        }
    }

    func testWhatCannotBeSearchedIsAnErrorWithASentence() throws {
        func message(_ body: () throws -> Void) -> String {
            do {
                try body()
                return ""
            } catch {
                return error.localizedDescription
            }
        }
        XCTAssertTrue(message { _ = try PhotoSearch(path: database) }.contains("photos.db"))
        _ = try PhotoIndex(writing: database)
        XCTAssertTrue(message { _ = try PhotoSearch(path: database) }.contains("no photos"))
        try add(try print(1, shade: 0), "one.jpg")
        let search = try PhotoSearch(path: database)
        let other = try print(2, shade: 0)
        XCTAssertTrue(message { _ = try search.nearest(5, to: other) }.contains("another kind"))
    }
}
