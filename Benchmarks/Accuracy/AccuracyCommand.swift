import ArgumentParser

struct AccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy", abstract: "Measure accuracy on labelled data.",
        subcommands: [
            ClassificationAccuracyCommand.self, ClassifierAccuracyCommand.self, FacesAccuracyCommand.self,
            ModelsAccuracyCommand.self, RegistrationAccuracyCommand.self, RetrievalAccuracyCommand.self,
            SceneAccuracyCommand.self, HomographyAccuracyCommand.self, TrackingAccuracyCommand.self,
            RectangleAccuracyCommand.self, LandmarksAccuracyCommand.self, QualityAccuracyCommand.self,
            BarcodesAccuracyCommand.self,
        ])
}
