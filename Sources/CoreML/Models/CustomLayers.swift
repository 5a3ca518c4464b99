import VisionInference
import VisionThreads

extension MLModel {
    private static let customLayers = Locked<[String: any MLCustomLayer.Type]>([:])

    /// Registers the class that computes a custom layer, for models that are opened later.
    ///
    /// Apple's systems find the class by its Objective-C name, which Linux does not have.
    ///
    /// - Parameters:
    ///   - layer: The class.
    ///   - className: The name that Core ML files have for it; the name of the class in Swift if it is nil.
    public class func registerCustomLayer(_ layer: any MLCustomLayer.Type, named className: String? = nil) {
        customLayers.withLock { $0[className ?? String(describing: layer)] = layer }
    }

    /// The class that a file names; nil if there is none.
    fileprivate static func customLayer(named name: String) -> (any MLCustomLayer.Type)? {
        if let layer = customLayers.withLock({ $0[name] }) { return layer }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        // A name of a file must not reach what makes types of names with anything else in it.
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || $0 == "_" }
        }
        guard isName, parts.count <= 2, name.utf8.count <= 256 else { return nil }
        let executable = Bundle.main.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
        let module = String(executable.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return NSClassFromString(parts.count == 2 ? name : "\(module).\(name)") as? any MLCustomLayer.Type
    }
}

/// A custom layer of a model, computed by a class of the program.
final class ProgramLayer: CustomLayer {
    private struct Instance: @unchecked Sendable {
        // Unchecked: whoever uses the layer holds the lock.
        let layer: any MLCustomLayer
    }

    private let name: String
    private let instance: Locked<Instance>

    /// - Throws: `MLModelError.customLayer` if the program has no such class, or it does not take the parameters or
    ///   weights.
    init(_ description: CustomLayerDescription) throws {
        let name = "The custom layer “\(description.name)” of the class “\(description.className)”"
        guard let type = MLModel.customLayer(named: description.className) else {
            throw MLModelError(
                .customLayer,
                "\(name) is computed by the program, which has no such class. Write it as the author of the model did, "
                    + "as a class that conforms to MLCustomLayer, and call "
                    + "MLModel.registerCustomLayer(TheClass.self, named: \"\(description.className)\") before the "
                    + "model is opened.")
        }
        self.name = name
        instance = try Self.reporting(name) {
            let layer = try type.init(parameters: description.parameters.mapValues(\.value))
            try layer.setWeightData(description.weights.map { $0.withBytes { Data($0) } })
            return Locked(Instance(layer: layer))
        }
    }

    func outputShapes(_ inputs: [Shape]) throws -> [Shape] {
        try Self.reporting(name) {
            try instance.withLock { instance in
                try instance.layer.outputShapes(forInputShapes: inputs.map { $0.map { NSNumber(value: $0) } })
            }.map { $0.map(\.intValue) }
        }
    }

    func evaluate(
        _ inputs: [(shape: Shape, elements: UnsafeBufferPointer<Float>)],
        _ outputs: [(shape: Shape, elements: UnsafeMutableBufferPointer<Float>)]
    ) throws {
        // Copies, because a layer may keep its arrays longer than the memory of the run is theirs.
        let sources = try inputs.map { input in
            let array = try MLMultiArray(lengths: input.shape, dataType: .float32)
            array.withUnsafeMutableBufferPointer(ofType: Float.self) { target, _ in
                for (index, value) in input.elements.enumerated() { target[index] = value }
            }
            return array
        }
        let results = try outputs.map { try MLMultiArray(lengths: $0.shape, dataType: .float32) }
        try Self.reporting(name) {
            try instance.withLock { try $0.layer.evaluate(inputs: sources, outputs: results) }
        }
        for (output, result) in zip(outputs, results) {
            result.withUnsafeBufferPointer(ofType: Float.self) { source in
                for (index, value) in source.enumerated() { output.elements[index] = value }
            }
        }
    }

    /// Makes errors of the class those of this module.
    private static func reporting<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as MLModelError {
            throw error
        } catch {
            throw MLModelError(.customLayer, "\(name) failed: \(error.localizedDescription)")
        }
    }
}

extension CustomLayerDescription.Parameter {
    fileprivate var value: Any {
        switch self {
        // Casts of an NSNumber succeed to every type of numbers that holds it exactly, as on Apple's systems.
        case .double(let value): NSNumber(value: value)
        case .string(let value): value
        case .int(let value): NSNumber(value: value)
        case .bool(let value): NSNumber(value: value)
        }
    }
}
