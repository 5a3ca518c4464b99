import ArgumentParser
import VisionModels

struct WhereModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "where",
        abstract: "Print where models are: the file of one, or the folder that they are installed in.")

    @Argument(help: ArgumentHelp("A model. Without it: the folder of the store.", valueName: "name"))
    var name: String?

    func run() throws {
        let store = ModelStore()
        print(try name.map { try store.url(for: $0).path } ?? store.locations.writable.path)
    }
}
