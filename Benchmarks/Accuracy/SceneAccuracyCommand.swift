import ArgumentParser
import Foundation
import Vision
import VisionImage
import VisionInference
import VisionModels

struct SceneAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene",
        abstract: "Classify labelled photos with VNClassifyImageRequest.",
        discussion: """
            A photo's class is the WordNet identifier that its file name or the name of its folder starts with. Its \
            rank is the number of classes of that kind – those that an output of the network stands for, less what \
            lies above the photo's own class – that the request gives a higher confidence. Shares have 95 % intervals \
            (Wilson); revisions are compared photo by photo. --fit shows the network's own scores of the square under \
            another fit of the photo. --pairs classifies pairs of photos of different classes beside each other \
            instead. --output writes what Scripts/accuracy-scene.sh compares with ONNX Runtime; revision 3, whose \
            inputs have many sizes, is not written.
            """)

    enum Fit: String, ExpressibleByArgument, CaseIterable {
        case scaleFill, centerCrop, scaleFit

        var derivative: Derivative.Fit {
            switch self {
            case .scaleFill: .fill
            case .centerCrop: .centerCrop
            case .scaleFit: .fit
            }
        }
    }

    @Argument(help: "A folder of photos, or of folders of photos.")
    var data: String

    @Option(name: .customLong("revision"), help: "The revision. Repeat it for more.")
    var revisions = [1, 2, 3]

    @Option(
        help: ArgumentHelp(
            "How photos are fitted for the network's scores.", valueName: "scaleFill|centerCrop|scaleFit"))
    var fit = Fit.scaleFill

    @Option(help: ArgumentHelp("Write images, scores and ranks here.", valueName: "folder"))
    var output: String?

    @Option(help: ArgumentHelp("The number of pairs of photos to classify instead of single ones.", valueName: "count"))
    var pairs: Int?

    func run() throws {
        var hits: [RankHits] = []
        for revision in revisions {
            let found = try pairs.map { try measure(revision, pairs: $0) } ?? measure(revision)
            for (earlier, other) in zip(hits, revisions) {
                print("  against revision \(other), top-1: \(found.difference(from: earlier, within: 1))")
                print("  against revision \(other), top-5: \(found.difference(from: earlier, within: 5))")
            }
            hits.append(found)
        }
    }

    private func measure(_ revision: Int) throws -> RankHits {
        let labels = try SceneLabels(revision: revision)
        let keepsAspect = SceneScoring.keepsAspect(revision: revision)
        let network = try Backbone.shared(labels.backbone)
        let photos = try LabelledPhoto.photos(in: data, labels: labels.synsets)
        let writer =
            try keepsAspect
            ? nil
            : output.map {
                try ClassificationOutput(
                    folder: $0, model: labels.model, side: network.side, labels: photos.map(\.label))
            }
        var (byConfidence, byScore) = (RankHits(), RankHits())
        for photo in photos {
            let request = VNClassifyImageRequest()
            request.revision = revision
            try VNImageRequestHandler(url: photo.url).perform([request])
            let rank = labels.rank(of: photo.label, in: request.results ?? [])
            byConfidence.add(rank)

            let source = ImageSource(url: photo.url)
            let size = try source.uprightSize()
            let region = PixelRegion(width: size.width, height: size.height)
            let input =
                keepsAspect
                ? network.input(region: region, size: network.inputSize(nearestTo: region))
                : network.input(region: region, fit: fit.derivative)
            let pixels = try source.derivative(input)
            let logits = try network.features(of: pixels).logits
            byScore.add(logits.count { $0 > logits[photo.label] })
            try writer?.add(pixels: pixels.packedBytes, logits: logits, rank: rank)
        }
        try writer?.finish()
        print("revision \(revision), \(photos.count) photos:")
        print("  request, classes by confidence: \(byConfidence.text)")
        print("  network, scores under \(keepsAspect ? "the photo's aspect" : fit.rawValue): \(byScore.text)")
        return byConfidence
    }

    private func measure(_ revision: Int, pairs count: Int) throws -> RankHits {
        let labels = try SceneLabels(revision: revision)
        let pairs = try PhotoPair.pairs(
            of: LabelledPhoto.photos(in: data, labels: labels.synsets), count: count)
        var (each, both) = (RankHits(), RankHits())
        for pair in pairs {
            let request = VNClassifyImageRequest()
            request.revision = revision
            try VNImageRequestHandler(cvPixelBuffer: pair.pixelBuffer()).perform([request])
            let ranks = pair.photos.map { labels.rank(of: $0.label, in: request.results ?? []) }
            for rank in ranks { each.add(rank) }
            both.add(ranks.max() ?? .max)
        }
        print("revision \(revision), \(pairs.count) pairs of photos:")
        print("  each of the two: \(each.text)")
        print("  both: \(both.text(within: 5))")
        return each
    }
}

/// The classes of the taxonomy that outputs of the network stand for.
private struct SceneLabels {
    let backbone: Backbone.Revision
    let model: URL
    /// The WordNet identifier of each output.
    let synsets: [String]
    private let taxonomy = SceneTaxonomy.shared

    init(revision: Int) throws {
        guard let backbone = SceneScoring.backbones[revision] else {
            throw ValidationError("VNClassifyImageRequest has no revision \(revision).")
        }
        self.backbone = backbone
        model = try InstalledModels().url(for: backbone.model)
        synsets = try MLModel(contentsOf: model).modelDescription.classLabels?.map { "\($0)" } ?? []
        guard synsets.count == taxonomy.classOfOutput.count else {
            throw ValidationError("the model has \(synsets.count) labels")
        }
    }

    func rank(of label: Int, in results: [VNClassificationObservation]) -> Int {
        let own = taxonomy.classOfOutput[label]
        let skipped = Set(taxonomy.ancestors(of: own) + [own])
        let others = taxonomy.classes.indices.filter {
            !taxonomy.classes[$0].outputs.isEmpty && !skipped.contains($0)
        }
        let confidences = Dictionary(results.map { ($0.identifier, $0.confidence) }) { first, _ in first }
        let confidence = confidences[taxonomy.classes[own].identifier] ?? 0
        return others.count { (confidences[taxonomy.classes[$0].identifier] ?? 0) > confidence }
    }
}
