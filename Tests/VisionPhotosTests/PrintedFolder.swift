import Foundation
import ModelTestSupport
import VisionExtras
import VisionImage
import VisionThreads
import XCTest

@testable import VisionPhotos

/// A folder of photos whose prints the tests make of their bytes, and how often one was made.
final class PrintedFolder: Sendable {
    static let kind = PhotoIndex.Kind(revision: 1, elementType: 1, count: 64, byteCount: 256)

    // Never changed; it removes the folder in the end.
    nonisolated(unsafe) let scratch: Scratch
    let made = Locked(0)

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("photos"), withIntermediateDirectories: true)
    }

    var folder: FilePath { FilePath(scratch.path("photos")) }

    func path(_ name: String) -> String { scratch.path("photos/" + name) }

    func write(_ name: String, _ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path(name) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    func run() -> IndexRun {
        let made = made
        return IndexRun(folder: folder, threads: 2) { data in
            struct Unreadable: LocalizedError { var errorDescription: String? { "is no photo" } }
            guard !data.starts(with: Data("bad".utf8)) else { throw Unreadable() }
            made.withLock { $0 += 1 }
            return StoredPrint(kind: Self.kind, data: Self.print(of: String(decoding: data, as: UTF8.self)))
        }
    }

    @discardableResult
    func run(into name: String, _ reports: IndexRun.Reports = .init()) throws -> IndexRun.Summary {
        try PrintStores.open(writing: name).update(by: run(), kind: Self.kind, reports)
    }

    /// A vector near that of all texts that begin with the same word.
    static func print(of text: String) -> [UInt8] {
        func vector(_ text: Substring) -> [Float] {
            var random = SplitMix64(seed: text.utf8.reduce(14_695_981) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
            return (0..<64).map { _ in Float.random(in: -1...1, using: &random) }
        }
        let (centre, own) = (vector(text.prefix { $0 != " " }), vector(text[...]))
        return zip(centre, own).flatMap { centre, own in
            withUnsafeBytes(of: (centre + 0.3 * own).bitPattern.littleEndian) { Array($0) }
        }
    }

    struct Found: Equatable {
        var path: String
        var distance: Float
    }

    func nearest(to text: String, in name: String, isExact: Bool = false) throws -> [Found] {
        try nearest(to: text, in: try PrintStores.open(reading: name), isExact: isExact)
    }

    func nearest(to text: String, in store: any PrintStore, isExact: Bool = false) throws -> [Found] {
        let print = try FeaturePrint(revision: 1, data: Data(Self.print(of: text)))
        let collection = try XCTUnwrap(try store.collection())
        let found: Nearest<FilePath>
        if let file = store as? PhotoIndex {
            found = try file.nearest(to: print, collection, limit: 10, isExact: isExact)
        } else {
            found = try XCTUnwrap(store as? PostgresIndex).nearest(
                to: print, collection, limit: 10, isExact: isExact)
        }
        return found.sorted.map { Found(path: $0.key.text, distance: $0.distance) }
    }
}
