import ArgumentParser

struct AccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy", abstract: "Measure accuracy on labelled data.",
        subcommands: [RegistrationAccuracyCommand.self, TrackingAccuracyCommand.self, ModelsAccuracyCommand.self])
}
