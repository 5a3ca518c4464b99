import ArgumentParser

struct AccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy", abstract: "Measure accuracy on labelled data.",
        subcommands: [
            BarcodesAccuracyCommand.self, ClassificationAccuracyCommand.self, FacesAccuracyCommand.self, ModelsAccuracyCommand.self,
            RegistrationAccuracyCommand.self, RetrievalAccuracyCommand.self, SceneAccuracyCommand.self,
            TrackingAccuracyCommand.self,
        ])
}
