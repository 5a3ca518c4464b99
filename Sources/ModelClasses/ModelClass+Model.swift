extension ModelClass {
    private var inputName: String { name + "Input" }
    private var outputName: String { name + "Output" }

    var modelClass: String {
        let predictions = [ArgumentForm.plain, .shapedArrays].filter { has($0) }.map { convenience($0) }
        let members = [making, loading, predicting].flatMap { $0 } + (inputs.isEmpty ? [] : predictions) + [batch]
        return """
            /// Class for model loading and prediction
            ///
            /// May be shared by threads, as the model is.
            \(scope)nonisolated class \(name): @unchecked Sendable {
                \(scope)let model: MLModel

            \(members.indentedApart())
            }
            """
    }

    // MARK: Making

    private var making: [String] {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        let title = parts.count > 1 ? parts.dropLast().joined(separator: ".") : fileName
        let suffix = parts.count > 1 ? String(parts[parts.count - 1]) : "mlmodel"
        let resource = SwiftText.literal(title)
        let suffixes = (["mlmodelc", suffix].map { SwiftText.literal($0) }).joined(separator: ", ")
        return [
            """
            /// URL of model assuming it was installed in the same bundle as this class
            \(scope)class var urlOfModelInThisBundle: URL {
                let bundle = Bundle.\(bundle.rawValue)
                for suffix in [\(suffixes)] {
                    if let url = bundle.url(forResource: \(resource), withExtension: suffix) { return url }
                }
                // Where it should be: opening it says that it is not there.
                return bundle.bundleURL.appendingPathComponent(\(SwiftText.literal(fileName)))
            }
            """,
            """
            /// Construct \(name) instance with an existing MLModel object.
            \(scope)init(model: MLModel) {
                self.model = model
            }
            """,
            """
            /// Construct \(name) instance by automatically loading the model from the bundle.
            @available(*, deprecated, message: "Use init(configuration:) instead and handle errors appropriately.")
            \(scope)convenience init() {
                try! self.init(contentsOf: type(of: self).urlOfModelInThisBundle)
            }
            """,
            """
            /// Construct a model with configuration
            \(scope)convenience init(configuration: MLModelConfiguration) throws {
                try self.init(contentsOf: type(of: self).urlOfModelInThisBundle, configuration: configuration)
            }
            """,
            """
            /// Construct \(name) instance with explicit path to the model's file
            \(scope)convenience init(contentsOf modelURL: URL) throws {
                try self.init(model: MLModel(contentsOf: modelURL))
            }
            """,
            """
            /// Construct a model with URL of the model's file and configuration
            \(scope)convenience init(contentsOf modelURL: URL, configuration: MLModelConfiguration) throws {
                try self.init(model: MLModel(contentsOf: modelURL, configuration: configuration))
            }
            """,
        ]
    }

    // MARK: Loading

    private var loading: [String] {
        let configuration = "configuration: MLModelConfiguration = MLModelConfiguration()"
        let handler = "completionHandler handler: @escaping @Sendable (Swift.Result<\(name), any Error>) -> Void"
        return [
            """
            /// Construct \(name) instance asynchronously with optional configuration.
            \(scope)class func load(\(configuration), \(handler)) {
                load(contentsOf: self.urlOfModelInThisBundle, configuration: configuration, completionHandler: handler)
            }
            """,
            """
            /// Construct \(name) instance asynchronously with optional configuration.
            \(scope)class func load(\(configuration)) async throws -> \(name) {
                try await load(contentsOf: self.urlOfModelInThisBundle, configuration: configuration)
            }
            """,
            """
            /// Construct \(name) instance asynchronously with URL of the model's file with optional configuration.
            \(scope)class func load(contentsOf modelURL: URL, \(configuration), \(handler)) {
                MLModel.load(contentsOf: modelURL, configuration: configuration) { result in
                    handler(result.map { \(name)(model: $0) })
                }
            }
            """,
            """
            /// Construct \(name) instance asynchronously with URL of the model's file with optional configuration.
            \(scope)class func load(contentsOf modelURL: URL, \(configuration)) async throws -> \(name) {
                let model = try await MLModel.load(contentsOf: modelURL, configuration: configuration)
                return \(name)(model: model)
            }
            """,
        ]
    }

    // MARK: Predicting

    private var predicting: [String] {
        [
            """
            /// Make a prediction using the structured interface
            \(scope)func prediction(input: \(inputName)) throws -> \(outputName) {
                try prediction(input: input, options: MLPredictionOptions())
            }
            """,
            """
            /// Make a prediction using the structured interface
            \(scope)func prediction(input: \(inputName), options: MLPredictionOptions) throws -> \(outputName) {
                let outFeatures = try model.prediction(from: input, options: options)
                return \(outputName)(features: outFeatures)
            }
            """,
            """
            /// Make an asynchronous prediction using the structured interface
            \(scope)func prediction(
                input: \(inputName), options: MLPredictionOptions = MLPredictionOptions()
            ) async throws -> \(outputName) {
                let outFeatures = try await model.prediction(from: input, options: options)
                return \(outputName)(features: outFeatures)
            }
            """,
        ]
    }

    private func convenience(_ form: ArgumentForm) -> String {
        let arguments = inputs.map { "\($0.label): \($0.escaped)" }.joined(separator: ", ")
        return """
            /// Make a prediction using the convenience interface
            \(scope)func prediction(\(parameters(form))) throws -> \(outputName) {
                try prediction(input: \(inputName)(\(arguments)))
            }
            """
    }

    private var batch: String {
        """
        /// Make a batch prediction using the structured interface
        \(scope)func predictions(
            inputs: [\(inputName)], options: MLPredictionOptions = MLPredictionOptions()
        ) throws -> [\(outputName)] {
            let batchIn = MLArrayBatchProvider(array: inputs)
            let batchOut = try model.predictions(from: batchIn, options: options)
            return (0..<batchOut.count).map { \(outputName)(features: batchOut.features(at: $0)) }
        }
        """
    }
}
