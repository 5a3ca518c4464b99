import Foundation
package import VisionAlgorithms
package import VisionImage
import VisionInference
import VisionThreads

/// A network that reads lines of text: PP-OCRv6's small or tiny recogniser from the model store.
package final class TextRecognitionNetwork: Sendable {
    /// The rows of the input.
    package static let rows = 48
    /// The columns of the input are multiples of this, so that few sizes have to be prepared.
    private static let columnStep = 64
    /// The largest number of columns. What is longer, 133 times its height, is hardly a line of text; of it the middle
    /// is read together with what lies above and below.
    package static let columnLimit = 6400
    /// The sizes of the input that stay prepared: pages have lines of a dozen lengths and more.
    private static let preparedLimit = 64
    /// The columns of a step.
    package static let stepColumns = 8

    /// The networks learnt lines many of whose labels lack spaces, so they see spaces too rarely: the odds of a space
    /// are this many times what they say. Of 3, 8, 10, 20 and 30 the best on receipts; rendered pages hardly change.
    private static let spaceOdds: Float = 8

    package let size: TextNetworkSize
    /// The character of each class: nothing for class 0, which stands between characters.
    package let alphabet: [String]
    /// The corrections of its readings.
    let numbers: NumberCorrection
    let words: WordCorrection
    /// Whether there is a network in 8 bits, which takes less than half of the time, beside the one in floats.
    package var hasBytes: Bool { byteSession != nil }
    private let session: Session
    private let byteSession: Session?

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(_ size: TextNetworkSize, store: InstalledModels = InstalledModels()) throws
        -> TextRecognitionNetwork
    {
        try ModelRegistry.shared.network(size.recogniser, in: store) { try TextRecognitionNetwork(size, store: store) }
    }

    /// - Parameter usesBytes: Whether a network in 8 bits is made as well.
    /// - Throws: `ModelStoreError`.
    package init(
        _ size: TextNetworkSize, store: InstalledModels = InstalledModels(), usesBytes: Bool = ByteProducts.areFast
    ) throws {
        self.size = size
        let url = try store.url(for: size.recogniser)
        let model = try ModelStoreError.reporting(size.recogniser, "cannot be loaded") {
            try ONNXModel(contentsOf: url)
        }
        let options = Session.Options(preparedLimit: Self.preparedLimit, sharesArenas: true)
        (session, byteSession) = try ModelStoreError.reporting(size.recogniser, "cannot be loaded") {
            let bytes = try usesBytes ? TextByteGraph(size.recogniserCalibration).quantised(model) : nil
            return (
                try Session(graph: ONNXImporter.graph(model), options: options),
                try bytes.map { try Session(graph: ONNXImporter.graph($0), options: options) }
            )
        }
        guard let characters = model.metadata["character"] else {
            throw ModelStoreError.damaged(size.recogniser, reason: "it has no list of characters")
        }
        alphabet = [""] + characters.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
        numbers = NumberCorrection(alphabet: alphabet, space: alphabet.count - 1)
        words = WordCorrection(alphabet: alphabet)
        guard session.inputs.count == 1, session.outputs.count == 1, session.inputs[0].type == .float32,
            let shape = session.inputs[0].shape, shape.count == 4, shape[1] == 3, shape[2] == Self.rows,
            shape[3] == nil
        else {
            throw ModelStoreError.damaged(size.recogniser, reason: "its inputs or outputs are not those of the network")
        }
    }

    /// Returns the number of columns of the input for a line with that many columns of pixels.
    package static func inputColumns(_ columns: Int) -> Int {
        max(2 * columnStep, (columns + columnStep - 1) / columnStep * columnStep)
    }

    /// Reads lines.
    ///
    /// - Parameters:
    ///   - strips: The pixels of the lines: `rows` rows of `rgb8`, at most `columns` columns.
    ///   - columns: The columns of the input, from `inputColumns`; strips that are shorter are padded.
    ///   - inBytes: Whether the network in 8 bits reads them, where there is one.
    ///   - isAllowed: Whether a character of the alphabet may occur; nil for all.
    ///   - threads: The maximum number of threads; nil for all. The results do not depend on it.
    /// - Throws: `ModelStoreError`, `ImageError`.
    package func lattices(
        of strips: [Raster], columns: Int, inBytes: Bool = false, isAllowed: [Bool]? = nil, threads: Int? = nil
    ) throws -> [CTCLattice] {
        let session = inBytes ? byteSession ?? session : session
        precondition(strips.allSatisfy { $0.height == Self.rows && $0.width <= columns })
        let planes = try strips.map {
            try $0.normalised(to: .planarRGBFloat, scale: .one * 2 / 255, bias: -.one)
        }
        return try ModelStoreError.reporting(size.recogniser, "cannot be run") {
            try session.run(shapes: [[strips.count, 3, Self.rows, columns]], threads: threads) { _, input in
                let floats: UnsafeMutableBufferPointer<Float> = input.elements()
                let length = 3 * Self.rows * columns
                for (index, strip) in planes.enumerated() {
                    // Columns beyond the line are 0, the middle grey.
                    strip.copyPlanes(
                        to: .init(rebasing: floats[index * length..<(index + 1) * length]), width: columns,
                        height: Self.rows, padding: 0)
                }
            } read: { outputs in
                let shape = outputs[0].shape
                guard outputs[0].type == .float32, shape.count == 3, shape[0] == strips.count,
                    shape[2] == alphabet.count
                else { throw ModelError.wrongInput("it made probabilities of \(shape)") }
                let values: UnsafeMutableBufferPointer<Float> = outputs[0].elements()
                let space = CTCLattice.Prior(index: alphabet.count - 1, odds: Self.spaceOdds)
                return strips.indices.map { index in
                    var lattice = CTCLattice()
                    for step in 0..<shape[1] {
                        let start = (index * shape[1] + step) * shape[2]
                        lattice.appendStep(
                            UnsafeBufferPointer(rebasing: values[start..<start + shape[2]]), isAllowed: isAllowed,
                            prior: space)
                    }
                    return lattice
                }
            }
        }
    }
}
