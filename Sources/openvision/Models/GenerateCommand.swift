import ArgumentParser
import CoreML
import ModelClasses
import VisionFiles
import VisionInference
import VisionVideo

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write the Swift class that Xcode writes for a model.",
        discussion: """
            Writes NAME.swift with the classes NAME, NAMEInput and NAMEOutput, so that code written for a Mac \
            ('try VNCoreMLModel(for: MobileNet(configuration: .init()).model)') compiles. The class looks for the \
            model among the resources of its target. The plugin GenerateModelClasses does the same for every model of \
            a target; see Documentation/CoreMLFiles.md. Of a Core ML file only the description is read; other models \
            are opened with their metadata.

            Examples:
              openvision generate MobileNet.mlmodel --output Sources/App
              openvision generate yolox.onnx --class Detector --access public
            """)

    @Argument(help: "A .mlmodel, .onnx or .tflite file, or a .mlpackage folder.")
    var model: String

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The folder to write to.", valueName: "folder"))
    var output = "."

    @Option(
        name: .customLong("class"), help: ArgumentHelp("The name of the class: that of the file.", valueName: "name"))
    var className: String?

    @Option(help: ArgumentHelp("Who may use the class.", valueName: "internal|public"))
    var access = ModelClass.Access.internal

    @Option(help: ArgumentHelp("Where the model is: with the target, or with the program.", valueName: "module|main"))
    var bundle = ModelClass.ResourceBundle.module

    func validate() throws {
        if let className, SwiftText.identifier(className) != className {
            throw ValidationError("--class is “\(className)”, which is no name of a class in Swift.")
        }
    }

    func run() throws {
        let description = try Self.description(
            of: URL(fileURLWithPath: model), name: className, access: access, bundle: bundle)
        let file = URL(fileURLWithPath: output).appendingPathComponent(description.name + ".swift")
        if FileManager.default.fileExists(atPath: file.path) {
            let old = try RegularFile(file).contents(limit: 16 << 20)
            guard String(decoding: old, as: UTF8.self).contains(ModelClass.mark) else {
                throw ValidationError(
                    "\(file.path) exists and was not written by this command. Remove it, or use --class.")
            }
        }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(description.source.utf8).write(to: file)
        } catch {
            throw VideoError(kind: .io, path: file.path, reason: "cannot be written")
        }
        print(file.path)
    }

    /// The class of a model. A Core ML file need not be one that runs here.
    static func description(
        of url: URL, name: String?, access: ModelClass.Access, bundle: ModelClass.ResourceBundle
    ) throws -> ModelClass {
        let isPackage = url.pathExtension.lowercased() == "mlpackage"
        if try isPackage || ModelFileKind(ModelBytes(contentsOf: url)).isCoreML {
            return try ModelClass(coreMLAt: url, name: name, access: access, bundle: bundle)
        }
        let model = try MLModel(contentsOf: url)
        return ModelClass(
            name: name ?? url.deletingPathExtension().lastPathComponent, fileName: url.lastPathComponent,
            inputs: model.interface.inputDescriptions.compactMap(ModelFeature.init),
            outputs: model.interface.outputDescriptions.compactMap(ModelFeature.init), access: access, bundle: bundle)
    }
}

extension ModelClass.Access: ExpressibleByArgument {}
extension ModelClass.ResourceBundle: ExpressibleByArgument {}

extension ModelFeature {
    /// nil for what is no feature of a model that runs here.
    fileprivate init?(_ description: MLFeatureDescription) {
        let kind: Kind
        switch description.type {
        case .int64: kind = .int64
        case .double: kind = .double
        case .string: kind = .string
        case .image:
            let image = description.imageConstraint
            let format: PixelFormat =
                switch image?.pixelFormatType {
                case kCVPixelFormatType_OneComponent8?: .grey
                case kCVPixelFormatType_OneComponent16Half?: .greyHalf
                default: .colour
                }
            kind = .image(width: image?.pixelsWide ?? 0, height: image?.pixelsHigh ?? 0, format)
        case .multiArray:
            let constraint = description.multiArrayConstraint
            let scalar: Scalar =
                switch constraint?.dataType {
                case .double?: .double
                case .float16?: .half
                case .int32?: .int32
                default: .float
                }
            let shapes = constraint?.shapeConstraint
            let isFixed = shapes?.type == .enumerated && shapes?.enumeratedShapes.count == 1
            kind = .array(shape: isFixed ? constraint?.shape.map(\.intValue) : nil, scalar)
        case .dictionary: kind = .dictionary(stringKeys: description.dictionaryConstraint?.keyType != .int64)
        case .sequence: kind = .sequence(ofStrings: description.sequenceConstraint?.valueDescription.type != .int64)
        case .invalid, .state: return nil
        }
        self.init(name: description.name, summary: "", kind: kind, isOptional: description.isOptional)
    }
}
