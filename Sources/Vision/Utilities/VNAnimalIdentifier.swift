/// A species of animals.
public struct VNAnimalIdentifier: RawRepresentable, Hashable, Sendable {
    /// The label of the animal.
    public let rawValue: String

    /// Creates an identifier with that label.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A cat.
    public static let cat = VNAnimalIdentifier(rawValue: "Cat")
    /// A dog.
    public static let dog = VNAnimalIdentifier(rawValue: "Dog")
}
