import Foundation
import ModelClasses

// Writes the class of a model, and makes copies of the model's files, for the build tool plugin. It takes its arguments
// in one order and depends on little, so that it is built quickly; `openvision generate` is the command for people.

let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard arguments.count >= 2, arguments.count % 2 == 0 else {
    FileHandle.standardError.write(Data("usage: ModelClassTool MODEL OUTPUT.swift [FILE COPY]…\n".utf8))
    exit(64)
}
let (model, output) = (arguments[0], arguments[1])
// A model that is not copied is a resource of the target.
let isResource = !stride(from: 2, to: arguments.count, by: 2).contains { arguments[$0].path == model.path }
do {
    // First, because copies are declared as outputs: they are there, whatever the model is.
    for index in stride(from: 2, to: arguments.count, by: 2) {
        try? FileManager.default.removeItem(at: arguments[index + 1])
        try FileManager.default.copyItem(at: arguments[index], to: arguments[index + 1])
    }
    let source = try ModelClass(modelAt: model).source
    try Data(source.utf8).write(to: output)
} catch {
    guard isResource, ["onnx", "tflite"].contains(model.pathExtension.lowercased()) else {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
        exit(1)
    }
    // Such a resource may be meant for another library.
    FileHandle.standardError.write(Data("warning: no class: \(error)\n".utf8))
    try Data("// No class: the model does not open here.\n".utf8).write(to: output)
}
