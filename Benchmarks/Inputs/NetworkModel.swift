import Foundation
import VisionImage
import VisionInference
import VisionModels

/// A network to time: an installed one, or a file.
struct NetworkModel {
    /// The store's name, or the file's with its extension.
    let name: String
    let url: URL

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// The installed models, and what to do where one is not as it should be.
    static func installed(_ store: InstalledModels = InstalledModels()) -> (models: [NetworkModel], notes: [String]) {
        var models: [NetworkModel] = []
        var notes: [String] = []
        for (description, state) in store.list() {
            switch state {
            case .success(let model): models.append(NetworkModel(name: description.id, url: model.url))
            case .failure(.notInstalled): break
            case .failure(let error): notes.append(error.description)
            }
        }
        if models.isEmpty {
            let folders = store.locations.all.map(\.path).joined(separator: ", ")
            notes.append(
                "No network is installed in \(folders). `make models`, or `openvision models install`, installs "
                    + "them; --models takes those of a folder.")
        }
        return (models, notes)
    }

    /// The models of a folder and of the folders in it, by their paths.
    static func files(in folder: String) throws -> [NetworkModel] {
        let root = URL(fileURLWithPath: folder, isDirectory: true)
        guard FileManager.default.isReadableFile(atPath: root.path),
            let paths = FileManager.default.enumerator(atPath: root.path)
        else {
            throw Missing(description: "\(folder) is not a readable folder")
        }
        let names = paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".onnx") || $0.hasSuffix(".tflite") }
        guard !names.isEmpty else { throw Missing(description: "no .onnx or .tflite file in \(folder)") }
        return names.sorted().map { NetworkModel(name: $0, url: root.appendingPathComponent($0)) }
    }

    /// Both, the installed ones first.
    static func all(folder: String?) throws -> (models: [NetworkModel], notes: [String]) {
        let (models, notes) = installed()
        guard let folder else { return (models, notes) }
        // With --models, no installed model is not an error.
        return (models + (try files(in: folder)), models.isEmpty ? [] : notes)
    }
}

/// A network with inputs, ready to be called.
struct RunningNetwork {
    private let session: Session
    private let inputs: [Tensor]
    private let threads: Int

    /// The size at which networks of any image size are timed.
    private static let openSize = (height: 480, width: 640)

    /// - Throws: `ModelError`, or `Missing` for a model that leaves more open than the size of its batch and of its
    ///   image.
    init(_ url: URL, threads: Int) throws {
        let graph = try NetworkFile.graph(contentsOf: url)
        var random = SplitMix64(seed: 5)
        inputs = try graph.inputs.map { port in
            var sizes = port.shape?.enumerated().map { $0 == 0 ? $1 ?? 1 : $1 }
            if let shape = sizes, shape.count == 4, shape[1] == 3, shape[2] == nil, shape[3] == nil {
                sizes = [shape[0], 3, Self.openSize.height, Self.openSize.width]
            }
            guard let sizes, !sizes.contains(nil) else {
                throw NetworkModel.Missing(description: "the model leaves the shape of its input '\(port.name)' open")
            }
            return try Self.noise(sizes.compactMap { $0 }, port.type, &random)
        }
        self.threads = threads
        session = try Session(graph: graph, options: .init(threads: threads))
    }

    /// Values of 0 to 1, or bytes; zeros for everything that is not an image.
    private static func noise(_ shape: Shape, _ type: ElementType, _ random: inout SplitMix64) throws -> Tensor {
        switch type {
        case .float32:
            return try Tensor((0..<shape.elementCount).map { _ in abs(random.symmetric()) }, shape: shape)
        case .uint8:
            let bytes = (0..<shape.elementCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            return try Tensor(bytes, shape: shape)
        default:
            return try Tensor(zeros: shape, of: type)
        }
    }

    /// One call: the inputs are copied to where the network reads them, the outputs stay where it leaves them.
    func run() throws {
        try session.run(shapes: inputs.map(\.shape), threads: threads) { index, view in
            view.base.copyMemory(from: inputs[index].storage.base, byteCount: inputs[index].byteCount)
        } read: { outputs in
            keep(outputs.count)
        }
    }

    /// Multiplications and additions of a call, and the bytes that all its intermediate results share.
    func size() throws -> (operations: Int, arenaBytes: Int) {
        let profile = try session.profile(shapes: inputs.map(\.shape), runs: 1, threads: threads)
        return (profile.steps.reduce(0) { $0 + $1.operations }, profile.arenaBytes)
    }
}
