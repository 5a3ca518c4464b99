import Foundation
import ModelTestSupport
import VisionPhotos
import VisionThreads
import XCTest

@testable import openvision

/// Every command gets the same bad inputs and answers each with a sentence.
final class BadInputTests: XCTestCase {
    /// What users must not see: codes and domains of errors, names of types, the usage of the whole program.
    private static let raw = #"error \d|NSError|Domain=|could not be completed|Usage: openvision <sub|Fatal|\(null\)"#

    /// The commands; `%` is the bad input, and `GOOD`, `CLIP` and `OUT` are a photo, a video and a scratch folder.
    private static let ofImages = [
        "classify %", "faces %", "people %", "animals %", "pose %", "hands %", "segment %", "segment --foreground %",
        "barcodes %", "rectangles %", "document %", "text %", "text --find %", "horizon %", "saliency %",
        "crop % --to 1:1 --output OUT/crop.png", "contours %",
    ]
    private static let ofOthers = [
        "register GOOD %", "register % GOOD", "align % GOOD", "flow GOOD %", "similar % GOOD", "similar GOOD %",
        "index % --db OUT/new.db", "search GOOD --db %", "search % --db OUT/none.db", "train % --output OUT/x.mlmodel",
        "evaluate % OUT", "model-info %", "run % GOOD", "run rectangle-verifier %", "profile %", "generate % -o OUT",
        "convert % OUT/x.mlpackage", "quantize % GOOD -o OUT/x.onnx",
        "segment GOOD --background % --output OUT/x.png",
    ]
    private static let ofVideos = [
        "track % --box 1,2,30,40", "track-rectangle % --quad 1,1,9,1,9,9,1,9", "stability %", "flow %",
        "trajectories %",
        "pose % --video", "hands % --video",
    ]

    private let scratch = Result { try Scratch() }

    override func setUpWithError() throws {
        let scratch = try scratch.get()
        try FileManager.default.createDirectory(atPath: scratch.path("out"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: scratch.path("folder.jpg"), withIntermediateDirectories: true)
        try writePNG(try SyntheticVideo.frame(0, width: 96, height: 72), scratch.path("good.png"))
        try SyntheticVideo.write(to: scratch.path("clip.mp4"), frames: 2)
        try scratch.write(Data(), "empty.jpg")
        let photo = try Photo(FilePath(scratch.path("good.png"))).jpeg()
        try scratch.write(photo.prefix(photo.count * 2 / 3), "truncated.jpg")
        try scratch.write(Data("No image, but a text.\n".utf8), "text.jpg")
        try scratch.write(Self.hugePNG, "huge.png")
        XCTAssertEqual(symlink("loop.jpg", scratch.path("loop.jpg")), 0)
        XCTAssertEqual(mkfifo(scratch.path("pipe.jpg"), 0o600), 0)
    }

    /// The head of a PNG file of 100000 × 100000 pixels.
    private static var hugePNG: Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
            + Data("IHDR".utf8) + Data([0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 2, 0, 0, 0, 0xB7, 0x9C, 0x3B, 0x51])
    }

    /// Runs commands with the bad inputs, side by side.
    ///
    /// - Parameter wrongKind: The photo or video that is bad because it is the other one.
    private func check(_ commands: [String], wrongKind: String, json: Bool = false) throws {
        let scratch = try scratch.get()
        let named = [
            "empty.jpg", "text.jpg", "folder.jpg", "loop.jpg", "truncated.jpg", "huge.png", "missing.jpg", "pipe.jpg",
            wrongKind,
        ].map(scratch.path)
        let inputs =
            json
            ? Array(named.prefix(4)) : named + ["", "/dev/null", "/" + String(repeating: "a", count: 400) + ".jpg"]
        let cases = commands.flatMap { command in inputs.map { (command: command, input: $0) } }
        let (problems, folder) = (Locked<[String]>([]), scratch.url)
        DispatchQueue.concurrentPerform(iterations: cases.count) { index in
            let (command, input) = cases[index]
            let arguments = command.split(separator: " ").map { part in
                part == "%" ? input : Self.filled(String(part), folder)
            }
            let complaint: String?
            do {
                let run = try openvision(arguments + (json ? ["--json"] : []))
                // A video is one for 'segment', which then asks what to write; a folder may be empty for 'index'.
                let isAsked = command.hasPrefix("segment") && input.hasSuffix(".mp4")
                let isEmpty = command.hasPrefix("index") && input.hasSuffix("folder.jpg")
                complaint = isEmpty ? nil : Self.complaint(run, json: json, codes: isAsked ? [1, 64] : [1])
            } catch {
                complaint = "cannot be run: \(error)"
            }
            if let complaint { problems.withLock { $0.append("\(command) of '\(input)': \(complaint)") } }
        }
        XCTAssertEqual(problems.withLock { $0 }.sorted(), [])
    }

    private static func filled(_ part: String, _ folder: URL) -> String {
        [("GOOD", "good.png"), ("CLIP", "clip.mp4"), ("OUT", "out")].reduce(part) { part, name in
            part.replacingOccurrences(of: name.0, with: folder.appendingPathComponent(name.1).path)
        }
    }

