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

    private static let typeKey = ObservationArchive.Key("type")

    /// Encodes the observation.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ObservationArchive.Key.self)
        try container.encode(observation.archivedTypeName, forKey: Self.typeKey)
        try observation.archived.encode(to: &container)
    }

    /// Decodes an observation.
    ///
    /// - Throws: `DecodingError` if the type is not one of an observation, or a value is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ObservationArchive.Key.self)
        let type = try container.decode(String.self, forKey: Self.typeKey)
        // The name of the type is among the values; no class reads it.
        guard let observation = VNObservation.unarchived(typeName: type, from: ObservationArchive(in: container)) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "The values are not those of an observation of type \(type)."))
        }
        self.observation = observation
    }
}
