import ModelTestSupport
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionModels
import XCTest

@testable import openvision
import VisionPhotos

/// Runs the commands about photos as their users do, with photos that the tests make.
final class PhotoCommandTests: XCTestCase {
    /// Skips where the network is not installed, unless `make test` has installed it.
    private func requireNetwork() throws {
        _ = try requireModel { try PhotoPrinter(revision: nil) }
    }

    @discardableResult
    private func write(_ seed: UInt64, _ name: String, in scratch: Scratch) throws -> String {
        try DrawnPhotos.write(seed, name, in: scratch)
    }

    // MARK: Exit codes

    func testWrongCommandLinesExitWith64AndSayWhatIsWrong() throws {
        for (arguments, part) in [
            (["classify"], "images"), (["classify", "a.jpg", "--min-precision", "0.5"], "--recall"),
            (["classify", "a.jpg", "--precision", "0.5"], "--min-recall"),
            (["classify", "a.jpg", "--min-precision", "2", "--recall", "0.5"], "0 to 1"),
            (["classify", "a.jpg", "--min-precision", "nan", "--recall", "0.5"], "0 to 1"),
            (["classify", "a.jpg", "--top", "0"], "--top"), (["classify", "a.jpg", "--threads", "0"], "--threads"),
            (["similar", "a.jpg"], "images"), (["similar", "a.jpg", "b.jpg", "--sheet", "c.gif"], "c.gif"),
            (["index", "photos"], "--db"), (["search", "a.jpg"], "--db"),
            (["search", "a.jpg", "--db", "a.db", "--top", "0"], "--top"),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains(part), "\(arguments): \(run.errors)")
            XCTAssertEqual(run.output, "")
        }
    }

    func testFilesThatCannotBeUsedExitWith1AndAreNamed() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let noise = try scratch.write(Data("no photo".utf8), "noise.jpg")
        let photo = try write(1, "photo.jpg", in: scratch)
        let missing = scratch.path("missing")
        for (arguments, named) in [
            (["classify", noise], noise), (["classify", missing], missing), (["similar", noise, photo], noise),
            (["similar", photo, missing], missing), (["index", missing, "--db", scratch.path("a.db")], missing),
            (["search", photo, "--db", missing], missing), (["search", photo, "--db", noise], noise),
            (["index", scratch.url.path, "--db", photo], photo),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 1, "\(arguments): \(run.errors)")
            XCTAssertTrue(run.errors.contains(named), "\(arguments): \(run.errors)")
            XCTAssertFalse(run.errors.contains("Domain="), run.errors)
        }
    }

    func testAMissingNetworkIsNotReportedAsAnErrorOfPhotos() throws {
        let scratch = try Scratch()
        let photo = try write(1, "photos/photo.jpg", in: scratch)
        for arguments in [
            ["classify", photo], ["similar", photo, photo],
            ["index", scratch.path("photos"), "--db", scratch.path("a.db")],
        ] {
            let run = try openvision(arguments, environment: ["OPENVISION_MODELS": scratch.path("no models")])
            guard run.code != 0 else { throw XCTSkip("a network is installed for all users") }
            XCTAssertEqual(run.code, 1)
            XCTAssertTrue(run.errors.contains("openvision models install"), run.errors)
            XCTAssertFalse(run.errors.contains(photo), run.errors)
        }
    }

    func testHelpShowsExamples() throws {
        for command in ["classify", "similar", "index", "search"] {
            let help = try openvision([command, "--help"])
            XCTAssertEqual(help.code, 0)
            XCTAssertTrue(help.output.contains("Examples:"))
        }
    }

    // MARK: Classes

    func testClassifyPrintsTheBestClassesOfEachPhotoInTheOrderOfThePhotos() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let photos = try (1...5).map { try write(UInt64($0), "\($0).jpg", in: scratch) }
        let noise = try scratch.write(Data("no photo".utf8), "3b.jpg")
        let run = try openvision(
            ["classify"] + photos.prefix(3) + [noise] + photos.suffix(2) + ["--top", "4", "--json"])
        XCTAssertEqual(run.code, 1, "one could not be read")
        XCTAssertEqual(run.lines.count, 6)
        for (line, path) in (photos.prefix(3) + [noise] + photos.suffix(2)).enumerated() {
            let object = try run.object(line)
            XCTAssertEqual(try run.path(line), path)
            guard path != noise else {
                XCTAssertNotNil(object["error"] as? String)
                continue
            }
            let classes = try run.results(line)
            let confidences = classes.compactMap { $0["confidence"] as? Double }
            XCTAssertEqual(confidences.count, 4)
            XCTAssertEqual(confidences, confidences.sorted(by: >))
            XCTAssertTrue(confidences.allSatisfy { (0...1).contains($0) })
        }
        let text = try openvision(["classify", photos[0], "--top", "4"])
        XCTAssertEqual(text.lines.count, 5)
        XCTAssertEqual(String(text.lines[0]), photos[0])
    }

    func testClassifyPrintsTheConfidencesOfTheRequest() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let photo = try write(7, "a.png", in: scratch)
        let run = try openvision(["classify", photo, "--top", "100000", "--json"])
        let request = VNClassifyImageRequest()
        try VNImageRequestHandler(url: URL(fileURLWithPath: photo)).perform([request])
        let expected = Dictionary(
            uniqueKeysWithValues: try XCTUnwrap(request.results).map { ($0.identifier, Double($0.confidence)) })
        let classes = try run.results(0)
        XCTAssertEqual(classes.count, expected.count)
        for one in classes {
            let identifier = try XCTUnwrap(one["identifier"] as? String)
            XCTAssertEqual(
                try XCTUnwrap(one["confidence"] as? Double), try XCTUnwrap(expected[identifier]), accuracy: 1e-6)
        }
    }

    func testClassifyTakesEveryRevision() throws {
        try requireNetwork()
        _ = try requireModel { try Backbone.shared(.efficientNetLite2) }
        let scratch = try Scratch()
        let photo = try write(7, "a.png", in: scratch)
        for revision in VNClassifyImageRequest.supportedRevisions {
            let run = try openvision(["classify", photo, "--revision", "\(revision)", "--top", "3", "--json"])
            XCTAssertEqual(run.code, 0, run.errors)
            let request = VNClassifyImageRequest()
            request.revision = revision
            try VNImageRequestHandler(url: URL(fileURLWithPath: photo)).perform([request])
            let expected = try XCTUnwrap(request.results).prefix(3).map(\.identifier)
            XCTAssertEqual(try run.results(0).compactMap { $0["identifier"] as? String }, expected)
        }
        let unknown = try openvision(["classify", photo, "--revision", "5"])
        XCTAssertNotEqual(unknown.code, 0)
        XCTAssertTrue(unknown.errors.contains("revision 1 or 2 or 3 or 4"), unknown.errors)
    }

    func testClassesThatDoNotPassTheirCurveAreNotPrinted() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let photo = try write(9, "a.png", in: scratch)
        let request = VNClassifyImageRequest()
        try VNImageRequestHandler(url: URL(fileURLWithPath: photo)).perform([request])
        let results = try XCTUnwrap(request.results)
        func identifiers(_ options: [String]) throws -> Set<String> {
            let run = try openvision(["classify", photo, "--json"] + options)
            XCTAssertEqual(run.code, 0, run.errors)
            let classes = try run.results(0)
            return Set(classes.compactMap { $0["identifier"] as? String })
        }
        let precise = results.filter { $0.hasMinimumPrecision(0.01, forRecall: 0.95) }.map(\.identifier)
        XCTAssertEqual(try identifiers(["--min-precision", "0.01", "--recall", "0.95"]), Set(precise))
        XCTAssertLessThan(precise.count, results.count)
        let complete = results.filter { $0.hasMinimumRecall(0.01, forPrecision: 0.5) }.map(\.identifier)
        XCTAssertEqual(try identifiers(["--min-recall", "0.01", "--precision", "0.5"]), Set(complete))
        XCTAssertEqual(
            try identifiers([
                "--min-recall", "0.01", "--precision", "0.5", "--min-precision", "0.01", "--recall", "0.95",
            ]),
            Set(complete).intersection(precise))
    }

    func testATreeIndentsClassesBelowTheirParents() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let photo = try write(3, "a.png", in: scratch)
        let run = try openvision(["classify", photo, "--top", "30", "--tree"])
        let depths = run.lines.dropFirst().map { $0.prefix { $0 == " " }.count }
        XCTAssertEqual(depths.count, 30)
        XCTAssertEqual(depths.first, 2)
        XCTAssertTrue(depths.contains { $0 > 2 })
        XCTAssertTrue(zip(depths, depths.dropFirst()).allSatisfy { $1 <= $0 + 2 })
        let json = try openvision(["classify", photo, "--top", "30", "--tree", "--json"])
        let classes = try json.results(0)
        XCTAssertTrue(classes.allSatisfy { $0["parents"] is [String] })
    }

    func testTheSummaryHasLeavesWithTheirPaths() throws {
        try requireNetwork()
        let taxonomy = try ClassificationTaxonomy()
        let scratch = try Scratch()
        let photo = try write(4, "a.png", in: scratch)
        let summary = try openvision(["classify", photo, "--json"])
        let names = try summary.results(0).compactMap { $0["identifier"] as? String }
        let leaves = names.filter { taxonomy.children(of: $0) == [] }
        XCTAssertTrue((1...5).contains(leaves.count), "\(names)")
        XCTAssertLessThanOrEqual(names.count - leaves.count, 2)
        XCTAssertEqual(Array(names.suffix(leaves.count)), leaves, "general classes come first")
        let best = try openvision(["classify", photo, "--top", "1", "--leaves", "--json"])
        XCTAssertEqual(try best.results(0).compactMap { $0["identifier"] as? String }, Array(leaves.prefix(1)))
        let text = try openvision(["classify", photo])
        let leaf = try XCTUnwrap(leaves.first { (taxonomy.path(to: $0)?.count ?? 0) > 1 })
        let path = try XCTUnwrap(taxonomy.path(to: leaf)).dropLast().reversed().joined(separator: " › ")
        XCTAssertTrue(text.lines.contains { $0.hasSuffix("\(leaf) (\(path))") }, "\(text.lines)")
        let some = try openvision(["classify", photo, "--top", "400", "--leaves", "--json"])
        for one in try some.results(0) {
            XCTAssertEqual(taxonomy.children(of: try XCTUnwrap(one["identifier"] as? String)), [])
        }
    }

    func testWithoutASureLeafTheMostSpecialSureClassesComeFirst() throws {
        let taxonomy = try ClassificationTaxonomy()
        let summary = ClassSummary(taxonomy: taxonomy)
        func one(_ name: String, _ confidence: Double) -> ClassTree.Class {
            .init(identifier: name, confidence: confidence)
        }
        let hound = try XCTUnwrap(taxonomy.parents(of: "beagle")?.first)
        let unsure = [one("animal", 0.98), one(hound, 0.9), one("beagle", 0.3), one("tench", 0.004)]
        XCTAssertEqual(summary.classes(of: unsure).map(\.identifier), [hound, "beagle"])
        let sure = [one("animal", 0.99), one("beagle", 0.97), one("tench", 0.02)]
        XCTAssertEqual(summary.classes(of: sure).map(\.identifier), ["beagle", "tench"])
        let keywords = summary.keywords(of: sure)
        XCTAssertTrue(
            keywords.contains("beagle") && keywords.contains(hound) && !keywords.contains("tench"), "\(keywords)")
        XCTAssertEqual(Set(keywords).count, keywords.count)
        XCTAssertEqual(summary.classes(of: []), [])
    }

    // MARK: Ranking

    func testSimilarRanksPhotosAndWritesASheet() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let query = try write(1, "query.png", in: scratch)
        for seed in 1...6 { try write(UInt64(seed), "photos/\(seed).jpg", in: scratch) }
        let noise = try scratch.write(Data("no photo".utf8), "photos/noise.jpg")
        let sheet = scratch.path("sheet.jpg")
        let run = try openvision([
            "similar", query, scratch.path("photos"), query, "--sheet", sheet, "--json", "--max-distance", "2",
        ])
        XCTAssertEqual(run.code, 1, run.errors)
        XCTAssertEqual(try run.path(0), noise)
        let ranked = try (1..<run.lines.count).compactMap { try run.results($0).first }
        XCTAssertEqual(ranked.compactMap { $0["rank"] as? Int }, Array(1...6), "the query itself is left out")
        let distances = ranked.compactMap { $0["distance"] as? Double }
        XCTAssertEqual(distances, distances.sorted())
        XCTAssertEqual(try run.path(1), scratch.path("photos/1.jpg"), "the same as a JPEG")
        let source = try XCTUnwrap(CGImageSourceCreateWithURL(URL(fileURLWithPath: sheet), nil))
        let image = try XCTUnwrap(CGImageSourceCreateImageAtIndex(source, 0, nil))
        XCTAssertEqual(image.width, 4 * 236 + 12, "seven images")

        let few = try openvision(["similar", query, scratch.path("photos"), "--top", "2"])
        XCTAssertEqual(few.lines.count, 2)
        let page = scratch.path("page.html")
        let none = try openvision(
            ["similar", query, scratch.path("photos"), "--max-distance", "0", "--html", page])
        XCTAssertTrue(none.output.contains("no similar photo"), none.output)
        XCTAssertTrue(try String(contentsOfFile: page, encoding: .utf8).contains("<b>query.png</b>"))
        XCTAssertEqual(try openvision(["similar", query, "a", "--max-distance", "-1"]).code, 64)
        XCTAssertEqual(try openvision(["similar", query, "a", "--html", "page.pdf"]).code, 64)
    }

    func testPhotosAreNeverOverwrittenByASheet() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let (query, other) = (try write(1, "a.png", in: scratch), try write(2, "b.png", in: scratch))
        XCTAssertEqual(symlink(other, scratch.path("link.png")), 0)
        for sheet in [query, other, scratch.path("link.png")] {
            let before = try Data(contentsOf: URL(fileURLWithPath: sheet))
            XCTAssertEqual(try openvision(["similar", query, other, "--sheet", sheet]).code, 1)
            XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: sheet)), before)
        }
    }

    // MARK: The index

    func testAnIndexIsSearchedAndUpdatedWithItsFolder() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let (folder, database) = (scratch.path("photos"), scratch.path("photos.db"))
        for seed in 1...8 { try write(UInt64(seed), "photos/sub\(seed % 2)/\(seed).jpg", in: scratch) }
        let noise = try scratch.write(Data("no photo".utf8), "photos/noise.jpg")
        let first = try openvision(["index", folder, "--db", database, "--json"])
        XCTAssertEqual(first.code, 1, "a photo is skipped: \(first.errors)")
        XCTAssertEqual(first.lines.count, 2)
        XCTAssertEqual(try first.path(0), "noise.jpg")
        XCTAssertNotNil(try first.object(0)["error"] as? String)
        let summary = try first.object(1)
        XCTAssertEqual(summary["photos"] as? Int, 8)
        XCTAssertEqual(summary["new"] as? Int, 8)
        XCTAssertEqual(summary["skipped"] as? Int, 1)

        let listed = try openvision(["index", folder, "--db", database])
        XCTAssertEqual(listed.code, 1)
        XCTAssertTrue(listed.output.contains("skipped 1"), listed.output)
        XCTAssertTrue(listed.errors.contains("noise.jpg is skipped: "), listed.errors)
        XCTAssertTrue(listed.errors.contains("1 photo or folder was skipped"), listed.errors)

        let query = scratch.path("photos/sub1/5.jpg")
        let found = try openvision([
            "search", query, "--db", database, "--json", "--max-distance", "2", "--sheet", scratch.path("s.png"),
        ])
        XCTAssertEqual(found.code, 0, found.errors)
        XCTAssertEqual(found.lines.count, 7, "all but the query")
        XCTAssertFalse(try found.lines.indices.contains { try found.path($0) == query })
        XCTAssertTrue(FileManager.default.fileExists(atPath: scratch.path("s.png")))
        // The same numbers as without an index.
        let ranked = try openvision(["similar", query, folder, "--json", "--max-distance", "2"])
        XCTAssertEqual(
            Set(ranked.lines.dropFirst().map(String.init)),
            Set(found.lines.map { String($0.replacing("\"kind\":\"search\"", with: "\"kind\":\"similar\"")) }))

        try FileManager.default.removeItem(atPath: noise)
        try FileManager.default.moveItem(atPath: query, toPath: scratch.path("photos/moved.jpg"))
        try FileManager.default.removeItem(atPath: scratch.path("photos/sub0/2.jpg"))
        let second = try openvision(["index", folder, "--db", database])
        XCTAssertEqual(second.code, 0, second.errors)
        XCTAssertTrue(second.output.contains("7 photos"), second.output)
        XCTAssertTrue(second.output.contains("moved 1, removed 1, unchanged 6"), second.output)
        XCTAssertTrue(
            try openvision(["search", scratch.path("photos/sub0/4.jpg"), "--db", database, "--top", "7"]).output
                .contains("photos/moved.jpg"))
    }

    func testAKilledRunIsResumed() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let (folder, database) = (scratch.path("photos"), scratch.path("photos.db"))
        let count = 1500
        for seed in 0..<count {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try ImageFile.write(
                try DrawnPhotos.make(seed: UInt64(seed), width: 48, height: 40), to: folder + "/\(seed).png")
        }
        var before = 0
        for signal in [SIGKILL, SIGINT] {
            let process = Process()
            process.executableURL = Bundle.main.bundleURL.appendingPathComponent("openvision")
            process.arguments = ["index", folder, "--db", database, "--threads", "1", "--quiet"]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            // Until the first batch is written.
            while process.isRunning, ((try? PhotoIndex(reading: database).photoCount) ?? 0) <= before { usleep(20_000) }
            XCTAssertTrue(process.isRunning, "killed while it runs")
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            if signal == SIGINT { XCTAssertEqual(process.terminationStatus, 130) }
            let stored = try PhotoIndex(reading: database).photoCount
            XCTAssertTrue((before + 1..<count).contains(stored), "\(stored)")
            before = stored
        }
        let last = try openvision(["index", folder, "--db", database, "--json"])
        let summary = try last.object(0)
        XCTAssertEqual(summary["photos"] as? Int, count)
        XCTAssertEqual(summary["unchanged"] as? Int, before, "no photo is processed twice")
        XCTAssertEqual(summary["new"] as? Int, count - before)
        let check = try Database(path: database, access: .read).value("PRAGMA integrity_check")
        XCTAssertEqual(check, .text("ok"))
    }

    func testPrintsDoNotDependOnTheNumberOfThreads() throws {
        try requireNetwork()
        let scratch = try Scratch()
        for seed in 1...12 { try write(UInt64(seed), "photos/\(seed).jpg", in: scratch) }
        var prints: [[Int64: [UInt8]]] = []
        for threads in ["1", "3"] {
            let database = scratch.path("\(threads).db")
            XCTAssertEqual(
                try openvision(["index", scratch.path("photos"), "--db", database, "--threads", threads]).code, 0)
            let index = try PhotoIndex(reading: database)
            var byName: [Int64: [UInt8]] = [:]
            try index.database.prepare("SELECT id, data FROM prints").rows { row in
                guard case .integer(let id) = row[0], case .bytes(let data) = row[1] else {
                    return XCTFail("a print without number or data")
                }
                let name = try XCTUnwrap(try index.photos(ofPrint: id, limit: 1).first).text
                byName[Int64(name.prefix { $0 != "." }) ?? -1] = data
            }
            prints.append(byName)
        }
        XCTAssertEqual(prints[0].count, 12)
        XCTAssertEqual(prints[0], prints[1])
    }

    func testAnIndexKeepsItsRevision() throws {
        try requireNetwork()
        let scratch = try Scratch()
        try write(1, "photos/1.jpg", in: scratch)
        let arguments = ["index", scratch.path("photos"), "--db", scratch.path("a.db")]
        XCTAssertEqual(try openvision(arguments + ["--revision", "1"]).code, 0)
        let other = try openvision(arguments + ["--revision", "2"])
        XCTAssertEqual(other.code, 1)
        XCTAssertTrue(other.errors.contains("revision 1"), other.errors)
        XCTAssertEqual(try openvision(arguments).code, 0)
        XCTAssertEqual(try openvision(["classify", scratch.path("photos"), "--revision", "99"]).code, 1)
    }
}
