import NetworkMetadata
public import Foundation

/// The arguments of a call by their names, as they came: texts of a URL's query or of a form, or values of JSON.
public struct AnalysisArguments: Sendable {
    private var values: [String: JSONValue]
    /// Whether values are texts that stand for numbers, lists and so on.
    private let areTexts: Bool

    /// No arguments.
    public static let none = AnalysisArguments(values: [:], areTexts: false)

    private init(values: [String: JSONValue], areTexts: Bool) { (self.values, self.areTexts) = (values, areTexts) }

    /// Creates arguments of texts. Commas separate the elements of lists: `["top": "3", "languages": "de,fr"]`.
    public init(texts: [String: String]) { self.init(values: texts.mapValues { .string($0) }, areTexts: true) }

    init(_ values: [String: JSONValue]) { self.init(values: values, areTexts: false) }

    /// The names, sorted.
    public var names: [String] { values.keys.sorted() }

    /// Returns the value of an argument as it came; nil if it was not given.
    func value(_ name: String) -> JSONValue? { values[name] }

    /// Removes an argument and returns its value, of the type that is allowed; a text that cannot be read as that type
    /// stays a text.
    mutating func take(_ name: String, as allowed: AnalysisParameter.Values) -> JSONValue? {
        guard let value = values.removeValue(forKey: name) else { return nil }
        guard areTexts, case .string(let text) = value else { return value }
        switch allowed {
        case .number: return Double(text).map { .number($0) } ?? value
        case .integer: return Int(text).map { .integer($0) } ?? value
        case .flag: return Bool(text).map { .boolean($0) } ?? value
        case .texts:
            return .array(text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) })
        case .word: return value
        }
    }
}

/// An image with the arguments of a call, as one JSON object: `{"image": "<Base64>", "requests": ["faces"]}`.
public struct AnalysisUpload: Sendable {
    /// The bytes of the image file.
    public let image: Data
    /// The other fields of the object.
    public let arguments: AnalysisArguments

    /// Reads the object.
    ///
    /// - Throws: `AnalysisError` where it is not a JSON object with an `image` in Base64.
    public init(json: Data) throws {
        let value: JSONValue
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: json)
        } catch {
            throw AnalysisError("The body is not valid JSON.")
        }
        guard case .object(var fields) = value else { throw AnalysisError("The body is not a JSON object.") }
        guard case .string(let text)? = fields.removeValue(forKey: "image") else {
            throw AnalysisError("The body has no \"image\", a text.")
        }
        guard let data = Data(base64Encoded: text) else { throw AnalysisError("image is not valid Base64.") }
        (image, arguments) = (data, AnalysisArguments(fields))
    }
}
