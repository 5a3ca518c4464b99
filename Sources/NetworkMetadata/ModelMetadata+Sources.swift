package import Foundation
import VisionFiles

/// Why the metadata of a model cannot be used: a sentence, or two.
package struct UnusableMetadata: LocalizedError, CustomStringConvertible {
    /// Whether a file cannot be read; else what it says is not valid.
    package let isUnreadable: Bool
    package let description: String

    package var errorDescription: String? { description }
}

extension ModelMetadata {
    /// The property of an ONNX file with the JSON.
    package static let propertyName = "openvision"

    /// Returns the metadata of a model file: that of the JSON file beside it, else that in its properties.
    ///
    /// - Parameters:
    ///   - url: The model's file; nil if there is none.
    ///   - properties: The properties stored in the file.
    /// - Throws: `UnusableMetadata` with the file and the position in it.
    package static func find(besideModelAt url: URL?, properties: [String: String]) throws -> ModelMetadata {
        if let file = url.map(file(besideModelAt:)), FileManager.default.fileExists(atPath: file.path) {
            return try read(file)
        }
        if let text = properties[propertyName] {
            do {
                return try ModelMetadata(json: Data(text.utf8))
            } catch {
                throw UnusableMetadata(
                    isUnreadable: false, description: "The model's property “\(propertyName)” is not valid: \(error)")
            }
        }
        return ModelMetadata(properties: properties)
    }

    /// Returns the location of the metadata of a model's file.
    package static func file(besideModelAt url: URL) -> URL {
        url.deletingPathExtension().appendingPathExtension("json")
    }

    /// Returns the JSON of a metadata file, with the labels of the file that it names included.
    package static func selfContained(_ file: URL) throws -> Data {
        let metadata = try read(file)
        let json = try data(of: file)
        guard case .object(var entries) = try JSONDecoder().decode(JSONValue.self, from: json),
            entries.removeValue(forKey: "labelsFile") != nil, let labels = metadata.labels
        else { return json }
        entries["labels"] = .array(labels.map { .string($0) })
        return try JSONEncoder().encode(JSONValue.object(entries))
    }

    /// Returns the metadata of a JSON file.
    package static func read(_ file: URL) throws -> ModelMetadata {
        let json = try data(of: file)
        do {
            return try ModelMetadata(json: json) { name in
                let labels = try data(of: file.deletingLastPathComponent().appendingPathComponent(name))
                return self.labels(in: String(decoding: labels, as: UTF8.self))
            }
        } catch {
            throw UnusableMetadata(
                isUnreadable: false, description: "The metadata in \(file.path) is not valid: \(error)")
        }
    }

    /// Reads one label from each line; an empty line at the end is ignored.
    static func labels(in text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func data(of file: URL) throws -> Data {
        do {
            let data = try RegularFile(file).contents(limit: byteLimit)
            guard !data.isEmpty else {
                throw UnusableMetadata(isUnreadable: true, description: "\(file.path) is empty.")
            }
            return data
        } catch let error as RegularFileError {
            throw UnusableMetadata(isUnreadable: true, description: "\(error.description).")
        }
    }

    /// Reads the properties of well-known exporters: Ultralytics' class names, author and version.
    private init(properties: [String: String]) {
        self.init()
        description = properties["description"]
        author = properties["author"]
        license = properties["license"]
        version = properties["version"]
        labels = properties["names"].flatMap(PythonNames.read)
        userDefined = properties
    }
}
