package import Foundation
package import VisionInference
import VisionThreads

/// The networks of learned trackers, ready to run: one set for all trackers of a process.
package final class TrackerNetworks: Sendable {
    private let template: Session
    private let view: Session
    private let search: Session

    /// - Parameter lite0: The file of EfficientNet-Lite0 that the store keeps.
    /// - Throws: `ModelError`, `ModelStoreError`.
    package convenience init(contentsOf lite0: URL) throws { try self.init(lite0: ONNXModel(contentsOf: lite0)) }

    package init(lite0: ONNXModel) throws {
        let graphs = try TrackerGraphs(lite0: lite0)
        // The trackers of one frame run in parallel, so the networks of each use one thread.
        template = try Session(graph: ONNXImporter.graph(graphs.template), options: .init(threads: 1))
        search = try Session(graph: ONNXImporter.graph(graphs.search), options: .init(threads: 1))
        let threads = min(Processors.count, Self.mostThreads)
        // Views differ in size from frame to frame: an arena for each of the last sizes would take megabytes apiece.
        view = try Session(
            graph: ONNXImporter.graph(graphs.view),
            options: .init(threads: threads, preparedLimit: Self.viewSizes, sharesArenas: true))
        try prepare()
    }

    /// Runs each network once in the size that all trackers use, so that threads which start trackers at the same time
    /// do not each prepare it.
    private func prepare() throws {
        func fill(_ input: TensorView) {
            let floats: UnsafeMutableBufferPointer<Float> = input.elements()
            for index in floats.indices { floats[index] = Float(index % 2) }
        }
        let side = Double(TrackerGraphs.templateSide)
        let target = try template(box: (side / 2, side / 2), fill: fill)
        let cells = TrackerGraphs.searchCells
        let features = try features(rows: cells, columns: cells, threads: 1, fill: fill) { Array($0) }
        _ = try search(target, in: features)
    }

    /// More threads are idle most of the time in a view, and each needs memory.
    private static let mostThreads = 8
    /// The number of view sizes that stay prepared: preparing a new size takes as long as running four windows.
    private static let viewSizes = 32

    private static let model = "efficientnet-lite0"

    /// The networks of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(store: InstalledModels = InstalledModels()) throws -> TrackerNetworks {
        try ModelRegistry.shared.network(model, in: store) {
            try TrackerNetworks(contentsOf: store.url(for: model))
        }
    }

    /// The template of one target.
    struct Template: Sendable {
        let filters: Tensor
        let gate: Tensor

        /// Returns the weighted mean of two templates.
        ///
        /// - Parameter share: The weight of `other`, 0 … 1.
        func mixed(with other: Template, share: Float) throws -> Template {
            func mixed(_ a: Tensor, _ b: Tensor) throws -> Tensor {
                let (a, b, shape) = (a.floats ?? [], b.floats ?? [], a.shape)
                return try Tensor(zip(a, b).map { $0 + share * ($1 - $0) }, shape: shape)
            }
            return Template(
                filters: try mixed(filters, other.filters), gate: try mixed(gate, other.gate))
        }
    }

    /// The output of the search network, row by row: how likely each cell is the centre of the target, and the box
    /// then.
    struct Answer {
        var scores: [Float]
        /// Distances of the four sides from the middle of the cell, in cells: all lefts, then tops, rights, bottoms.
        var distances: [Float]
    }

    /// - Parameters:
    ///   - box: The width and height of the target in pixels of the input image.
    ///   - fill: Writes the input tensor, 1 × 128 × 128 × 3.
    func template(box: (width: Double, height: Double), fill: (TensorView) throws -> Void) throws -> Template {
        let cells = TrackerGraphs.templateCells
        let side = TrackerGraphs.templateSide
        let across = Self.coverage(of: box.width), down = Self.coverage(of: box.height)
        return try template.run(
            shapes: [[1, side, side, 3], [1, 1, cells, cells]],
            fill: { index, input in
                guard index == 1 else { return try fill(input) }
                let mask: UnsafeMutableBufferPointer<Float> = input.elements()
                for row in 0..<cells {
                    for column in 0..<cells { mask[row * cells + column] = down[row] * across[column] }
                }
            },
            read: { outputs in
                Template(
                    filters: try Tensor(Array(outputs[0].elements(Float.self)), shape: outputs[0].shape),
                    gate: try Tensor(Array(outputs[1].elements(Float.self)), shape: outputs[1].shape))
            })
    }

    /// Computes the feature map of an image of any size; each position covers 16 × 16 pixels.
    ///
    /// - Parameters:
    ///   - rows: The rows of the feature map.
    ///   - columns: The columns of the feature map.
    ///   - threads: The number of threads; the features do not depend on it.
    ///   - fill: Writes the input tensor, 1 × height × width × 3.
    ///   - read: Gets 64 floats for each position, row by row; they are valid during the call only.
    func features<Result>(
        rows: Int, columns: Int, threads: Int, fill: (TensorView) throws -> Void,
        read: (UnsafeMutableBufferPointer<Float>) throws -> Result
    ) throws -> Result {
        let step = TrackerGraphs.step
        return try view.run(
            shapes: [[1, rows * step, columns * step, 3]], threads: threads, fill: { _, input in try fill(input) },
            read: { outputs in try read(outputs[0].elements()) })
    }

    /// Runs the search network.
    ///
    /// - Parameter features: The features at the window's 16 × 16 positions, row by row.
    func search(_ template: Template, in features: [Float]) throws -> Answer {
        let cells = TrackerGraphs.searchCells
        return try search.run(
            shapes: [[1, cells, cells, TrackerGraphs.channels], template.filters.shape, template.gate.shape],
            fill: { index, input in
                switch index {
                case 0: Self.copy(features, to: input)
                case 1: template.filters.withUnsafeBytes { Self.copy($0.bindMemory(to: Float.self), to: input) }
                default: template.gate.withUnsafeBytes { Self.copy($0.bindMemory(to: Float.self), to: input) }
                }
            },
            read: { outputs in
                Answer(
                    scores: Array(outputs[0].elements(Float.self)), distances: Array(outputs[1].elements(Float.self)))
            })
    }

    /// Returns the share of each cell of a template that lies within a centred box of this length.
    private static func coverage(of length: Double) -> [Float] {
        let step = Double(TrackerGraphs.step)
        let middle = Double(TrackerGraphs.templateSide) / 2
        return (0..<TrackerGraphs.templateCells).map { cell in
            let edge = Double(cell) * step - middle
            return Float(max(0, min(length / 2, edge + step) - max(-length / 2, edge)) / step)
        }
    }

    private static func copy(_ source: some RandomAccessCollection<Float>, to input: TensorView) {
        let target: UnsafeMutableBufferPointer<Float> = input.elements()
        precondition(source.count == target.count)
        for (index, value) in source.enumerated() { target[index] = value }
    }
}
