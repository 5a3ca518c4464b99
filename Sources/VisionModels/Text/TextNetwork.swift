package import Foundation
package import VisionAlgorithms
package import VisionImage
import VisionInference

/// A network that finds text, PP-OCRv6's small or tiny detector from the model store: for each pixel of an image of any
/// size, it returns the probability of the core of a text line.
package final class TextNetwork: Sendable {
    /// The rows and columns of its input are multiples of this.
    package static let step = 32

    package let size: TextNetworkSize
    /// Whether its products are of bytes.
    package let isInBytes: Bool
    private let session: Session

    /// The network of this process.
    ///
    /// - Parameter inBytes: Whether it is the one in 8 bits.
    /// - Throws: `ModelStoreError`.
    package static func shared(
        _ size: TextNetworkSize = .small, inBytes: Bool = false, store: InstalledModels = InstalledModels()
    ) throws -> TextNetwork {
        try ModelRegistry.shared.network(size.detector, as: inBytes ? "bytes" : "floats", in: store) {
            try TextNetwork(size, contentsOf: store.url(for: size.detector), inBytes: inBytes)
        }
    }

    /// - Parameter inBytes: Whether its products are of bytes.
    /// - Throws: `ModelStoreError.damaged`.
    package init(_ size: TextNetworkSize = .small, contentsOf url: URL, inBytes: Bool = false) throws {
        self.size = size
        isInBytes = inBytes
        session = try ModelStoreError.reporting(size.detector, "cannot be loaded") {
            let graph =
                try inBytes
                ? ONNXImporter.graph(TextByteGraph(size.detectorCalibration).quantised(ONNXModel(contentsOf: url)))
                : NetworkFile.graph(contentsOf: url)
            return try Session(graph: graph, options: .init(sharesArenas: true))
        }
        guard session.inputs.count == 1, session.outputs.count == 1, session.inputs[0].type == .float32,
            let shape = session.inputs[0].shape, shape.count == 4, shape[1] == 3, shape[2] == nil, shape[3] == nil
        else {
            throw ModelStoreError.damaged(size.detector, reason: "its inputs or outputs are not those of the network")
        }
    }

    /// The means and standard deviations for red, green and blue: ImageNet's values in the order of the training, which
    /// applied them to blue first.
    private static let mean = SIMD3<Float>(0.406, 0.456, 0.485)
    private static let deviation = SIMD3<Float>(0.225, 0.224, 0.229)

    /// Returns the text map of an image of bytes, which is padded to full steps by its last row and column.
    ///
    /// - Parameter threads: The maximum number of threads; nil for all. The result does not depend on it.
    /// - Throws: `ModelStoreError.damaged`, `ImageError`.
    package func map(of image: Raster, threads: Int? = nil) throws -> TextMap {
        let (width, height) = (Self.stepped(image.width), Self.stepped(image.height))
        let floats = try image.normalised(
            to: .planarRGBFloat, scale: 1 / (255 * Self.deviation), bias: -Self.mean / Self.deviation)
        return try ModelStoreError.reporting(size.detector, "cannot be run") {
            try session.run(shapes: [[1, 3, height, width]], threads: threads) { _, input in
                floats.copyPlanes(to: input.elements(), width: width, height: height, padding: nil)
            } read: { outputs in
                guard outputs[0].type == .float32, outputs[0].shape == [1, 1, height, width] else {
                    throw ModelError.wrongInput("it made a map of \(outputs[0].shape), not \(width) × \(height)")
                }
                return Self.cut(
                    outputs[0].elements(), rowLength: width, width: image.width, height: image.height)
            }
        }
    }

    private static func stepped(_ size: Int) -> Int { (size + step - 1) / step * step }

    private static func cut(
        _ values: UnsafeMutableBufferPointer<Float>, rowLength: Int, width: Int, height: Int
    ) -> TextMap {
        let cut = [Float](unsafeUninitializedCapacity: width * height) { target, count in
            for row in 0..<height {
                for column in 0..<width { target[row * width + column] = values[row * rowLength + column] }
            }
            count = width * height
        }
        return TextMap(width: width, height: height, values: cut)
    }
}
