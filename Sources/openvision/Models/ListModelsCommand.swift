import ArgumentParser
import VisionModels
import VisionRecords

struct ListModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all models, and whether they are installed or built in.")

    @Flag(help: "Print JSON instead of text.")
    var json = false

    struct Record: Encodable {
        var model: String
        var summary: String
        var version: String
        var licence: String
        /// "installed", "outdated", "damaged", "unreadable", "missing" or "built in"
        var state: String
        @Nullable var path: String?
        @Nullable var bytes: Int?
        @Nullable var reason: String?
    }

    func run() throws {
        let builtIn = BuiltInNetwork.all.map { network in
            Record(
                model: network.id, summary: network.summary, version: OpenVisionCommand.configuration.version,
                licence: BuiltInNetwork.licence, state: "built in", bytes: (try? network.data())?.count)
        }
        let records =
            InstalledModels().list().map { description, state in
                var record = Record(
                    model: description.id, summary: description.summary, version: description.version,
                    licence: description.licence, state: "missing")
                switch state {
                case .success(let installed):
                    record.state = installed.isCurrent ? "installed" : "outdated"
                    record.path = installed.url.path
                    record.bytes = installed.size
                case .failure(.notInstalled): break
                case .failure(let error):
                    if case .unreadable = error { record.state = "unreadable" } else { record.state = "damaged" }
                    record.reason = error.description
                }
                return record
            } + builtIn
        if json { return try records.forEach { try JSONLines.print($0, kind: "models-list") } }
        let rows = records.map { record in
            [
                record.model, record.state, record.bytes.map { Decimals.text(Double($0) / 1e6, 1) + " MB" } ?? "–",
                record.version, record.licence, record.summary,
            ]
        }
        TextTable(header: ["model", "state", "size", "version", "licence", "what"], rows: rows, numbers: [2]).print()
        for reason in records.compactMap(\.reason) { warn(reason) }
    }
}
