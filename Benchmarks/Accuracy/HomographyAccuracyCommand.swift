import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage

struct HomographyAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homography",
        abstract: "Align pairs of photos with labelled correspondences, and photos warped a little.",
        discussion: """
            The folder holds NAMEA.jpg, NAMEB.jpg (or .png) and NAME_pts.txt, whose lines are x y 1 of a point in A, x \
            y 1 of the point in B and 1 where a person has confirmed it, as in the data sets homogr and EVD. The error \
            is the mean distance, in B, of the confirmed points from where the warp takes those of A. The pairs of \
            small motion are cuts of the same photos, the corners of one of them moved at random, without noise.
            """)

    @Argument(help: "A folder of pairs.")
    var data: String

    @Option(help: "How many pairs of small motion.")
    var small = 40

    @Option(help: "How far the corners of small motion move, in pixels of 640 x 480.")
    var motion = 20.0

    @Option(help: "Seed of the random numbers.")
    var seed: UInt64 = 1

    func run() throws {
        guard small >= 0, (0...100).contains(motion) else {
            throw ValidationError("--small is not negative, --motion is 0 to 100.")
        }
        VisionSettings.threadCount = 1
        let pairs = try LabelledPair.all(in: URL(fileURLWithPath: data, isDirectory: true))
        guard !pairs.isEmpty || small > 0 else {
            throw ValidationError("No pairs NAMEA, NAMEB and NAME_pts.txt in \(data).")
        }
        say("pair                 error px  confidence        ms")
        var errors: [Double] = []
        for pair in pairs {
            let (floating, reference) = (try pair.first(), try pair.second())
            let result = try Homographies.register(floating, onto: reference)
            let height = Double(CVPixelBufferGetHeight(reference))
            let floatingHeight = Double(CVPixelBufferGetHeight(floating))
            let distances = pair.points.map { point in
                let found = result.apply(x: point.0.x + 0.5, y: floatingHeight - point.0.y - 0.5)
                return hypot(found.x - point.1.x - 0.5, found.y - (height - point.1.y - 0.5))
            }
            errors.append(distances.reduce(0, +) / Double(max(1, distances.count)))
            row(pair.name, errors[errors.count - 1], result)
        }
        if !errors.isEmpty {
            say("\(errors.count) pairs: \(errors.filter { $0 <= 5 }.count) within 5 px, median \(text(median(errors)))")
        }
        try runSmall()
    }

    private func runSmall() throws {
        let photos = try imageFiles(in: URL(fileURLWithPath: data, isDirectory: true))
            .map { try RGBImage(contentsOf: $0) }.filter { $0.width >= 760 && $0.height >= 600 }
        guard !photos.isEmpty, small > 0 else { return }
        var random = SplitMix64(seed: seed)
        var (errors, times, confidences): ([Double], [Double], [Double]) = ([], [], [])
        for index in 0..<small {
            let pair = SmallMotionPair(photos[index % photos.count], motion: motion, &random)
            let result = try Homographies.register(
                try PixelBuffers.grey(pair.floating, width: 640, height: 480),
                onto: try PixelBuffers.grey(pair.reference, width: 640, height: 480))
            errors.append(pair.cornerError(of: result))
            times.append(result.milliseconds)
            confidences.append(result.confidence)
        }
        say(
            "small motion, \(small) pairs of 640x480: corner error mean "
                + "\(text(errors.reduce(0, +) / Double(small))), median "
                + "\(text(median(errors))), largest \(text(errors.max() ?? 0)) px; least confidence "
                + "\(text(confidences.min() ?? 0)); median \(text(median(times))) ms")
    }

    private func row(_ name: String, _ error: Double, _ result: Homographies.Found) {
        let cells = [text(error), text(result.confidence), String(format: "%.1f", result.milliseconds)]
        say(
            name.padding(toLength: 19, withPad: " ", startingAt: 0)
                + cells.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined())
    }

    private func text(_ value: Double) -> String { String(format: "%.3f", value) }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
    }
}

/// Two photos of one scene and the points that a person has found in both.
struct LabelledPair {
    let name: String
    private let files: (URL, URL)
    /// In pixels, the middle of the first one at (0, 0), y down.
    let points: [(CGPoint, CGPoint)]

    static func all(in folder: URL) throws -> [LabelledPair] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.filter { $0.hasSuffix("_pts.txt") }.compactMap { file in
            let name = String(file.dropLast("_pts.txt".count))
            func image(_ side: String) -> URL? {
                names.first { $0.hasPrefix(name + side + ".") }.map { folder.appendingPathComponent($0) }
            }
            guard let first = image("A"), let second = image("B") else { return nil }
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            let points = text.split(whereSeparator: \.isNewline).compactMap { line -> (CGPoint, CGPoint)? in
                let numbers = line.split(separator: " ").compactMap { Double($0) }
                guard numbers.count >= 7, numbers[6] == 1 else { return nil }
                return (CGPoint(x: numbers[0], y: numbers[1]), CGPoint(x: numbers[3], y: numbers[4]))
            }
            return LabelledPair(name: name, files: (first, second), points: points)
        }
    }

    func first() throws -> CVPixelBuffer { try PixelBuffers.decode(files.0) }
    func second() throws -> CVPixelBuffer { try PixelBuffers.decode(files.1) }
}