    /// Returns what is wrong with an answer to a bad input; nil for a good one.
    private static func complaint(_ run: ToolRun, json: Bool = false, codes: Set<Int32> = [1]) -> String? {
        let said = json && !run.output.isEmpty ? (try? run.object(0)["error"] as? String) ?? "" : run.errors
        guard codes.contains(run.code) else { return "exit code \(run.code): \(run.errors)\(run.output)" }
        guard said.split(whereSeparator: \.isWhitespace).count >= 2 else { return "says '\(said)'" }
        if let range = (run.output + run.errors).range(of: raw, options: .regularExpression) {
            return "says '\((run.output + run.errors)[range])': \(run.errors)\(run.output)"
        }
        return nil
    }

    func testImagesThatCannotBeUsedAreAnsweredWithASentence() throws {
        try check(Self.ofImages, wrongKind: "clip.mp4")
    }

    func testRecordsOfImagesThatCannotBeUsedHaveASentence() throws {
        try check(Self.ofImages, wrongKind: "clip.mp4", json: true)
    }

    func testOtherInputsThatCannotBeUsedAreAnsweredWithASentence() throws {
        try check(Self.ofOthers, wrongKind: "clip.mp4")
    }

    func testVideosThatCannotBeUsedAreAnsweredWithASentence() throws {
        try check(Self.ofVideos, wrongKind: "good.png")
    }

    func testOutputsThatCannotBeWrittenAndWrongValuesAreAnsweredWithASentence() throws {
        let scratch = try scratch.get()
        let drawn = [
            "faces", "people", "animals", "pose", "hands", "segment", "barcodes", "rectangles", "document", "text",
            "text --find", "horizon", "saliency", "contours",
        ].map { "\($0) GOOD --render OUT/no/such/x.png" }
        let failing =
            drawn + [
                "segment GOOD --mask OUT/no/x.png", "segment GOOD --cutout OUT/no/x.png",
                "segment GOOD --output OUT/no/x.png", "segment CLIP --output OUT/no/x.mp4",
                "contours GOOD --svg OUT/no/x.svg", "crop GOOD --to 1:1 --output OUT/no/x.png",
                "text GOOD --output OUT/no/x.txt", "text GOOD --format pdf --output OUT/no/x.pdf",
                "flow GOOD GOOD --flo OUT/no/x.flo", "flow GOOD GOOD --render OUT/no/x.png",
                "flow CLIP --render OUT/no/x.mp4", "align GOOD GOOD --render OUT/no/x.png",
                "similar GOOD GOOD --sheet OUT/no/x.png", "index OUT --db OUT/no/x.db",
                "track CLIP --box 1,2,30,40 --csv OUT/no/x.csv", "track CLIP --box 1,2,30,40 --render OUT/no/x.mp4",
                "track CLIP --box 1,2,30,40 --revision 99", "track CLIP --box 1,2,30,40 --start 50",
                "faces GOOD --revision 99", "classify GOOD --revision 99", "text GOOD --revision 99",
            ]
        let invalid = [
            "track CLIP --box 1000,2,30,40", "track CLIP --box nan,2,30,40", "track CLIP --box 1,2,-3,40",
            "track CLIP --box 1e999,2,3,40", "barcodes GOOD --revision 99", "barcodes GOOD --symbologies zebra",
            "clasify GOOD", "models lst", "faces GOOD --jsn", "crop GOOD --to 0:1 --output OUT/x.png",
        ]
        let (problems, folder) = (Locked<[String]>([]), scratch.url)
        let cases = failing.map { ($0, Int32(1)) } + invalid.map { ($0, Int32(64)) }
        DispatchQueue.concurrentPerform(iterations: cases.count) { index in
            let (command, code) = cases[index]
            let run = try? openvision(command.split(separator: " ").map { Self.filled(String($0), folder) })
            let complaint = run.map { Self.complaint($0, codes: [code]) } ?? "cannot be run"
            if let complaint { problems.withLock { $0.append("\(command): \(complaint)") } }
        }
        XCTAssertEqual(problems.withLock { $0 }.sorted(), [])
    }

    func testNamesOfCommandsThatAreNearlyRightAreSuggested() throws {
        for (word, wanted) in [
            ("clasify", "classify"), ("face", "faces"), ("tarck", "track"), ("barcode", "barcodes"), ("seg", "segment"),
        ] {
            let text = try XCTUnwrap(CommandSuggestion.text(for: [word, "x.jpg"], in: OpenVisionCommand.self))
            XCTAssertTrue(text.contains("Did you mean '\(wanted)'?"), text)
        }
        XCTAssertFalse(
            try XCTUnwrap(CommandSuggestion.text(for: ["qqqqqqq"], in: OpenVisionCommand.self)).contains("mean"))
        XCTAssertTrue(
            try XCTUnwrap(CommandSuggestion.text(for: ["models", "lst"], in: OpenVisionCommand.self))
                .contains("'list'"))
        for arguments in [["faces", "clasify"], ["--version"], [], ["help", "faces"], ["models", "list"]] {
            XCTAssertNil(CommandSuggestion.text(for: arguments, in: OpenVisionCommand.self), "\(arguments)")
        }
    }
}
