package import Foundation
import VisionFiles

/// The folder that Apple's compiler makes of a model (`.mlmodelc`), with an ML program as text.
package enum CompiledPackage {
    /// The specification that the folder was made of, as far as it says: the program, and the inputs and outputs that
    /// `metadata.json` describes. Without that file they are arrays as the program has them.
    ///
    /// - Returns: nil for a folder that Apple's compiler did not make.
    /// - Throws: `ModelError` when it is damaged, or of a kind that is not read.
    package static func specification(in folder: URL) throws -> ModelBytes? {
        let text = folder.appendingPathComponent("model.mil")
        guard exists(text) else {
            try refuseOthers(folder)
            return nil
        }
        let program = try ModelError.adding(.init(file: text.path)) {
            let bytes = try ModelBytes(contentsOf: text)
            guard bytes.count <= largestText else {
                throw ModelError.tooLarge("\(bytes.count) bytes of text, more than the limit of \(largestText)")
            }
            return try ProgramText.program(bytes)
        }
        let description = try CompiledDescription(
            in: folder.appendingPathComponent("metadata.json"), of: program.main)
        var writer = ProtobufWriter()
        writer.int(1, Int64(description.version))
        writer.append(2, description.message())
        program.message.withUnsafeBytes { writer.bytes(502, $0) }
        return ModelBytes(writer.data)
    }

    private static let largestText = 256 << 20

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    private static func refuseOthers(_ folder: URL) throws {
        let advice = "Open the .mlmodel or .mlpackage that it was made of"
        if exists(folder.appendingPathComponent("model.espresso.net")) {
            throw ModelError.unsupported(
                "\(folder.path) is a neural network in the form of Apple's compiler (model.espresso.net). \(advice)")
        }
        if exists(folder.appendingPathComponent("coremldata.bin")) {
            let isPipeline = exists(folder.appendingPathComponent("model0"))
            throw ModelError.unsupported(
                "\(folder.path) is \(isPipeline ? "a pipeline" : "a model") in the form of Apple's compiler without a "
                    + "program as text (model.mil). \(advice)")
        }
    }
}

/// Inputs and outputs of a compiled program.
struct CompiledDescription {
    var version = 6
    private var inputs: [Feature]
    private var outputs: [Feature]
    private var states: [Feature]
    private var properties: [String: String] = [:]
    private var texts: [Int: String] = [:]

    init(in file: URL, of function: ProgramText.Function) throws {
        let found = try Self.metadata(file)
        let known = Dictionary(function.inputs.map { ($0.name, $0.type) }) { first, _ in first }
        states = function.inputs.compactMap { input in
            guard case .state(let type) = input.type else { return nil }
            return Feature(name: input.name, type: "State", shape: type.shape)
        }
        guard let found else {
            inputs = function.inputs.compactMap { Feature($0.name, $0.type) }
            outputs = function.outputs.compactMap { output in output.type.flatMap { Feature(output.name, $0) } }
            return
        }
        inputs = try found.inputSchema.map { try Feature($0, known[$0.name]) }
        let made = Dictionary(function.outputs.map { ($0.name, $0.type) }) { first, _ in first }
        outputs = try found.outputSchema.map { try Feature($0, made[$0.name] ?? nil) }
        version = min(max(found.specificationVersion ?? version, 6), CoreMLModel.versions.upperBound)
        properties = found.userDefinedMetadata ?? [:]
        texts = [
            1: found.shortDescription ?? "", 2: found.version ?? "", 3: found.author ?? "", 4: found.license ?? "",
        ]
    }

    private static func metadata(_ file: URL) throws -> CompiledMetadata? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data: Data
        do {
            data = try RegularFile(file).contents(limit: 16 << 20)
        } catch {
            throw ModelError.unreadable("\(error)")
        }
        do {
            return try JSONDecoder().decode([CompiledMetadata].self, from: data).first
        } catch {
            throw ModelError.damaged("\(file.path) does not describe a model: \(error)")
        }
    }

    /// The message `ModelDescription`.
    func message() -> ProtobufWriter {
        var writer = ProtobufWriter()
        for input in inputs { writer.append(1, input.message()) }
        for output in outputs { writer.append(10, output.message()) }
        // A classifier gives a label and the probabilities of all.
        if let probabilities = outputs.first(where: { $0.type == "Dictionary" }),
            let label = outputs.first(where: { $0.type == "String" || $0.type == "Int64" })
        {
            writer.string(11, label.name)
            writer.string(12, probabilities.name)
        }
        for state in states { writer.append(13, state.message()) }
        writer.message(100) { metadata in
            for (field, text) in texts.sorted(by: { $0.key < $1.key }) { metadata.optionalString(field, text) }
            for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
                metadata.message(100) { entry in
                    entry.string(1, key)
                    entry.string(2, value)
                }
            }
        }
        return writer
    }
}
