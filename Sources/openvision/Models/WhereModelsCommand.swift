import ArgumentParser
import VisionModels

struct WhereModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "where",
        abstract: "Print the path of a model, or of the folder that models are installed in.")

    @Argument(help: ArgumentHelp("A model. (default: print the folder of all models)", valueName: "name"))
    var name: String?

    func run() throws {
        let store = InstalledModels()
        print(try name.map { try store.url(for: $0).path } ?? store.locations.writable.path)
    }
}
