import NetworkMetadata
import Foundation
import VisionAnalysis
import VisionPhotos

/// One image that the worker was given.
struct WorkerJob: Sendable {
    /// A line of the input that is not a job: its number, and what is wrong with it.
    struct Mistake: Error {
        var id = JSONValue.null
        let reason: String
    }

    private enum Image: Sendable {
        case path(FilePath)
        case data(Data)
    }

    private let id: JSONValue
    private let image: Image
    private let plan: AnalysisPlan

    /// Reads a line of JSON.
    ///
    /// - Parameter plan: The requests of a line without some of its own; nil if there are none.
    /// - Throws: `Mistake`.
    init(json line: Data, plan: AnalysisPlan?) throws {
        guard case .object(var fields)? = try? JSONDecoder().decode(JSONValue.self, from: line) else {
            throw Mistake(reason: "The line is not a JSON object.")
        }
        let id = fields.removeValue(forKey: "id") ?? .null
        func mistake(_ reason: String) -> Mistake { Mistake(id: id, reason: reason) }
        switch (fields.removeValue(forKey: "path"), fields.removeValue(forKey: "base64")) {
        case (.string(let path)?, nil): image = .path(FilePath(path))
        case (nil, .string(let text)?):
            guard let data = Data(base64Encoded: text) else { throw mistake("base64 is not valid Base64.") }
            image = .data(data)
        default: throw mistake("A job needs either a \"path\" or a \"base64\", a text.")
        }
        do {
            if let requests = fields.removeValue(forKey: "requests") {
                self.plan = try AnalysisPlan(requests)
            } else if let plan {
                self.plan = plan
            } else {
                throw mistake("A job needs \"requests\", or the worker --requests.")
            }
        } catch let error as AnalysisError {
            throw mistake(error.description)
        }
        if let name = fields.keys.min() { throw mistake("A job has no field \"\(name.prefix(60))\".") }
        self.id = id
    }

    /// Creates a job for a file, whose path is its name.
    init(path: FilePath, plan: AnalysisPlan) { (id, image, self.plan) = (.string(path.text), .path(path), plan) }

    /// Analyses the image.
    func report() -> AnalysisReport {
        switch image {
        case .data(let data): return plan.report(of: data, id: id)
        case .path(let path):
            do {
                return plan.report(of: try PhotoFile.read(path).data, id: id, path: path.text)
            } catch {
                return AnalysisReport(id: id, path: path.text, error: "\(path.printable) \(error)")
            }
        }
    }
}
