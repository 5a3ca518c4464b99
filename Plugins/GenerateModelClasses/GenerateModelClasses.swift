import Foundation
import PackagePlugin

/// Writes the class of every model among the files of a target: Core ML files and packages, and .onnx and .tflite
/// files. A model that is no resource of the target becomes one.
@main
struct GenerateModelClasses: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "ModelClassTool").url
        let resources = Set(target.sourceFiles.filter { $0.type == .resource }.map(\.url.path))
        var titles: [String: URL] = [:]
        return models(of: target).compactMap { model in
            let title = model.url.deletingPathExtension().lastPathComponent
            if let other = titles[title] {
                let clash = "\(other.path) and \(model.url.path) would have the same class, \(title)."
                if !Self.isCoreML(model.url) {
                    // The same network in another format, for example.
                    Diagnostics.remark("\(clash) It is that of \(other.lastPathComponent).")
                } else {
                    Diagnostics.error("\(clash) Rename one of them, or exclude it from the target.")
                }
                return nil
            }
            titles[title] = model.url
            let source = context.pluginWorkDirectoryURL.appendingPathComponent("\(title).swift")
            var arguments = [model.url.path, source.path]
            var outputs = [source]
            for file in (model.isResource ? [] : [model.url]) + model.metadata where !resources.contains(file.path) {
                let copy = context.pluginWorkDirectoryURL.appendingPathComponent(file.lastPathComponent)
                arguments += [file.path, copy.path]
                outputs.append(copy)
            }
            return .buildCommand(
                displayName: "Generating the class of \(model.url.lastPathComponent)", executable: tool,
                arguments: arguments, inputFiles: model.files + model.metadata, outputFiles: outputs)
        }
    }

    private struct Model {
        /// The file, or the folder of a package.
        let url: URL
        /// What is read of it.
        var files: [URL]
        let isResource: Bool

        /// The file beside a network that says what its inputs and outputs are, if there is one.
        var metadata: [URL] {
            let file = url.deletingPathExtension().appendingPathExtension("json")
            return !isCoreML(url) && FileManager.default.fileExists(atPath: file.path) ? [file] : []
        }
    }

    private static func isCoreML(_ model: URL) -> Bool {
        ["mlmodel", "mlpackage"].contains(model.pathExtension.lowercased())
    }

    private func models(of target: any SourceModuleTarget) -> [Model] {
        var models: [String: Model] = [:]
        func add(_ file: URL, isResource: Bool) {
            guard let url = model(holding: file) else { return }
            models[url.path, default: Model(url: url, files: [], isResource: isResource)].files.append(file)
        }
        for file in target.sourceFiles {
            add(file.url, isResource: file.type == .resource)
            // Of a folder that is copied as it is, the class would have to know where in it the model lies: such a
            // model becomes a resource of its own. Networks there are left to the program, which finds them by paths.
            for inner in files(in: file.url) where model(holding: inner).map(Self.isCoreML) == true {
                add(inner, isResource: false)
            }
        }
        return models.values.sorted {
            (Self.isCoreML($0.url) ? 0 : 1, $0.url.path) < (Self.isCoreML($1.url) ? 0 : 1, $1.url.path)
        }
    }

    /// The files in a folder, unless it is a model; none for a file.
    private func files(in folder: URL) -> [URL] {
        guard folder.pathExtension.lowercased() != "mlpackage",
            (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true,
            let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        else { return [] }
        return found.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
    }

    /// The model that a file is, or is a part of.
    private func model(holding file: URL) -> URL? {
        var package = file
        while package.pathComponents.count > 1 {
            if package.pathExtension.lowercased() == "mlpackage" { return package }
            package.deleteLastPathComponent()
        }
        return ["mlmodel", "onnx", "tflite"].contains(file.pathExtension.lowercased()) ? file : nil
    }
}
