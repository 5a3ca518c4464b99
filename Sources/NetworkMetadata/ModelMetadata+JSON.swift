package import Foundation

extension ModelMetadata {
    /// The largest size of a metadata file in bytes.
    static let byteLimit = 16 << 20
    private static let labelLimit = 1 << 20

    /// Parses metadata from JSON.
    ///
    /// - Parameter labels: Reads the file of labels that the metadata may name; nil if it must not name one.
    /// - Throws: `MetadataError`.
    package init(json: Data, readingLabels labels: ((String) throws -> [String])? = nil) throws {
        let value: JSONValue
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: json)
        } catch {
            throw MetadataError(path: "", reason: "the metadata is not JSON")
        }
        var reader = try MetadataReader(value, path: "")
        let version = try reader.integer("formatVersion", in: 1...Int(Int32.max)) ?? 1
        guard version == 1 else {
            throw reader.error("formatVersion", "\(version) is newer than the supported version, which is 1")
        }
        description = try reader.string("description")
        author = try reader.string("author")
        license = try reader.string("license")
        self.version = try reader.string("version")
        if var texts = try reader.object("userDefined") { userDefined = try texts.allStrings() }
        try readLabels(&reader, labels)
        for (name, var feature) in try reader.objects("inputs") { inputs[name] = try Feature(input: &feature) }
        for (name, var feature) in try reader.objects("outputs") { outputs[name] = try Feature(output: &feature) }
        if var part = try reader.object("classifier") { classifier = try Classifier(&part) }
        if var part = try reader.object("detector") { detector = try DetectorSettings(&part) }
        if classifier != nil, detector.kind != nil, detector.kind != DetectorSettings.Kind.none {
            throw MetadataError(path: "detector", reason: "a model is a classifier or a detector, not both")
        }
        try reader.finish()
    }

    private mutating func readLabels(
        _ reader: inout MetadataReader, _ readFile: ((String) throws -> [String])?
    ) throws {
        labels = try reader.strings("labels")
        if let file = try reader.string("labelsFile") {
            guard labels == nil else { throw reader.error("labelsFile", "there are “labels” already") }
            guard let readFile else {
                throw reader.error("labelsFile", "only a file beside the model can name another")
            }
            guard !file.isEmpty, !file.contains("/"), file != "..", file != "." else {
                throw reader.error("labelsFile", "“\(file)” must be the name of a file beside the model")
            }
            do {
                labels = try readFile(file)
            } catch {
                throw reader.error("labelsFile", "“\(file)” cannot be read: \(error.localizedDescription)")
            }
        }
        guard let labels else { return }
        guard (1...Self.labelLimit).contains(labels.count) else {
            throw reader.error("labels", "there must be 1 to \(Self.labelLimit) labels, not \(labels.count)")
        }
    }
}

extension MetadataReader {
    /// Returns all entries, which must be strings.
    mutating func allStrings() throws -> [String: String] {
        var texts: [String: String] = [:]
        for key in keys { texts[key] = try string(key) }
        return texts
    }
}

extension ModelMetadata.Feature {
    fileprivate init(input reader: inout MetadataReader) throws {
        kind = try reader.choice("type", ModelMetadata.FeatureKind.self)
        try readImage(&reader, sides: true)
        defaultValue = try reader.number("default")
        if let defaultValue, !defaultValue.isFinite { throw reader.error("default", "must be a finite number") }
        try reader.finish()
    }

    fileprivate init(output reader: inout MetadataReader) throws {
        kind = try reader.choice("type", ModelMetadata.FeatureKind.self)
        if let kind, kind == .number || kind == .integer {
            throw reader.error("type", "an output is an “image” or an “array”")
        }
        try readImage(&reader, sides: false)
        pixelFormat = try reader.choice("pixelFormat", ModelMetadata.PixelFormat.self)
        if pixelFormat != nil, kind != .image { throw reader.error("pixelFormat", "only an image has one") }
        try reader.finish()
    }

    private mutating func readImage(_ reader: inout MetadataReader, sides: Bool) throws {
        colourOrder = try reader.choice("colorOrder", ModelMetadata.ColourOrder.self)
        layout = try reader.choice("layout", ModelMetadata.Layout.self)
        scale = try reader.colour("scale")
        bias = try reader.colour("bias")
        if sides {
            width = try reader.integer("width", in: 1...ModelMetadata.longestSide)
            height = try reader.integer("height", in: 1...ModelMetadata.longestSide)
        }
        for (key, value) in [("scale", scale), ("bias", bias)] {
            if let value, ![value.x, value.y, value.z].allSatisfy(\.isFinite) {
                throw reader.error(key, "must be finite")
            }
        }
        let isImage =
            colourOrder != nil || layout != nil || scale != nil || bias != nil || width != nil || height != nil
        if isImage, let kind, kind != .image {
            throw reader.error("type", "“\(kind.rawValue)” has no colours, scale or size: those are of an “image”")
        }
        if isImage { kind = .image }
    }
}

extension ModelMetadata.Classifier {
    fileprivate init(_ reader: inout MetadataReader) throws {
        scores = try reader.string("scores")
        function = try reader.choice("activation", ModelMetadata.ScoreFunction.self) ?? .none
        predictedFeatureName = try reader.string("predictedFeatureName") ?? predictedFeatureName
        predictedProbabilitiesName = try reader.string("predictedProbabilitiesName") ?? predictedProbabilitiesName
        guard predictedFeatureName != predictedProbabilitiesName else {
            throw reader.error("predictedProbabilitiesName", "must differ from “predictedFeatureName”")
        }
        try reader.finish()
    }
}

extension DetectorSettings {
    fileprivate init(_ reader: inout MetadataReader) throws {
        self.init()
        kind = try reader.choice("kind", Kind.self)
        confidenceThreshold = try reader.float("confidenceThreshold", in: 0...1)
        overlapThreshold = try reader.float("iouThreshold", in: 0...1)
        boxes = try reader.string("boxes")
        scores = try reader.string("scores")
        classes = try reader.string("classes")
        indices = try reader.string("indices")
        boxOrder = try reader.choice("boxOrder", BoxOrder.self)
        units = try reader.choice("units", Units.self)
        background = try reader.integer("background", in: -1...1 << 20)
        maximumCount = try reader.integer("maximumCount", in: 1...1 << 20)
        try reader.finish()
    }
}
