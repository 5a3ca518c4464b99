import ArgumentParser

struct AccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy", abstract: "Measure accuracy on labelled data.",
        subcommands: [
            ClassificationAccuracyCommand.self, FacesAccuracyCommand.self, LandmarksAccuracyCommand.self,
            ModelsAccuracyCommand.self, RegistrationAccuracyCommand.self, RetrievalAccuracyCommand.self,
            QualityAccuracyCommand.self, SceneAccuracyCommand.self,
            TrackingAccuracyCommand.self,
        ])
}
