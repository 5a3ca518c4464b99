/// The kinds of models, by their field numbers in `Model` (Model.proto).
package enum CoreMLKind: Int, Sendable, CaseIterable, CustomStringConvertible {
    case pipelineClassifier = 200
    case pipelineRegressor = 201
    case pipeline = 202
    case glmRegressor = 300
    case supportVectorRegressor = 301
    case treeEnsembleRegressor = 302
    case neuralNetworkRegressor = 303
    case bayesianProbitRegressor = 304
    case glmClassifier = 400
    case supportVectorClassifier = 401
    case treeEnsembleClassifier = 402
    case neuralNetworkClassifier = 403
    case kNearestNeighborsClassifier = 404
    case neuralNetwork = 500
    case itemSimilarityRecommender = 501
    case mlProgram = 502
    case customModel = 555
    case linkedModel = 556
    case classConfidenceThresholding = 560
    case oneHotEncoder = 600
    case imputer = 601
    case featureVectorizer = 602
    case dictVectorizer = 603
    case scaler = 604
    case categoricalMapping = 606
    case normalizer = 607
    case arrayFeatureExtractor = 609
    case nonMaximumSuppression = 610
    case identity = 900
    case textClassifier = 2000
    case wordTagger = 2001
    case visionFeaturePrint = 2002
    case soundAnalysisPreprocessing = 2003
    case gazetteer = 2004
    case wordEmbedding = 2005
    case audioFeaturePrint = 2006
    case serializedModel = 3000

    /// Whether it is one network, which the engine runs.
    package var isNetwork: Bool {
        switch self {
        case .neuralNetwork, .neuralNetworkClassifier, .neuralNetworkRegressor, .mlProgram: true
        default: false
        }
    }

    /// The fields of `Model` that are kinds; what is between 2 and 200 describes the model.
    package static let numbers = 200...3000

    /// As the specification spells it.
    package var description: String {
        Self.names[rawValue] ?? "model \(rawValue)"
    }

    private static let names: [Int: String] = [
        200: "pipelineClassifier", 201: "pipelineRegressor", 202: "pipeline", 300: "glmRegressor",
        301: "supportVectorRegressor", 302: "treeEnsembleRegressor", 303: "neuralNetworkRegressor",
        304: "bayesianProbitRegressor", 400: "glmClassifier", 401: "supportVectorClassifier",
        402: "treeEnsembleClassifier", 403: "neuralNetworkClassifier", 404: "kNearestNeighborsClassifier",
        500: "neuralNetwork", 501: "itemSimilarityRecommender", 502: "mlProgram", 555: "customModel",
        556: "linkedModel", 560: "classConfidenceThresholding", 600: "oneHotEncoder", 601: "imputer",
        602: "featureVectorizer", 603: "dictVectorizer", 604: "scaler", 606: "categoricalMapping", 607: "normalizer",
        609: "arrayFeatureExtractor", 610: "nonMaximumSuppression", 900: "identity", 2000: "textClassifier",
        2001: "wordTagger", 2002: "visionFeaturePrint", 2003: "soundAnalysisPreprocessing", 2004: "gazetteer",
        2005: "wordEmbedding", 2006: "audioFeaturePrint", 3000: "serializedModel",
    ]

    /// Why a model of this kind cannot be run, and what to do instead; nil where it can.
    package var refusal: String? {
        switch self {
        case .visionFeaturePrint:
            "is Apple's own scene print, whose weights exist on Apple's systems only. Train the classifier again from "
                + "its photos, with MLImageClassifier or: openvision train FOLDER --output FILE"
        case .audioFeaturePrint, .soundAnalysisPreprocessing:
            "is a part of Apple's sound analysis, which exists on Apple's systems only. Use a network that takes "
                + "samples or a spectrogram"
        case .textClassifier, .wordTagger, .gazetteer, .wordEmbedding:
            "is a model of Apple's Natural Language framework, which exists on Apple's systems only. Use a network "
                + "that takes tokens"
        case .customModel:
            "is computed by a class of the app it was made for, which is not in the file. Leave it out of the "
                + "pipeline, and compute it in code"
        case .linkedModel: "refers to a model in another file. Open that file"
        case .itemSimilarityRecommender: "is not run here. Convert the table of similar items to another form"
        case .bayesianProbitRegressor: "is not run here. Fit a generalised linear model to the same data"
        case .classConfidenceThresholding: "is not run here. Apply the thresholds to the probabilities in code"
        case .serializedModel: "is encrypted or serialised in a form that is not documented"
        default: nil
        }
    }
}
