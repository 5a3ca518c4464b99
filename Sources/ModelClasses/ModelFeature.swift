/// An input or output of a model, as far as a class that calls the model needs to know it.
package struct ModelFeature: Equatable, Sendable {
    package enum Scalar: String, Sendable {
        case double = "Double"
        case float = "Float"
        case half = "Float16"
        case int32 = "Int32"

        /// What documentation calls several of them.
        var plural: String {
            switch self {
            case .double: "doubles"
            case .float: "floats"
            case .half: "16-bit floats"
            case .int32: "32-bit integers"
            }
        }
    }

    package enum PixelFormat: String, Sendable {
        case colour = "kCVPixelFormatType_32BGRA"
        case grey = "kCVPixelFormatType_OneComponent8"
        case greyHalf = "kCVPixelFormatType_OneComponent16Half"
    }

    package enum Kind: Equatable, Sendable {
        /// A side of 0 pixels: that of the image.
        case image(width: Int, height: Int, PixelFormat)
        /// nil: no certain shape.
        case array(shape: [Int]?, Scalar)
        case double
        case int64
        case string
        case dictionary(stringKeys: Bool)
        case sequence(ofStrings: Bool)
    }

    /// As the model has it.
    package let name: String
    /// What the author says of it; may be empty.
    package let summary: String
    package let kind: Kind
    package let isOptional: Bool

    package init(name: String, summary: String, kind: Kind, isOptional: Bool) {
        self.name = name
        self.summary = summary
        self.kind = kind
        self.isOptional = isOptional
    }

    /// The type of the property.
    var type: String {
        switch kind {
        case .image: "CVPixelBuffer"
        case .array: "MLMultiArray"
        case .double: "Double"
        case .int64: "Int64"
        case .string: "String"
        case .dictionary(let stringKeys): stringKeys ? "[String: Double]" : "[Int64: Double]"
        case .sequence: "MLSequence"
        }
    }

    /// What the feature is, in one line.
    var documentation: String {
        let subject = SwiftText.oneLine(summary.isEmpty ? name : summary)
        return "\(subject) as \(isOptional ? "optional " : "")\(details)"
    }

    private var details: String {
        switch kind {
        case .image(let width, let height, let format):
            let colours = format == .colour ? "color" : "grayscale"
            return "\(colours) (\(format.rawValue)) image buffer, \(width) pixels wide by \(height) pixels high"
        case .array(let shape, let scalar):
            switch shape?.count {
            case 1?: return "\(shape?[0] ?? 0) element vector of \(scalar.plural)"
            case 2?: return "\(shape?[0] ?? 0) by \(shape?[1] ?? 0) matrix of \(scalar.plural)"
            case let rank? where rank > 2:
                let lengths = shape?.map(String.init).joined(separator: " × ") ?? ""
                return "\(lengths) \(rank)-dimensional array of \(scalar.plural)"
            default: return "multidimensional array of \(scalar.plural)"
            }
        case .double: return "double value"
        case .int64: return "integer value"
        case .string: return "string value"
        case .dictionary(let stringKeys):
            return "dictionary of \(stringKeys ? "strings" : "64-bit integers") to doubles"
        case .sequence(let ofStrings): return "sequence of \(ofStrings ? "strings" : "64-bit integers")"
        }
    }

    var isArray: Bool { if case .array = kind { true } else { false } }
    var isImage: Bool { if case .image = kind { true } else { false } }
}
