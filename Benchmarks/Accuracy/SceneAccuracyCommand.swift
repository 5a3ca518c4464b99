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
            lies above the photo's own class – that the request gives a higher confidence. --fit shows the network's \
            own scores under another fit of the photo into its square. --output writes what \
            Scripts/accuracy-scene.sh compares with ONNX Runtime.
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
    var revisions = [1, 2]

    @Option(
        help: ArgumentHelp(
            "How photos are fitted for the network's scores.", valueName: "scaleFill|centerCrop|scaleFit"))
    var fit = Fit.scaleFill

    @Option(help: ArgumentHelp("Write images, scores and ranks here.", valueName: "folder"))
    var output: String?

    /// Photos whose class has fewer than one, or fewer than five, before it.
    private struct Hits {
        private var photos = 0
        private var first = 0
        private var five = 0

        mutating func add(rank: Int) {
            photos += 1
            first += rank < 1 ? 1 : 0
            five += rank < 5 ? 1 : 0
        }

        var text: String {
            let share = 100 / Double(max(photos, 1))
            return String(format: "top-1 %.1f %%, top-5 %.1f %%", Double(first) * share, Double(five) * share)
        }
    }

    func run() throws {
        for revision in revisions { try measure(revision) }
    }

    private func measure(_ revision: Int) throws {
        let network = try Backbone.shared(.init(number: revision))
        let labels = try SceneLabels(revision: revision)
        let photos = try LabelledPhoto.photos(in: data, labels: labels.synsets)
        let writer = try output.map {
            try ClassificationOutput(
                folder: $0, model: labels.model, side: network.side, labels: photos.map(\.label))
        }
        var (byConfidence, byScore) = (Hits(), Hits())
        for photo in photos {
            let request = VNClassifyImageRequest()
            request.revision = revision
            try VNImageRequestHandler(url: photo.url).perform([request])
            let rank = labels.rank(of: photo.label, in: request.results ?? [])
            byConfidence.add(rank: rank)

            let source = ImageSource(url: photo.url)
            let size = try source.uprightSize()
            var image = network.input(
                region: PixelRegion(width: size.width, height: size.height), fit: fit.derivative)
            let logits = try network.features(of: try source.derivative(image)).logits
            byScore.add(rank: logits.count { $0 > logits[photo.label] })
            image.format = .rgb8
            try writer?.add(pixels: try source.derivative(image).packedBytes, logits: logits, rank: rank)
        }
        try writer?.finish()
        print("revision \(revision), \(photos.count) photos:")
        print("  request, classes by confidence: \(byConfidence.text)")
        print("  network, scores under \(fit.rawValue): \(byScore.text)")
    }
}

/// The classes of the taxonomy that outputs of the network stand for.
private struct SceneLabels {
    let model: URL
    /// The WordNet identifier of each output.
    let synsets: [String]
    private let taxonomy = SceneTaxonomy.shared

    init(revision: Int) throws {
        model = try ModelStore().url(for: Backbone.Revision(number: revision).model)
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
