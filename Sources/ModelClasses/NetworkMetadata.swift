import Foundation
import VisionFiles
import VisionInference

/// What the metadata of a network says of the features that a class has: the types of inputs and outputs, and how many
/// labels there are. `Documentation/ModelMetadata.md` describes the whole, which is checked when the model is loaded.
struct NetworkMetadata: Decodable {
    struct Feature: Decodable {
        var type: String?
        var colorOrder: String?
        var layout: String?
        var pixelFormat: String?
        var width: Int?
        var height: Int?
        var scale: Anything?
        var bias: Anything?
        var `default`: Double?

        /// Whether it is an image, also where only its colours or its size are described.
        var isImage: Bool {
            type == "image" || (colorOrder ?? layout) != nil || (width ?? height) != nil || (scale ?? bias) != nil
        }
    }

    /// A value that only matters by being there.
    struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    struct Classifier: Decodable {
        var scores: String?
        var predictedFeatureName: String?
        var predictedProbabilitiesName: String?
    }

    struct Detector: Decodable {
        var kind: String?
    }

    var labels: [String]?
    var labelsFile: String?
    var inputs: [String: Feature]?
    var outputs: [String: Feature]?
    var classifier: Classifier?
    var detector: Detector?

    private static let byteLimit = 16 << 20

    /// Returns the metadata of a network's file: that of the JSON file beside it, else that in its properties.
    ///
    /// - Throws: `ModelError` when it is there and cannot be read.
    static func find(besideNetworkAt url: URL, properties: [String: String]) throws -> NetworkMetadata {
        let file = url.deletingPathExtension().appendingPathExtension("json")
        var metadata = NetworkMetadata()
        if FileManager.default.fileExists(atPath: file.path) {
            metadata = try decoded(try contents(of: file), file.path)
            if let name = metadata.labelsFile {
                guard !["", ".", ".."].contains(name), !name.contains("/") else {
                    throw ModelError.invalid("“\(name)” must be the name of a file beside the model")
                }
                let text = try contents(of: file.deletingLastPathComponent().appendingPathComponent(name))
                metadata.labels = lines(in: String(decoding: text, as: UTF8.self))
            }
        } else if let text = properties["openvision"] {
            metadata = try decoded(Data(text.utf8), "the property “openvision”")
        } else {
            metadata.labels = properties["names"].flatMap(names)
        }
        return metadata
    }

    private static func decoded(_ data: Data, _ place: String) throws -> NetworkMetadata {
        do {
            return try JSONDecoder().decode(NetworkMetadata.self, from: data)
        } catch {
            throw ModelError.invalid("the metadata in \(place) is not valid: \(error)")
        }
    }

    private static func contents(of file: URL) throws -> Data {
        do {
            return try RegularFile(file).contents(limit: byteLimit)
        } catch {
            throw ModelError.invalid("\(file.path) cannot be read: \(error)")
        }
    }

    private static func lines(in text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The class names in the form that Ultralytics' exporter writes, `{0: 'person', 1: 'bicycle'}`; nil for others.
    private static func names(_ text: String) -> [String]? {
        let pair = /\s*(\d+)\s*:\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*,?/
        guard var rest = text.wholeMatch(of: /\s*\{(.*)\}\s*/.dotMatchesNewlines())?.1 else { return nil }
        var names: [Int: String] = [:]
        while let match = rest.prefixMatch(of: pair) {
            guard let number = Int(match.1) else { return nil }
            names[number] = String(match.2.dropFirst().dropLast())
            rest = rest[match.range.upperBound...]
        }
        let ordered = (0..<names.count).compactMap { names[$0] }
        return rest.allSatisfy(\.isWhitespace) && !ordered.isEmpty && ordered.count == names.count ? ordered : nil
    }
}
