package import Foundation
import VisionImage
package import VisionInference

/// The two networks of learned trackers, ready to run: one pair for all trackers of a process.
package final class TrackerNetworks: Sendable {
    private let template: Session
    private let search: Session

    /// - Parameter lite0: The file of EfficientNet-Lite0 that the store keeps.
    /// - Throws: `ModelError`, `TrackingModelError`.
    package convenience init(contentsOf lite0: URL) throws { try self.init(lite0: ONNXModel(contentsOf: lite0)) }

    package init(lite0: ONNXModel) throws {
        let graphs = try TrackerGraphs(lite0: lite0, weights: TrackerGraphs.trainedWeights)
        // Trackers of one frame run beside each other, so each run keeps to its thread.
        template = try Session(graph: ONNXImporter.graph(graphs.template), options: .init(threads: 1))
        search = try Session(graph: ONNXImporter.graph(graphs.search), options: .init(threads: 1))
    }

    private static let loaded = Locked<(url: URL, networks: TrackerNetworks)?>(nil)

    /// The networks made of the store's EfficientNet-Lite0, loaded once.
    ///
    /// - Throws: `ModelStoreError` when the model is not installed, `ModelError`, `TrackingModelError`.
    package static func shared(store: ModelStore = ModelStore()) throws -> TrackerNetworks {
        let url = try store.url(for: "efficientnet-lite0")
        return try loaded.withLock { loaded in
            if let loaded, loaded.url == url { return loaded.networks }
            let networks = try TrackerNetworks(contentsOf: url)
            loaded = (url, networks)
            return networks
        }
    }

    /// What is known of one target.
    struct Template: Sendable {
        let filters: Tensor
        let gate: Tensor

        /// - Parameter share: Of `other`, 0 … 1.
        func mixed(with other: Template, share: Float) throws -> Template {
            func mixed(_ a: Tensor, _ b: Tensor) throws -> Tensor {
                let (a, b, shape) = (a.floats ?? [], b.floats ?? [], a.shape)
                return try Tensor(zip(a, b).map { $0 + share * ($1 - $0) }, shape: shape)
            }
            return Template(
                filters: try mixed(filters, other.filters), gate: try mixed(gate, other.gate))
        }
    }

    /// What a search window shows: row by row, how likely each cell is in the middle of the target, and the box then.
    struct Answer {
        var scores: [Float]
        /// Distances of the four sides from the middle of the cell, in cells: all lefts, then tops, rights, bottoms.
        var distances: [Float]
    }

    /// - Parameters:
    ///   - box: Width and height of the target in pixels of the picture.
    ///   - fill: Writes the picture, 1 × 3 × 128 × 128.
    func template(box: (width: Double, height: Double), fill: (TensorView) throws -> Void) throws -> Template {
        let cells = TrackerGraphs.templateCells
        let side = TrackerGraphs.templateSide
        let across = Self.coverage(of: box.width), down = Self.coverage(of: box.height)
        return try template.run(
            shapes: [[1, 3, side, side], [1, 1, cells, cells]],
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

    /// - Parameter fill: Writes the picture, 1 × 3 × 256 × 256.
    func search(_ template: Template, fill: (TensorView) throws -> Void) throws -> Answer {
        let side = TrackerGraphs.searchSide
        return try search.run(
            shapes: [[1, 3, side, side], template.filters.shape, template.gate.shape],
            fill: { index, input in
                switch index {
                case 0: try fill(input)
                case 1: Self.copy(template.filters, to: input)
                default: Self.copy(template.gate, to: input)
                }
            },
            read: { outputs in
                Answer(
                    scores: Array(outputs[0].elements(Float.self)), distances: Array(outputs[1].elements(Float.self)))
            })
    }

    /// How much of each cell of a template lies within a box of this length in its middle.
    private static func coverage(of length: Double) -> [Float] {
        let step = Double(TrackerGraphs.step)
        let middle = Double(TrackerGraphs.templateSide) / 2
        return (0..<TrackerGraphs.templateCells).map { cell in
            let edge = Double(cell) * step - middle
            return Float(max(0, min(length / 2, edge + step) - max(-length / 2, edge)) / step)
        }
    }

    private static func copy(_ tensor: Tensor, to input: TensorView) {
        tensor.withUnsafeBytes { bytes in
            let source = bytes.bindMemory(to: Float.self)
            let target: UnsafeMutableBufferPointer<Float> = input.elements()
            for index in source.indices { target[index] = source[index] }
        }
    }
}
