import VisionFiles

extension ModelMetadata {
    /// The property of an ONNX file that holds the JSON.
    package static let propertyName = "openvision"

    /// The metadata of a model file: that of the JSON file beside it, else what its properties hold.
    ///
    /// - Parameters:
    ///   - url: The model's file; nil where there is none.
    ///   - properties: What the file says about itself.
    /// - Throws: `MLModelError` with the file and the place in it.
    package static func find(besideModelAt url: URL?, properties: [String: String]) throws -> ModelMetadata {
        if let file = url.map(file(besideModelAt:)), FileManager.default.fileExists(atPath: file.path) {
            return try read(file)
        }
        if let text = properties[propertyName] {
            do {
                return try ModelMetadata(json: Data(text.utf8))
            } catch {
                throw MLModelError(.generic, "The model's property “\(propertyName)” is not valid: \(error)")
            }
        }
        return ModelMetadata(properties: properties)
    }

    /// Where the metadata of a model's file is looked for.
    static func file(besideModelAt url: URL) -> URL {
        url.deletingPathExtension().appendingPathExtension("json")
    }

    /// A JSON file with the labels in it that it names another file for.
    static func selfContained(_ file: URL) throws -> Data {
        let metadata = try read(file)
        let json = try data(of: file)
        guard case .object(var entries) = try JSONDecoder().decode(JSONValue.self, from: json),
            entries.removeValue(forKey: "labelsFile") != nil, let labels = metadata.labels
        else { return json }
        entries["labels"] = .array(labels.map { .string($0) })
        return try JSONEncoder().encode(JSONValue.object(entries))
    }

    /// The metadata of a JSON file.
    package static func read(_ file: URL) throws -> ModelMetadata {
        let json = try data(of: file)
        do {
            return try ModelMetadata(json: json) { name in
                let labels = try data(of: file.deletingLastPathComponent().appendingPathComponent(name))
                return self.labels(in: String(decoding: labels, as: UTF8.self))
            }
        } catch {
            throw MLModelError(.generic, "The metadata in \(file.path) is not valid: \(error)")
        }
    }

    /// One label a line; an empty line at the end is none.
    static func labels(in text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func data(of file: URL) throws -> Data {
        do {
            let data = try RegularFile(file).contents(limit: byteLimit)
            guard !data.isEmpty else { throw MLModelError(.io, "\(file.path) is empty.") }
            return data
        } catch let error as RegularFileError {
            throw MLModelError(.io, "\(error.description).")
        }
    }

    /// What well-known exporters write into a file: Ultralytics' class names, author and version.
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
