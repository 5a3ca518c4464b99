import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage

struct TextAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Detect text lines in labelled images.",
        discussion: """
            The data is a folder of images with truth.json: for each image its lines, each with the corners of its ink \
            ("quad": x and y of top left, top right, bottom right, bottom left in pixels, y down) and those of its \
            characters ("characters", may be absent). Scripts/peers/text_images.py renders such folders, \
            Scripts/peers/text_labels.py writes one of photographs that were labelled by hand.

            A line counts as found where the overlap of what was found with it, the area of both for the area of \
            either, is at least --overlap; each is matched once, the best pairs first. "ignore": true marks lines that \
            need not be found, and may be. Images without lines count what is found in them.

            --found scores the results of another detector: JSON of the corners by image and its seconds, as \
            Scripts/peers/text.py writes it.
            """)

    @Argument(help: "A folder with truth.json, or several.")
    var data: [String]

    @Option(help: "The least overlap of a line that counts as found.")
    var overlap = 0.5

    @Option(help: ArgumentHelp("Score the results in this file instead.", valueName: "file"))
    var found: String?

    @Flag(help: "Score characters as well.")
    var characters = false

    @Flag(help: "Name the images with missed text lines and false detections.")
    var missed = false

    @Option(help: "Threads of one request.")
    var threads = 1

    private struct TruthLine: Decodable {
        var quad: [Double]
        var characters: [[Double]]?
        var ignore: Bool?
        var angle: Double?
        var height: Double?
    }

    private struct Truth: Decodable { var lines: [TruthLine] }

    private struct Found: Codable {
        var lines: [[Double]]
        var characters: [[[Double]]]?
        var seconds: Double
    }

    private struct Score {
        var wanted = 0
        var right = 0
        var found = 0
        var overlaps = 0.0

        var text: String {
            String(
                format: "recall %.3f  precision %.3f  (%d of %d, %d found)  mean overlap %.3f",
                Double(right) / Double(max(wanted, 1)), Double(right) / Double(max(found, 1)), right, wanted, found,
                overlaps / Double(max(right, 1)))
        }
    }

    func run() throws {
        VisionSettings.threadCount = threads
        for folder in data { try score(URL(fileURLWithPath: folder, isDirectory: true)) }
    }

    private func score(_ folder: URL) throws {
        let file = folder.appendingPathComponent("truth.json")
        let truth = try JSONDecoder().decode([String: Truth].self, from: Data(contentsOf: file))
        let given = try found.map {
            try JSONDecoder().decode([String: Found].self, from: Data(contentsOf: URL(fileURLWithPath: $0)))
        }
        var (lines, letters) = (Score(), Score())
        var (empty, falseLines, emptyFalse) = (0, 0, 0)
        var byAngle: [String: Score] = [:]
        var byHeight: [String: Score] = [:]
        var times: [Double] = []
        for (name, truth) in truth.sorted(by: { $0.key < $1.key }) {
            let found =
                try given.map { $0[name] ?? Found(lines: [], seconds: 0) }
                ?? find(in: folder.appendingPathComponent(name))
            times.append(found.seconds * 1e3)
            let quads = found.lines.map(Polygon.init)
            let wanted = truth.lines.map { Polygon($0.quad) }
            let pairs = Polygon.pairs(quads, wanted, least: overlap)
            let isWanted = truth.lines.map { !($0.ignore ?? false) }
            let right = pairs.filter { isWanted[$0.wanted] }
            // Detections on ignored lines are neither right nor wrong.
            let beside = quads.indices.filter { index in
                !pairs.contains { $0.found == index }
                    && !zip(wanted, isWanted).contains { !$1 && quads[index].shareCovered(by: $0) > 0.5 }
            }
            if truth.lines.isEmpty {
                empty += 1
                falseLines += quads.count
                emptyFalse += quads.isEmpty ? 0 : 1
            } else {
                lines.wanted += isWanted.filter { $0 }.count
                lines.right += right.count
                lines.found += right.count + beside.count
                lines.overlaps += right.reduce(0) { $0 + $1.overlap }
            }
            for (index, line) in truth.lines.enumerated() where isWanted[index] {
                let isFound = pairs.contains { $0.wanted == index }
                if let angle = line.angle {
                    let key = abs(angle) < 20 ? "below 20°" : abs(angle) < 70 ? "20° to 70°" : "above 70°"
                    byAngle[key, default: Score()].wanted += 1
                    byAngle[key, default: Score()].right += isFound ? 1 : 0
                }
                if let height = line.height {
                    let key = height < 15 ? "10 to 15 px" : height < 30 ? "15 to 30 px" : "30 to 80 px"
                    byHeight[key, default: Score()].wanted += 1
                    byHeight[key, default: Score()].right += isFound ? 1 : 0
                }
            }
            if characters, let all = found.characters {
                for pair in right {
                    let truth = (truth.lines[pair.wanted].characters ?? []).map(Polygon.init)
                    let boxes = all[pair.found].map(Polygon.init)
                    let matches = Polygon.pairs(boxes, truth, least: overlap)
                    letters.wanted += truth.count
                    letters.found += boxes.count
                    letters.right += matches.count
                    letters.overlaps += matches.reduce(0) { $0 + $1.overlap }
                }
            }
            if missed {
                let count = isWanted.filter { $0 }.count
                if right.count < count || !beside.isEmpty {
                    print("  \(name): \(right.count) of \(count), \(beside.count) beside")
                }
            }
        }
        print(folder.lastPathComponent)
        if lines.wanted > 0 { print("  lines: \(lines.text)") }
        for (key, score) in (byAngle.sorted { $0.key < $1.key } + byHeight.sorted { $0.key < $1.key }) {
            print(
                String(
                    format: "    %@: recall %.3f of %d", key, Double(score.right) / Double(score.wanted), score.wanted))
        }
        if letters.wanted > 0 { print("  characters of the lines that were found: \(letters.text)") }
        if empty > 0 { print("  \(empty) images without text: \(falseLines) false lines in \(emptyFalse) of them") }
        print(
            String(
                format: "  ms an image: median %.1f, mean %.1f", percentile(0.5, ofSorted: times.sorted()),
                times.reduce(0, +) / Double(max(times.count, 1))))
    }

    private func find(in file: URL) throws -> Found {
        let data = try Data(contentsOf: file)
        let size = try ImageSource(data: data).uprightSize()
        let start = nanoseconds()
        let request = VNDetectTextRectanglesRequest()
        request.reportCharacterBoxes = characters
        try VNImageRequestHandler(data: data).perform([request])
        let seconds = Double(nanoseconds() - start) / 1e9
        let (width, height) = (Double(size.width), Double(size.height))
        func numbers(_ box: VNRectangleObservation) -> [Double] {
            let corners: [CGPoint] = [box.topLeft, box.topRight, box.bottomRight, box.bottomLeft]
            return corners.flatMap { (corner: CGPoint) -> [Double] in
                [Double(corner.x) * width, (1 - Double(corner.y)) * height]
            }
        }
        let lines = request.results ?? []
        return Found(
            lines: lines.map(numbers), characters: lines.map { ($0.characterBoxes ?? []).map(numbers) },
            seconds: seconds)
    }
}

