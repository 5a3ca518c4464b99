import ArgumentParser
import Foundation
import Vision
import VisionAlgorithms
import VisionImage

struct CandidatesAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text-candidates",
        abstract: "Count how often the truth is among the candidates of a read line.",
        discussion: """
            The data is a folder of truth.json, [{image, lines: [{box, text}]}], and the images, beside it or in \
            images/, as for Scripts/text_reading.py. A read line is compared with the labelled one that overlaps most \
            with it. Counted are lines whose first candidate differs from the truth by one character (inserted, \
            removed or replaced) or not at all, after compatibility normalisation (NFKC), with curly quotes and long \
            dashes as plain ones and spaces at the ends removed.
            """)

    @Argument(help: "A folder with truth.json, or several.")
    var data: [String]

    @Option(help: "accurate or fast.")
    var level = "accurate"

    @Flag(help: "Compare without regard to case.")
    var ignoresCase = false

    @Flag(help: "Print the lines of which the truth is not among the first three, with their candidates.")
    var missed = false

    private struct Truth: Decodable {
        struct Line: Decodable {
            var box: [Double]
            var text: String
            var ignore: Bool?
        }
        var image: String
        var lines: [Line]
    }

    func run() throws {
        for folder in data {
            let url = URL(fileURLWithPath: folder, isDirectory: true)
            let truth = try JSONDecoder().decode(
                [Truth].self, from: Data(contentsOf: url.appendingPathComponent("truth.json")))
            // The lines that are right, those that differ by one, and of these those with the truth among so many
            // candidates.
            var (right, counted, among) = (0, 0, [3: 0, 10: 0])
            for photo in truth {
                for (line, texts) in try candidates(of: photo, in: url) {
                    let wanted = normalised(line)
                    let found = texts.map(normalised)
                    guard let first = found.first else { continue }
                    right += first == wanted ? 1 : 0
                    guard first != wanted, Self.differsByOne(first, wanted) else { continue }
                    counted += 1
                    for count in among.keys where found.prefix(count).contains(wanted) {
                        among[count, default: 0] += 1
                    }
                    if missed, !found.prefix(3).contains(wanted) { print("  \(wanted)\n    \(found)") }
                }
            }
            let share = 100 * Double(right + (among[3] ?? 0)) / Double(max(1, right + counted))
            print(
                "\(url.lastPathComponent): of \(counted) lines whose first candidate differs by one character, the "
                    + "truth is among the first three of \(among[3] ?? 0), among the first ten of \(among[10] ?? 0); "
                    + "with the \(right) right ones among the first three of " + String(format: "%.1f %%", share))
        }
    }

    private func normalised(_ text: String) -> String {
        let plain = TextLineReading.plain(text).trimmingCharacters(in: .whitespaces)
        return ignoresCase ? plain.uppercased() : plain
    }

    /// The text of labelled lines with the candidates of what was read there.
    private func candidates(of photo: Truth, in folder: URL) throws -> [(truth: String, candidates: [String])] {
        let inner = folder.appendingPathComponent("images/\(photo.image)")
        let isInner = FileManager.default.fileExists(atPath: inner.path)
        let request = VNRecognizeTextRequest()
        request.recognitionLevel = level == "fast" ? .fast : .accurate
        request.automaticallyDetectsLanguage = true
        let bytes = try Data(contentsOf: isInner ? inner : folder.appendingPathComponent(photo.image))
        try VNImageRequestHandler(data: bytes).perform([request])
        let size = try ImageSource(data: bytes).uprightSize()
        return (request.results ?? []).compactMap { observation in
            let found = VNImageRectForNormalizedRect(observation.boundingBox, size.width, size.height)
            let box = CGRect(
                x: found.minX, y: CGFloat(size.height) - found.maxY, width: found.width, height: found.height)
            func overlap(_ line: Truth.Line) -> Double {
                let truth = CGRect(
                    x: line.box[0], y: line.box[1], width: line.box[2] - line.box[0], height: line.box[3] - line.box[1])
                let both = box.intersection(truth)
                guard !both.isNull else { return 0 }
                return both.width * both.height
                    / (box.width * box.height + truth.width * truth.height - both.width * both.height)
            }
            let lines = photo.lines.filter { $0.ignore != true && $0.box.count == 4 && !$0.text.isEmpty }
            guard let best = lines.max(by: { overlap($0) < overlap($1) }), overlap(best) >= 0.4 else { return nil }
            return (best.text, observation.topCandidates(10).map(\.string))
        }
    }

    /// Whether one character has to be inserted, removed or replaced.
    private static func differsByOne(_ a: String, _ b: String) -> Bool {
        let (long, short) = a.count >= b.count ? (Array(a), Array(b)) : (Array(b), Array(a))
        guard long.count - short.count <= 1 else { return false }
        let same = zip(long, short).prefix { $0 == $1 }.count
        return Array(long[(same + 1)...]) == Array(short[(long.count == short.count ? same + 1 : same)...])
    }
}
