import ArgumentParser
import Foundation
import VisionImage
import VisionModels

struct SaliencyAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "saliency",
        abstract: "Compare saliency maps with masks of objects or with fixations.",
        discussion: """
            The truth of a photo is the image in the second folder whose name differs in the extension only. Of \
            objectness it is a mask, grey 128 or more where an object is: the largest F-measure (β² 0.3) of mean \
            precision and recall, and the mean absolute error. Of attention it is fixations: positions that are not \
            black, or with --density a blurred map of them: AUC-Judd and NSS. Intervals of 95 % by bootstrap over \
            photos.
            """)

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case objectness, attention
    }

    @Argument(help: "A folder of photos.")
    var photos: String

    @Argument(help: "A folder with the truth of each.")
    var truth: String

    @Option(help: ArgumentHelp("Which map.", valueName: Kind.allCases.map(\.rawValue).joined(separator: "|")))
    var kind = Kind.objectness

    @Flag(help: "The truth of attention is blurred.")
    var density = false

    private static let samples = 200

    func run() throws {
        let pairs = try self.pairs()
        guard !pairs.isEmpty else { throw ValidationError("No photo has a truth of its name.") }
        let grey = try pairs.map { pair in
            let map = try map(of: pair.photo)
            let truth = try ImageSource(url: pair.truth).fullSizeGrey()
            let values = truth.packedBytes.map { Float($0) }
            return (
                map: SaliencyScore.scaled(map, side: SaliencyNetwork.side, width: truth.width, height: truth.height),
                truth: values
            )
        }
        print("\(pairs.count) photos, \(kind.rawValue)")
        switch kind {
        case .objectness:
            let masks = grey.map { $0.truth.map { $0 >= 128 } }
            let curves = zip(grey, masks).map { SaliencyScore.Curve($0.map, mask: $1) }
            let errors = zip(grey, masks).map { SaliencyScore.meanAbsoluteError($0.map, mask: $1) }
            show("max F", curves, SaliencyScore.Curve.maximumF)
            show("mean absolute error", errors, mean)
        case .attention:
            let weights = grey.map { density ? $0.truth : $0.truth.map { $0 > 0 ? 1 : 0 } }
            let areas = zip(grey, weights).map { SaliencyScore.aucJudd($0.map, weights: $1, arePoints: !density) }
            show("AUC-Judd", areas, mean)
            show("NSS", zip(grey, weights).map { SaliencyScore.normalisedScanpathSaliency($0.map, weights: $1) }, mean)
        }
    }

    private func pairs() throws -> [(photo: URL, truth: URL)] {
        func files(_ folder: String) throws -> [String: URL] {
            let urls = try FileManager.default.contentsOfDirectory(
                at: URL(fileURLWithPath: folder, isDirectory: true), includingPropertiesForKeys: nil)
            return Dictionary(urls.map { ($0.deletingPathExtension().lastPathComponent, $0) }) { first, _ in first }
        }
        let truths = try files(truth)
        return try files(photos).sorted { $0.key < $1.key }.compactMap { name, photo in
            truths[name].map { (photo, $0) }
        }
    }

    private func map(of url: URL) throws -> [Float] {
        let source = ImageSource(url: url)
        let size = try source.uprightSize()
        let backbone = try Backbone.shared(SaliencyNetwork.backbone)
        let input = backbone.input(region: PixelRegion(width: size.width, height: size.height), fit: .fill)
        let features = try backbone.features(of: try source.derivative(input), maps: true)
        return try SaliencyNetwork.shared(kind == .attention ? .attention : .objectness).map(of: features)
    }

    private func mean(_ values: [Double]) -> Double {
        let known = values.filter(\.isFinite)
        return known.reduce(0, +) / Double(max(known.count, 1))
    }

    private func show<Item>(_ title: String, _ items: [Item], _ measure: ([Item]) -> Double) {
        var random = SplitMix64(seed: 1)
        let values = (0..<Self.samples).map { _ in
            measure(items.indices.map { _ in items[Int.random(in: items.indices, using: &random)] })
        }.sorted()
        print(
            String(
                format: "  %@ %.4f (%.4f to %.4f)", title, measure(items), percentile(0.025, ofSorted: values),
                percentile(0.975, ofSorted: values)))
    }
}
