import Foundation
import ModelClasses

// Writes the class of a Core ML file, and makes a copy of the file, for the build tool plugin. It takes its arguments
// in one order and depends on little, so that it is built quickly; `openvision generate` is the command for people.

let arguments = CommandLine.arguments
guard (3...4).contains(arguments.count) else {
    FileHandle.standardError.write(Data("usage: ModelClassTool MODEL OUTPUT.swift [COPY]\n".utf8))
    exit(64)
}
do {
    let model = URL(fileURLWithPath: arguments[1])
    let source = try ModelClass(coreMLAt: model).source
    try Data(source.utf8).write(to: URL(fileURLWithPath: arguments[2]))
    if arguments.count == 4 {
        try? FileManager.default.removeItem(atPath: arguments[3])
        try FileManager.default.copyItem(atPath: model.path, toPath: arguments[3])
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
