package import NetworkMetadata
public import Foundation
import Vision
package import VisionRecords

/// What the analyses of an image found.
public struct AnalysisReport: Encodable, Sendable {
    /// Why an image or a request failed.
    public enum Failure: Sendable {
        /// The bytes cannot be read as an image, or the request cannot process the image.
        case invalidImage
        /// The image has more pixels than the caller allows.
        case tooManyPixels
        /// The call was cancelled.
        case cancelled
        /// A network that the request needs is not installed, or its file is damaged.
        case missingNetwork
        /// Anything else, such as too little memory.
        case other
    }

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
    /// What kind of errors those are, by the names of the requests.
    public internal(set) var failures: [String: Failure] = [:]
    /// Why the image could not be processed at all, or why all requests failed if that is for one reason.
    public internal(set) var failure: Failure?

    /// Whether the image and all requests were processed.
    public var isComplete: Bool { error == nil && errors.isEmpty }

    /// The size of the upright image in pixels; nil if the image could not be opened.
    public var imageSize: (width: Int, height: Int)? {
        guard let width = image.width, let height = image.height else { return nil }
        return (width, height)
    }

    /// Why the image could not be processed at all, as a sentence.
    public var failureMessage: String? { error }

    /// Why the image or requests failed, as sentences for the log of a server.
    public var reasons: [String] { (error.map { [$0] } ?? []) + errors.sorted { $0.key < $1.key }.map(\.value) }

    /// - Parameter error: Why the image could not be processed.
    package init(id: JSONValue = .null, path: String? = nil, error: String? = nil) {
        (self.id, results, errors) = (id, [:], [:])
        image = Image(path: path, width: nil, height: nil)
        _error = Nullable(wrappedValue: error)
        failure = error == nil ? nil : .other
    }

    /// The elements of the feature print, if that was asked for: floats of 4 bytes, little-endian.
    package var featurePrint: Data? {
        (results[AnalysisKind.print.rawValue]?.first?.value as? PrintAnalysis.Result)?.data
    }

    /// Returns the report as JSON on one line, as the worker writes it (`Documentation/Worker.md`).
    public func json() throws -> Data { try AnalysisJSON.data(self) }

    /// Replaces the messages of failures, so that readers learn nothing about the computer.
    ///
    /// - Parameter message: Returns another message for a failure; nil to keep the one there is.
    public mutating func replaceMessages(_ message: (Failure) -> String?) {
        if let failure, let text = message(failure) { error = text }
        for (name, failure) in failures { errors[name] = message(failure) ?? errors[name] }
    }

    private enum CodingKeys: CodingKey { case schema, kind, id, image, results, errors, error }
}

extension AnalysisReport.Failure {
    init(_ error: any Error) {
        if error is CancellationError {
            self = .cancelled
            return
        }
        let error = error as NSError
        switch error.domain == VNErrorDomain ? VNErrorCode(rawValue: error.code) : nil {
        case .requestCancelled: self = .cancelled
        case .invalidImage, .invalidFormat, .invalidArgument: self = .invalidImage
        case .dataUnavailable: self = .missingNetwork
        default: self = .other
        }
    }
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
