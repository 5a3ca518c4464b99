import ArgumentParser
import Foundation
import VisionImage
import VisionModels

struct ObjectsAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects",
        abstract: "Find people, upper bodies, or cats and dogs on labelled photos.",
        discussion: """
            Prints the average precision at an overlap of one half with its interval of 95 % by bootstrap over photos, \
            and at the default confidence the recall, also by the objects' height, and the share of photos without \
            such objects in which there is a box. The folder has manifest.json or truth.json; their formats stand at \
            ObjectLabels.
            """)

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case people, upperBodies = "upper-bodies", animals

        var names: [String] {
            switch self {
            case .people: [ObjectLabels.person]
            case .upperBodies: [ObjectLabels.upperBody]
            case .animals: AnimalDetector.Species.allCases.map { "\($0)" }
            }
        }

        var defaultScore: Float { self == .animals ? AnimalDetector.leastScore : PeopleConfidence.least }
    }

    @Argument(help: "A folder of photos with labels.")
    var data: String

    @Option(help: ArgumentHelp("What is found.", valueName: Kind.allCases.map(\.rawValue).joined(separator: "|")))
    var kind = Kind.people

    /// Animals below count neither way: they lie far down the curve. People have a least score of their own.
    private static let leastScore: Float = 0.01

    private static let otherAnimals: Set = ["bird", "cow", "horse", "sheep"]

    func run() throws {
        let photos = try ObjectLabels.photos(in: URL(fileURLWithPath: data, isDirectory: true))
        var scores = kind.names.map { _ in BoxScore() }
        // The highest score of a box in photos that show nothing of the kind: with other animals, and without.
        var (others, plain): ([Float], [Float]) = ([], [])
        for labels in photos {
            let found = try boxes(in: ImageSource(url: labels.photo))
            for (index, name) in kind.names.enumerated() { scores[index].add(found[index], labels, name: name) }
            let names = Set(labels.objects.map(\.name))
            guard names.isDisjoint(with: kind.names), labels.incomplete.isDisjoint(with: kind.names) else { continue }
            let highest = found.joined().map(\.score).max() ?? 0
            if names.isDisjoint(with: Self.otherAnimals) { plain.append(highest) } else { others.append(highest) }
        }
        print("\(photos.count) photos, \(kind.rawValue), default confidence \(kind.defaultScore)")
        for (name, score) in zip(kind.names, scores) { print(row(name, score)) }
        show("photos without any, nor animals", plain)
        show("photos without any, with other animals", others)
    }

    /// Prints how many photos have a false box at some confidences.
    private func show(_ title: String, _ scores: [Float]) {
        guard !scores.isEmpty else { return }
        let shares = stride(from: Float(0.3), to: 0.81, by: 0.05).map { least in
            String(format: "%.2f: %.1f %%", least, 100 * Double(scores.count { $0 >= least }) / Double(scores.count))
        }
        print("\(scores.count) \(title), a box at confidence " + shares.joined(separator: ", "))
    }

    /// Returns the boxes of each name and their scores.
    private func boxes(in source: ImageSource) throws -> [[(box: PixelRegion, score: Float)]] {
        let (width, height) = try source.uprightSize()
        let region = PixelRegion(width: width, height: height)
        guard kind == .animals else {
            let detector = try PeopleDetector.shared()
            let found = try detector.people(
                in: try source.derivative(detector.input(region: region)), of: region)
            return [(found[kind == .people ? .wholeBody : .upperBody] ?? []).map { ($0.box, $0.confidence) }]
        }
        let animals = try AnimalDetector.shared().animals(
            in: region, leastScore: Self.leastScore, pixels: { try source.derivative($0) })
        // Each label of an observation is a detection with its own confidence.
        return AnimalDetector.Species.allCases.map { species in
            animals.filter { $0.scores[species.rawValue] >= Self.leastScore }.map { animal in
                (animal.box.placed(in: region), animal.scores[species.rawValue])
            }
        }
    }

    private func row(_ name: String, _ score: BoxScore) -> String {
        guard score.objectCount > 0 else { return "\(name): no labels" }
        let interval = score.interval()
        let (recall, empty) = (score.recall(at: kind.defaultScore), score.falsePhotos(at: kind.defaultScore))
        var text = String(
            format: "%@: %d, AP50 %.3f (%.3f to %.3f), recall %.3f, false in %.2f %% of %d photos without", name,
            score.objectCount, score.averagePrecision, interval.lowerBound, interval.upperBound, recall.share,
            100 * empty.share, empty.count)
        for (title, heights) in [("below 48 px", 0..<48.0), ("above 160 px", 160..<Double.infinity)] {
            let recall = score.recall(at: kind.defaultScore, heights: heights)
            text += String(format: ", recall of %d %@ %.3f", recall.count, title, recall.share)
        }
        let least = score.score(falseBoxes: 0.1)
        return text
            + String(format: "; with one false box in ten photos (%.2f) %.3f", least, score.recall(at: least).share)
    }
}
