import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionModels

struct RetrievalAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retrieval",
        abstract: "Retrieve photos of the same class by their feature prints.",
        discussion: """
            The folder holds a folder of photos for each class. Every photo is a query against all others; relevant \
            are those of its class. Beside the mean average precision of feature prints stands that of the cosine of \
            the network's pooled features as they are. Then photos are rotated, cropped and lit differently: in how \
            many cases the changed photo is nearer to the photo than any other of its class, and than the others one \
            by one.
            """)

    @Argument(help: "A folder of folders of photos.")
    var data: String

    @Option(name: .customLong("revision"), help: "A revision of the request. Repeat it for more.")
    var revisions = [1, 2]

    @Option(help: "How many photos, spread evenly over all, are changed in every way. 0 for none.")
    var changed = 100

    @Flag(help: "Print JSON.")
    var json = false

    private struct Outcome: Codable {
        let revision: Int
        let photos: Int
        let classes: Int
        /// In percent.
        let meanAveragePrecision: Double
        let meanAveragePrecisionOfCosine: Double
        var nearerThanAll: [String: Double] = [:]
        var nearerThanEach: [String: Double] = [:]
    }

    private struct Photo {
        let url: URL
        let label: String
        let print: FeaturePrint
        /// The pooled features, of length 1.
        let features: [Double]
    }

    func validate() throws {
        if changed < 0 { throw ValidationError("--changed is at least 0.") }
    }

    func run() throws {
        for revision in revisions { report(try measure(revision)) }
    }

    private func measure(_ revision: Int) throws -> Outcome {
        let photos = try self.photos(revision)
        let precision = Self.meanAveragePrecision(photos.map(\.label)) { a, b in
            Double(try photos[a].print.distance(to: photos[b].print))
        }
        let cosine = Self.meanAveragePrecision(photos.map(\.label)) { a, b in
            -zip(photos[a].features, photos[b].features).reduce(0) { $0 + $1.0 * $1.1 }
        }
        var outcome = Outcome(
            revision: revision, photos: photos.count, classes: Set(photos.map(\.label)).count,
            meanAveragePrecision: 100 * (try precision.get()),
            meanAveragePrecisionOfCosine: 100 * (try cosine.get()))
        guard changed > 0 else { return outcome }
        let step = max(1, photos.count / changed)
        let chosen = Array(stride(from: 0, to: photos.count, by: step).prefix(changed))
        for change in PhotoChange.allCases {
            var (all, each, pairs) = (0, 0, 0)
            for index in chosen {
                let photo = photos[index]
                let changed = try PixelBuffers.bgra(change.applied(to: RGBImage(contentsOf: photo.url)))
                let distance = try print(VNImageRequestHandler(cvPixelBuffer: changed), revision)
                    .distance(to: photo.print)
                let others = try photos.enumerated().filter { $0.offset != index && $0.element.label == photo.label }
                    .map { try photo.print.distance(to: $0.element.print) }
                all += others.allSatisfy { distance < $0 } ? 1 : 0
                each += others.count { distance < $0 }
                pairs += others.count
            }
            outcome.nearerThanAll[change.rawValue] = 100 * Double(all) / Double(chosen.count)
            outcome.nearerThanEach[change.rawValue] = 100 * Double(each) / Double(max(1, pairs))
        }
        return outcome
    }

    private func photos(_ revision: Int) throws -> [Photo] {
        let root = URL(fileURLWithPath: data, isDirectory: true)
        let folders = try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
            .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }
        let network = try Backbone.shared(.init(number: revision))
        let photos = try folders.sorted { $0.path < $1.path }.flatMap { folder in
            try imageFiles(in: folder).map { file -> Photo in
                let source = ImageSource(url: file)
                let size = try source.uprightSize()
                let whole = PixelRegion(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
                let pooled = try network.features(of: source.derivative(network.input(region: whole, fit: .fill)))
                    .pooled.map(Double.init)
                let length = pooled.reduce(0) { $0 + $1 * $1 }.squareRoot()
                return Photo(
                    url: file, label: folder.lastPathComponent,
                    print: try print(VNImageRequestHandler(url: file), revision),
                    features: pooled.map { $0 / max(length, .leastNormalMagnitude) })
            }
        }
        guard photos.count > 1 else { throw ValidationError("\(data) has no folders with photos.") }
        return photos
    }

    private func print(_ handler: VNImageRequestHandler, _ revision: Int) throws -> FeaturePrint {
        let request = VNGenerateImageFeaturePrintRequest()
        request.revision = revision
        try handler.perform([request])
        guard let print = request.results?.first else { throw ValidationError("A photo got no print.") }
        return FeaturePrint(print)
    }

    /// Every item is a query against the others. Items that are alone in their class are not queries.
    static func meanAveragePrecision(
        _ labels: [String], distance: (Int, Int) throws -> Double
    ) -> Result<Double, any Error> {
        Result {
            var precisions: [Double] = []
            for query in labels.indices {
                let others = try labels.indices.filter { $0 != query }.map { (try distance(query, $0), $0) }
                    .sorted { $0 < $1 }
                var (relevant, sum) = (0.0, 0.0)
                for (rank, other) in others.enumerated() where labels[other.1] == labels[query] {
                    relevant += 1
                    sum += relevant / Double(rank + 1)
                }
                if relevant > 0 { precisions.append(sum / relevant) }
            }
            return precisions.reduce(0, +) / Double(max(1, precisions.count))
        }
    }

    private func report(_ outcome: Outcome) {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if let data = try? encoder.encode(outcome) { Swift.print(String(decoding: data, as: UTF8.self)) }
            return
        }
        Swift.print(
            String(
                format:
                    "revision %d: %d photos of %d classes, mean average precision %.2f %%, "
                    + "cosine of pooled features %.2f %%",
                outcome.revision, outcome.photos, outcome.classes, outcome.meanAveragePrecision,
                outcome.meanAveragePrecisionOfCosine))
        let changes = PhotoChange.allCases.map(\.rawValue)
        for change in changes {
            guard let all = outcome.nearerThanAll[change], let each = outcome.nearerThanEach[change] else { continue }
            Swift.print(
                String(format: "  nearer than all / each other of its class: %5.1f / %6.2f %%  ", all, each) + change)
        }
        guard !outcome.nearerThanAll.isEmpty else { return }
        let mean = { (values: [String: Double]) in values.values.reduce(0, +) / Double(values.count) }
        Swift.print(
            String(
                format: "  nearer than all / each other of its class: %5.1f / %6.2f %%  all changes",
                mean(outcome.nearerThanAll), mean(outcome.nearerThanEach)))
    }
}
