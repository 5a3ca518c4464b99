import VisionInference
import VisionModels

/// The JSON in a classifier's file: `Documentation/ModelMetadata.md` describes it.
enum ClassifierMetadata {
    private struct Content: Encodable {
        struct Classifier: Encodable {
            var scores = ClassifierFile.scoresName
        }

        var formatVersion = 1
        var description: String
        var author: String
        var license: String?
        var version: String
        var userDefined: [String: String]?
        var labels: [String]
        var classifier = Classifier()
    }

    /// The same in a Core ML file.
    static func coreML(_ metadata: MLModelMetadata) -> CoreMLMetadata {
        var result = CoreMLMetadata()
        result.shortDescription = metadata.shortDescription
        result.version = metadata.version
        result.author = metadata.author
        result.license = metadata.license ?? ""
        result.userDefined = metadata.additional ?? [:]
        return result
    }

    static func json(labels: [String], _ metadata: MLModelMetadata) throws -> String {
        let encoder = JSONEncoder()
        // The same classifier must give the same bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(
                Content(
                    description: metadata.shortDescription, author: metadata.author, license: metadata.license,
                    version: metadata.version, userDefined: metadata.additional, labels: labels))
            return String(decoding: data, as: UTF8.self)
        } catch {
            throw MLCreateError.generic(reason: "The metadata cannot be written as JSON: \(error)")
        }
    }
}
