import ArgumentParser
import Foundation
import VisionInference
import VisionRecords

struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Measure the time of each layer of a model.",
        discussion: """
            Prints the shortest time of each layer over several runs. '% of peak' is relative to the rate of 32-bit \
            multiply-adds that this computer reaches with the same number of threads, measured before the runs. The \
            inputs of the network are zeros. A classifier written by 'train' has two networks: one extracts features, \
            the other is its last layer.

            Examples:
              openvision profile efficientnet-lite0
              openvision profile rectangle-proposals
              openvision profile parts.mlmodel
              openvision profile yolox.onnx --threads 2 --shape images=1x3x416x416 --json
            """)

    @OptionGroup var model: ModelArgument

    @Option(help: ArgumentHelp("The number of threads.", valueName: "count"))
    var threads = 1

    @Option(help: ArgumentHelp("The number of runs.", valueName: "count"))
    var runs = 30

    @OptionGroup var openShapes: ShapeOptions

    @Flag(help: "Print JSON instead of a table: a line for each layer, and a summary as the last line.")
    var json = false

    struct Layer: Encodable {
        var layer: String
        var operation: String
        var shape: [Int]
        @Nullable var milliseconds: Double?
        @Nullable var share: Double?
        @Nullable var gigaflops: Double?
        @Nullable var percentOfPeak: Double?
    }

    struct Summary: Encodable {
        var model: String
        var threads: Int
        /// The time of the shortest run, and the sum of the shortest times of the layers.
        @Nullable var milliseconds: Double?
        @Nullable var layersMilliseconds: Double?
        var operations: Int
        @Nullable var gigaflops: Double?
        @Nullable var peakGigaflops: Double?
        @Nullable var percentOfPeak: Double?
        var arenaBytes: Int
    }

    func validate() throws {
        guard (1...256).contains(threads) else {
            throw ValidationError("--threads is \(threads); it must be 1 to 256.")
        }
        guard (1...100_000).contains(runs) else { throw ValidationError("--runs is \(runs); it must be 1 to 100000.") }
    }

    func run() throws {
        let source = try model.source()
        let model = try source.parts()
        guard !model.parts.isEmpty else {
            throw ModelArgument.Failure(
                description: "\(source.label) is no network: it has no layers whose time could be measured.")
        }
        for shape in openShapes.shapes where !model.inputs.contains(where: { $0.name == shape.name }) {
            throw ValidationError("The model has no input '\(shape.name)'.")
        }
        let prepared = try model.parts.map { part in
            (
                part.prefix, try part.graph.inputs.map { try shape(of: $0) },
                try Session(graph: part.graph, options: .init(threads: threads))
            )
        }
        let peak = PeakRate.operationsPerSecond(threads: threads)
        let profiles = try prepared.map { prefix, shapes, session in
            (prefix, try session.profile(shapes: shapes, runs: runs, threads: threads))
        }
        let steps = profiles.flatMap { prefix, profile in profile.steps.map { (prefix, $0) } }
        let total = steps.reduce(0) { $0 + $1.1.seconds }
        let layers = steps.map { prefix, step in
            let rate = step.seconds > 0 ? Double(step.operations) / step.seconds : 0
            return Layer(
                layer: prefix + step.node, operation: step.operation, shape: step.outputShape,
                milliseconds: Decimals.rounded(step.seconds * 1e3, 4), share: Decimals.rounded(step.seconds / total, 4),
                gigaflops: Decimals.rounded(rate / 1e9, 2), percentOfPeak: Decimals.rounded(100 * rate / peak, 1))
        }
        let operations = steps.reduce(0) { $0 + $1.1.operations }
        let seconds = profiles.reduce(0) { $0 + $1.1.seconds }
        let rate = Double(operations) / seconds
        let summary = Summary(
            model: source.label, threads: threads, milliseconds: Decimals.rounded(seconds * 1e3, 4),
            layersMilliseconds: Decimals.rounded(total * 1e3, 4), operations: operations,
            gigaflops: Decimals.rounded(rate / 1e9, 2), peakGigaflops: Decimals.rounded(peak / 1e9, 1),
            percentOfPeak: Decimals.rounded(100 * rate / peak, 1),
            arenaBytes: profiles.reduce(0) { $0 + $1.1.arenaBytes })
        if json {
            try layers.forEach { try JSONLines.print($0, kind: "profile-layer") }
            try JSONLines.print(summary, kind: "profile-summary")
        } else {
            show(layers, summary)
        }
    }

    /// Returns the shape from the command line, else that of the model with a batch size of 1.
    private func shape(of port: Graph.Port) throws -> Shape {
        let given = openShapes.shapes.last { $0.name == port.name }?.sizes
        if let given { return given }
        let known = port.shape.map { $0.enumerated().map { $0 == 0 ? $1 ?? 1 : $1 } }
        guard let known, !known.contains(nil) else {
            throw ValidationError(
                "The model leaves the shape of '\(port.name)' open; give it as --shape \(port.name)=1x3x416x416.")
        }
        return known.compactMap { $0 }
    }

    private func show(_ layers: [Layer], _ summary: Summary) {
        func text(_ number: Double?, _ count: Int) -> String { number.map { Decimals.text($0, count) } ?? "–" }
        let rows = layers.map { layer in
            let isCounted = (layer.gigaflops ?? 0) > 0
            return [
                layer.layer, layer.operation, layer.shape.map(String.init).joined(separator: "×"),
                text(layer.milliseconds, 4), text(layer.share.map { 100 * $0 }, 1),
                isCounted ? text(layer.gigaflops, 1) : "", isCounted ? text(layer.percentOfPeak, 1) : "",
            ]
        }
        TextTable(
            header: ["layer", "operator", "output", "ms", "share %", "GFLOP/s", "% of peak"], rows: rows,
            numbers: [3, 4, 5, 6]
        ).print()
        print("")
        print(
            "shortest run: \(text(summary.milliseconds, 3)) ms with \(threads == 1 ? "1 thread" : "\(threads) threads")"
        )
        print(
            "\(Decimals.text(Double(summary.operations) / 1e6, 1)) million operations: "
                + "\(text(summary.gigaflops, 1)) GFLOP/s, "
                + "\(text(summary.percentOfPeak, 1)) % of the peak of \(text(summary.peakGigaflops, 1))")
        print("arena: \(summary.arenaBytes) bytes")
    }
}
