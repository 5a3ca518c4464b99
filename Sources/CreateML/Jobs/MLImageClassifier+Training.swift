/// The storage of a training session.
public struct MLTrainingSessionParameters: Sendable {
    /// The folder of the cached features, which let a cancelled job continue where it was when it is started again; nil
    /// for the folder that all trainings share.
    public var sessionDirectory: URL?

    /// Creates parameters of a session.
    ///
    /// - Parameter sessionDirectory: The folder of the cached features; nil for the default.
    public init(sessionDirectory: URL? = nil) {
        self.sessionDirectory = sessionDirectory
    }
}

extension MLImageClassifier {
    /// Starts to train a classifier, and returns at once. Prints nothing.
    ///
    /// The job's progress counts the processed photos; its result is the classifier, the `MLCreateError` of
    /// `init(trainingData:parameters:)`, or a `CancellationError`.
    public static func train(
        trainingData: DataSource, parameters: ModelParameters = ModelParameters(),
        sessionParameters: MLTrainingSessionParameters = MLTrainingSessionParameters()
    ) throws -> MLJob<MLImageClassifier> {
        var settings = TrainingSettings()
        settings.isQuiet = true
        if let folder = sessionParameters.sessionDirectory { settings.cacheFolder = folder }
        let fixed = settings
        return MLJob { job in
            var settings = fixed
            settings.onEvent = { event in
                switch event {
                // Computing the features of the photos takes nearly all of the time.
                case .photos(let done, let total):
                    try job.report(.extractingFeatures, 0.95 * Double(done) / Double(max(1, total)))
                case .iteration: try job.report(.training, 0.95)
                case .measuring: try job.report(.evaluating, 0.98)
                }
            }
            return try MLImageClassifier(trainingData: trainingData, parameters: parameters, settings: settings)
        }
    }

    /// Starts to train a classifier with photos by label. See `train(trainingData:parameters:sessionParameters:)`.
    public static func train(
        trainingData: [String: [URL]], parameters: ModelParameters = ModelParameters(),
        sessionParameters: MLTrainingSessionParameters = MLTrainingSessionParameters()
    ) throws -> MLJob<MLImageClassifier> {
        try train(
            trainingData: .filesByLabel(trainingData), parameters: parameters, sessionParameters: sessionParameters)
    }
}
