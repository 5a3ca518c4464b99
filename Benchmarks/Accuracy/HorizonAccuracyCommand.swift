import ArgumentParser
import Foundation
import VisionAlgorithms
import VisionImage

struct HorizonAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "horizon",
        abstract: "Find the horizon of photos that are rotated by known angles, and of rendered scenes.",
        discussion: """
            The folder is searched for the photos of a table (HorizonLabels), by name and contents. Each is rotated by \
            several angles, the largest part without corners is cut out, and the error is the difference to the \
            labelled angle plus the rotation. Labels are good to about half a degree. Every second photo was used for \
            tuning; the others are held out. Close-ups are tried as they are and rotated by 17°: whatever is found in \
            them counts as false, though some do show straight edges.
            """)

    @Argument(help: "A folder with the photos, at any depth.")
    var data: String

    @Option(help: "How many rotated copies of a photo, beside itself.")
    var turns = 4

    @Option(help: "The largest rotation, in degrees.")
    var largest = 30.0

    @Option(help: "How many scenes of each kind.")
    var scenes = 60

    @Option(help: "Seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(help: "Write the images and their angles (angles.csv) to this folder, for other programs.")
    var write: String?

    @Flag(help: "Fit the confidence to the tuning half and print its weights.")
    var fit = false

    @Flag(help: "Print each result.")
    var list = false

    struct Outcome {
        var group: String
        var name: String
        /// Nil for a close-up.
        var truth: Double?
        var found: HorizonEstimate?

        var error: Double? {
            guard let truth, let found else { return nil }
            return abs(found.angle * 180 / .pi - truth)
        }
        var isReported: Bool { (found?.confidence ?? 0) >= HorizonFinder.leastConfidence }
    }

    func run() throws {
        guard (0...100).contains(turns), (0...45).contains(largest), (0...10_000).contains(scenes) else {
            throw ValidationError("--turns is 0 to 100, --largest 0 to 45, --scenes 0 to 10000.")
        }
        var random = SplitMix64(seed: seed)
        var outcomes: [Outcome] = []
        var angles = "file,group,degrees\n"
        func take(_ image: Raster, _ group: String, _ name: String, _ truth: Double?) throws {
            let outcome = Outcome(group: group, name: name, truth: truth, found: try Self.horizon(in: image))
            if let write {
                let file = "\(outcomes.count).png"
                try image.encodedPNG().write(to: URL(fileURLWithPath: write).appendingPathComponent(file))
                angles += "\(file),\(group),\(truth.map { "\($0)" } ?? "")\n"
            }
            if list { say(describe(outcome)) }
            outcomes.append(outcome)
        }
        if let write { try FileManager.default.createDirectory(atPath: write, withIntermediateDirectories: true) }
        let photos = Self.photos(in: data)
        say(
            "\(photos.filter { $0.label.degrees != nil }.count) labelled photos, "
                + "\(photos.filter { $0.label.degrees == nil }.count) close-ups")
        for (label, isTuning, image) in photos {
            let group = label.degrees == nil ? "close-ups" : isTuning ? "tuning" : "held out"
            let all =
                label.degrees == nil
                ? [0, 17] : [0] + (0..<turns).map { _ in largest * Double(random.symmetric()) }
            for angle in all {
                let rotated = angle == 0 ? image : try image.rotated(byDegrees: angle)
                try take(rotated, group, label.photo.name, label.degrees.map { $0 + angle })
            }
        }
        for kind in HorizonScene.Kind.allCases {
            for number in 0..<scenes {
                let roll = largest * Double(random.symmetric())
                let scene = HorizonScene(kind, roll: roll * .pi / 180, &random)
                let image = try Raster(packed: scene.grey(width: 640, height: 480, &random), .grey8, 640, 480)
                try take(image, kind.rawValue, "\(number)", roll)
            }
        }
        if let write {
            try angles.write(
                to: URL(fileURLWithPath: write).appendingPathComponent("angles.csv"), atomically: true, encoding: .utf8)
        }
        say("group        images   found   median    95 %  within 1°  within 2°")
        for group in ["tuning", "held out", "close-ups"] + HorizonScene.Kind.allCases.map(\.rawValue) {
            say(summary(group, outcomes.filter { $0.group == group }))
        }
        if fit {
            let rows = outcomes.filter { $0.group == "tuning" || $0.group == "close-ups" }
                .compactMap { outcome in outcome.found.map { (HorizonEvidence.values(of: $0.evidence), outcome) } }
            let weights = LogisticFit.weights(of: rows.map(\.0), rows.map { ($0.1.error ?? 99) < 2 })
            say("weights " + weights.map { String(format: "%.3f", $0) }.joined(separator: ", "))
        }
    }

    private static func horizon(in image: Raster) throws -> HorizonEstimate? {
        let view = HorizonFinder.viewSize(width: image.width, height: image.height)
        let small =
            view == (image.width, image.height)
            ? image : try image.resized(width: view.width, height: view.height, filter: .antialiasedBilinear)
        return HorizonFinder.horizon(in: small, width: image.width, height: image.height)
    }

    private func describe(_ outcome: Outcome) -> String {
        let truth = outcome.truth.map { String(format: "%7.2f", $0) } ?? "      -"
        let found = outcome.found.map { String(format: "%7.2f  confidence %.2f", $0.angle * 180 / .pi, $0.confidence) }
        return "\(outcome.group) \(outcome.name): \(truth) \(found ?? "none")"
    }

    private func summary(_ group: String, _ outcomes: [Outcome]) -> String {
        let reported = outcomes.filter(\.isReported)
        let errors = reported.compactMap(\.error).sorted()
        func share(_ part: Int, _ all: Int) -> String {
            String(format: "%.3f", all == 0 ? 0 : Double(part) / Double(all))
        }
        var cells = ["\(outcomes.count)", share(reported.count, outcomes.count)]
        if !errors.isEmpty {
            cells += [0.5, 0.95].map { String(format: "%.2f", percentile($0, ofSorted: errors)) }
            cells += [1.0, 2].map { limit in share(errors.filter { $0 < limit }.count, errors.count) }
        }
        let padded = zip(cells, [8, 7, 8, 7, 10, 10]).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }
        return group.padding(toLength: 13, withPad: " ", startingAt: 0) + padded.joined()
    }

    /// The photos of the table that are there, in its order, in grey; those with an even index among the labelled are
    /// for tuning.
    private static func photos(in folder: String) -> [(label: HorizonLabels.Label, isTuning: Bool, image: Raster)] {
        let files = KnownPhoto.files(of: Set(HorizonLabels.all.map(\.photo)), in: folder)
        return HorizonLabels.all.enumerated().compactMap { index, label in
            let image = files[label.photo].flatMap { try? EncodedImage(contentsOf: $0).decode(to: .grey8) }
            return image.map { (label, index % 2 == 0, $0) }
        }
    }
}

extension Raster {
    /// Returns the image rotated clockwise and cropped to the largest part of its shape that has no empty corner.
    fileprivate func rotated(byDegrees degrees: Double) throws -> Raster {
        let angle = degrees * .pi / 180
        let (c, s) = (cos(angle), sin(angle))
        let (width, height) = (Double(width), Double(height))
        let part = 1 / max(c + abs(s) * height / width, c + abs(s) * width / height)
        let (columns, rows) = (max(1, Int(width * part) - 2), max(1, Int(height * part) - 2))
        let (x, y) = (Double(columns) / 2, Double(rows) / 2)
        // Maps the crop back to the image.
        let map = CGAffineTransform(
            a: c, b: -s, c: s, d: c, tx: width / 2 - c * x - s * y, ty: height / 2 + s * x - c * y)
        return try warped(by: map, width: columns, height: rows, border: .replicate)
    }
}
