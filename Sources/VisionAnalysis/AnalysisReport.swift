package import CoreML
import Foundation
package import VisionRecords

/// What the analyses of an image found.
package struct AnalysisReport: Encodable, Sendable {
    /// The image: its path, if it has one, and its size once it is known.
    package struct Image: Encodable, Sendable {
        @Nullable package var path: String?
        @Nullable package var width: Int?
        @Nullable package var height: Int?
    }

    package let schema = Records.schema
    package let kind = "analyze"
    /// What the caller named the job.
    package var id: JSONValue
    package var image: Image
    /// The results by the names of the requests, of those that did not fail.
    package var results: [String: [EncodableResult]]
    /// Why requests failed, by their names.
    package var errors: [String: String]
    /// Why the image could not be processed at all.
    @Nullable package var error: String?

    /// Whether the image and all requests were processed.
    package var isComplete: Bool { error == nil && errors.isEmpty }

    /// - Parameter error: Why the image could not be processed.
    package init(id: JSONValue = .null, path: String? = nil, error: String? = nil) {
        (self.id, results, errors) = (id, [:], [:])
        image = Image(path: path, width: nil, height: nil)
        _error = Nullable(wrappedValue: error)
    }

    /// The elements of the feature print, if that was asked for: floats of 4 bytes, little-endian.
    package var featurePrint: Data? {
        (results[AnalysisKind.print.rawValue]?.first?.value as? PrintAnalysis.Result)?.data
    }

    private enum CodingKeys: CodingKey { case schema, kind, id, image, results, errors, error }
}

/// A result of any analysis.
package struct EncodableResult: Encodable, Sendable {
    let value: any Encodable & Sendable

    init(_ value: any Encodable & Sendable) { self.value = value }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// How analyses are written as JSON: on one line, with sorted keys.
package enum AnalysisJSON {
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    package static func text(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self)
    }
}
