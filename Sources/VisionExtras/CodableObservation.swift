public import Vision

/// An observation as JSON or in any other form of Swift's encoders.
///
/// The form is an object with the name of the class under `type` and its values beside it: numbers, strings, arrays of
/// them, features and images (a rectangle is `[x, y, width, height]`, a point `[x, y]`, a transform `[a, b, c, d, tx,
/// ty]`).
///
///     let data = try JSONEncoder().encode(observations.map(CodableObservation.init))
///     let back = try JSONDecoder().decode([CodableObservation].self, from: data).map(\.observation)
public struct CodableObservation: Codable, Hashable, Sendable {
    /// The observation.
    public let observation: VNObservation

    /// Wraps an observation for encoding.
    public init(_ observation: VNObservation) { self.observation = observation }

    private struct Key: CodingKey {
        static let type = Key("type")

        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Encodes the observation.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(observation.archivedTypeName, forKey: .type)
        for (name, value) in observation.archived.values {
            switch value {
            case .number(let number): try container.encode(number, forKey: Key(name))
            case .integer(let integer): try container.encode(integer, forKey: Key(name))
            case .text(let text): try container.encode(text, forKey: Key(name))
            case .numbers(let numbers): try container.encode(numbers, forKey: Key(name))
            case .integers(let integers): try container.encode(integers, forKey: Key(name))
            case .texts(let texts): try container.encode(texts, forKey: Key(name))
            case .feature(let feature): try container.encode(feature, forKey: Key(name))
            case .image(let image): try container.encode(image, forKey: Key(name))
            }
        }
    }

    /// Decodes an observation.
    ///
    /// - Throws: `DecodingError` if the type is not one of an observation, or a value is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let type = try container.decode(String.self, forKey: .type)
        var values: [String: ObservationArchive.Value] = [:]
        for key in container.allKeys where key.stringValue != Key.type.stringValue {
            // Integers first: a number such as 1 fits both types, and the archive accepts either.
            if let integer = try? container.decode(Int.self, forKey: key) {
                values[key.stringValue] = .integer(integer)
            } else if let number = try? container.decode(Double.self, forKey: key) {
                values[key.stringValue] = .number(number)
            } else if let text = try? container.decode(String.self, forKey: key) {
                values[key.stringValue] = .text(text)
            } else if let integers = try? container.decode([Int64].self, forKey: key) {
                values[key.stringValue] = .integers(integers)
            } else if let numbers = try? container.decode([Double].self, forKey: key) {
                values[key.stringValue] = .numbers(numbers)
            } else if let texts = try? container.decode([String].self, forKey: key) {
                values[key.stringValue] = .texts(texts)
            } else if let image = try? container.decode(PackedImage.self, forKey: key) {
                values[key.stringValue] = .image(image)
            } else if let feature = try? container.decode(FeatureArchive.self, forKey: key) {
                values[key.stringValue] = .feature(feature)
            }
        }
        guard
            let observation = VNObservation.unarchived(typeName: type, from: ObservationArchive(values: values))
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "The values are not those of an observation of type \(type)."))
        }
        self.observation = observation
    }
}
