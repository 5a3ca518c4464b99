import Foundation

/// The JSON metadata of a classifier. Documentation/ModelMetadata.md describes the format.
struct ClassifierMetadata: Encodable {
    struct Image: Encodable {
        /// The order of the channels, "RGB" or "BGR".
        var colorOrder: String
        /// The input of the network is scale · x + bias for a pixel x of 0…255.
        var scale: Double
        var bias: Double
    }

    struct Scores: Encodable {
        /// The output with a score for each label.
        var scores: String
        /// What turns the scores into probabilities.
        var activation: String
    }

    let formatVersion = 1
    var description: String
    var license: String
    var version: String
    var labels: [String]
    var inputs: [String: Image]
    var classifier: Scores
    var userDefined: [String: String]

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
