import ArgumentParser

struct AccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy", abstract: "Measure accuracy on labelled data.",
        subcommands: [
            BarcodesAccuracyCommand.self, ClassificationAccuracyCommand.self, ClassifierAccuracyCommand.self,
            ConversionAccuracyCommand.self,
            FaceCandidatesCommand.self, FacesAccuracyCommand.self, HomographyAccuracyCommand.self,
            HorizonAccuracyCommand.self, LandmarksAccuracyCommand.self, ModelsAccuracyCommand.self,
            ObjectsAccuracyCommand.self, PlanarVideosAccuracyCommand.self,
            QualityAccuracyCommand.self, RectangleAccuracyCommand.self,
            RectangleDetectionCommand.self, RegistrationAccuracyCommand.self, RetrievalAccuracyCommand.self,
            SaliencyAccuracyCommand.self, SceneAccuracyCommand.self, TextAccuracyCommand.self,
            CandidatesAccuracyCommand.self,
            ModelTrialCommand.self, TableModelsAccuracyCommand.self, TrackingAccuracyCommand.self,
            TrajectoriesAccuracyCommand.self,
        ])
}
