import ArgumentParser
import Foundation

/// Tells another program which networks there are.
struct NetworksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "networks", abstract: "Print the names and files of the networks as JSON.", shouldDisplay: false)

    @Option(help: ArgumentHelp("A folder of .onnx and .tflite files.", valueName: "folder"))
    var models: String?

    struct Entry: Codable {
        let name: String
        let file: String
    }

    func run() throws {
        let (found, notes) = try NetworkModel.all(folder: models)
        for note in notes { FileHandle.standardError.write(Data("networks: \(note)\n".utf8)) }
        let entries = found.map { Entry(name: $0.name, file: $0.url.path) }
        say(String(decoding: try JSONEncoder().encode(entries), as: UTF8.self))
    }
}
