import Foundation
import PackagePlugin

/// Writes the class of every Core ML model among the files of a target. A model that is no resource of the target
/// becomes one.
@main
struct GenerateModelClasses: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "ModelClassTool").url
        var titles: [String: URL] = [:]
        return models(of: target).compactMap { model in
            let title = model.url.deletingPathExtension().lastPathComponent
            if let other = titles.updateValue(model.url, forKey: title) {
                Diagnostics.error(
                    "\(other.path) and \(model.url.path) would have the same class, \(title). Rename one of them, or "
                        + "exclude it from the target.")
                return nil
            }
            let source = context.pluginWorkDirectoryURL.appendingPathComponent("\(title).swift")
            var arguments = [model.url.path, source.path]
            var outputs = [source]
            if !model.isResource {
                let copy = context.pluginWorkDirectoryURL.appendingPathComponent(model.url.lastPathComponent)
                arguments.append(copy.path)
                outputs.append(copy)
            }
            return .buildCommand(
                displayName: "Generating the class of \(model.url.lastPathComponent)", executable: tool,
                arguments: arguments, inputFiles: model.files, outputFiles: outputs)
        }
    }

    private struct Model {
        /// The file, or the folder of a package.
        let url: URL
        /// What is read of it.
        var files: [URL]
        let isResource: Bool
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
            // model becomes a resource of its own.
            for inner in files(in: file.url) { add(inner, isResource: false) }
        }
        return models.values.sorted { $0.url.path < $1.url.path }
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
        return file.pathExtension.lowercased() == "mlmodel" ? file : nil
    }
}