/// A convex polygon.
private struct Polygon {
    var points: [SIMD2<Double>]

    init(_ numbers: [Double]) {
        points = stride(from: 0, to: numbers.count - 1, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
        if signedArea < 0 { points.reverse() }
    }

    private var signedArea: Double {
        points.indices.reduce(0) { sum, index in
            let (a, b) = (points[index], points[(index + 1) % points.count])
            return sum + (a.x * b.y - a.y * b.x) / 2
        }
    }

    var area: Double { abs(signedArea) }

    /// The intersection (Sutherland and Hodgman, "Reentrant polygon clipping", 1974).
    private func common(with other: Polygon) -> Double {
        var clipped = self
        for index in other.points.indices {
            let (a, b) = (other.points[index], other.points[(index + 1) % other.points.count])
            let edge = b - a
            func side(_ point: SIMD2<Double>) -> Double { edge.x * (point.y - a.y) - edge.y * (point.x - a.x) }
            var kept: [SIMD2<Double>] = []
            for index in clipped.points.indices {
                let (p, q) = (clipped.points[index], clipped.points[(index + 1) % clipped.points.count])
                let (s, t) = (side(p), side(q))
                if s >= 0 { kept.append(p) }
                if (s > 0 && t < 0) || (s < 0 && t > 0) { kept.append(p + (q - p) * (s / (s - t))) }
            }
            clipped.points = kept
            if kept.count < 3 { return 0 }
        }
        return clipped.area
    }

    func shareCovered(by other: Polygon) -> Double { common(with: other) / max(area, 1e-9) }

    func overlap(with other: Polygon) -> Double {
        let common = common(with: other)
        return common / max(area + other.area - common, 1e-9)
    }

    /// The pairs that overlap enough, the best first, each line in one pair at most.
    static func pairs(
        _ found: [Polygon], _ wanted: [Polygon], least: Double
    ) -> [(found: Int, wanted: Int, overlap: Double)] {
        var pairs: [(found: Int, wanted: Int, overlap: Double)] = []
        for (i, a) in found.enumerated() {
            for (j, b) in wanted.enumerated() {
                let overlap = a.overlap(with: b)
                if overlap >= least { pairs.append((i, j, overlap)) }
            }
        }
        pairs.sort { ($1.overlap, $0.found, $0.wanted) < ($0.overlap, $1.found, $1.wanted) }
        return pairs.reduce(into: []) { kept, pair in
            if !kept.contains(where: { $0.found == pair.found || $0.wanted == pair.wanted }) { kept.append(pair) }
        }
    }
}
