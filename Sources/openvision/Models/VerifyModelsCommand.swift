import ArgumentParser
import VisionModels
import VisionRecords

struct VerifyModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that installed models are unchanged.",
        discussion: """
            Reads all files of the models and compares them with their checksums. Without names, all installed models \
            are checked. Exit code 1 when a model is damaged, or when a named model is not installed.
            """)

    @OptionGroup var models: ModelNames

    @Flag(help: "Print JSON instead of text.")
    var json = false

    struct Record: Encodable {
        var model: String
        /// "good", "damaged", "unreadable" or "missing"
        var state: String
        @Nullable var reason: String?
    }

    func run() throws {
        let store = InstalledModels()
        var hasFailed = false
        for name in models.names.isEmpty ? store.catalogue.map(\.id) : models.names {
            var record = Record(model: name, state: "good")
            do {
                try store.verify(name)
            } catch let error as ModelStoreError {
                record.reason = error.description
                switch error {
                case .unknownModel: throw error
                case .notInstalled:
                    record.state = "missing"
                    hasFailed = hasFailed || !models.names.isEmpty
                case .unreadable:
                    record.state = "unreadable"
                    hasFailed = true
                default:
                    record.state = "damaged"
                    hasFailed = true
                }
            }
            if json {
                try JSONLines.print(record, kind: "models-verify")
            } else {
                print("\(record.model): \(record.state)")
                if record.state != "missing" || !models.names.isEmpty, let reason = record.reason { warn(reason) }
            }
        }
        if hasFailed { throw ExitCode.failure }
    }
}
