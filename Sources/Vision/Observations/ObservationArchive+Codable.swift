import CoreML

/// The form of archives in JSON and other formats of Swift's encoders: an object with the values by their names.
extension ObservationArchive: Codable {
    /// The name of a value.
    package struct Key: CodingKey {
        package let stringValue: String
        package var intValue: Int? { nil }

        package init(_ name: String) { stringValue = name }
        package init?(stringValue: String) { self.init(stringValue) }
        package init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try encode(to: &container)
    }

    /// Adds the values to an object.
    package func encode(to container: inout KeyedEncodingContainer<Key>) throws {
        for (name, value) in values {
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

    package init(from decoder: any Decoder) throws {
        self.init(in: try decoder.container(keyedBy: Key.self))
    }

    /// Reads the values of an object. Those of other kinds are left out.
    package init(in container: KeyedDecodingContainer<Key>) {
        self.init()
        for key in container.allKeys {
            if let value = Self.value(in: container, forKey: key) { set(key.stringValue, value) }
        }
    }

    private static func value(in container: KeyedDecodingContainer<Key>, forKey key: Key) -> Value? {
        // Integers first: a number such as 1 fits both types, and the archive accepts either.
        if let integer = try? container.decode(Int.self, forKey: key) { return .integer(integer) }
        if let number = try? container.decode(Double.self, forKey: key) { return .number(number) }
        if let text = try? container.decode(String.self, forKey: key) { return .text(text) }
        if let integers = try? container.decode([Int64].self, forKey: key) { return .integers(integers) }
        if let numbers = try? container.decode([Double].self, forKey: key) { return .numbers(numbers) }
        if let texts = try? container.decode([String].self, forKey: key) { return .texts(texts) }
        if let image = try? container.decode(PackedImage.self, forKey: key) { return .image(image) }
        return (try? container.decode(FeatureArchive.self, forKey: key)).map { .feature($0) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes an object whose values are those of an archive.
    ///
    /// - Throws: `DecodingError` if `make` returns nil.
    func decodeArchive<Object>(forKey key: Key, _ make: (ObservationArchive) -> Object?) throws -> Object {
        guard let object = make(try decode(ObservationArchive.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "A value of a \(Object.self) is missing or invalid.")
        }
        return object
    }
}
