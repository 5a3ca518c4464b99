/// What a network's input is as a feature of a model.
package enum InputForm: Sendable {
    case image(InputImageAxes)
    case array
    /// One floating-point number.
    case number
    /// One integer.
    case integer

    /// Why the metadata of an input does not fit the network: a sentence.
    package struct Misfit: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) { self.description = description }

        fileprivate init(of input: String, _ reason: String) {
            description = "The metadata of the input “\(input)” does not fit: \(reason)."
        }
    }

    /// - Parameters:
    ///   - shape: nil for a number of axes that is not known; within, for an axis of any length.
    ///   - isFloat: Whether its elements are floats.
    ///   - mayBeImage: Whether it may be an image without metadata: it holds floats or bytes.
    ///   - isOnlyOne: Whether the network has no other input.
    ///   - stated: What the metadata says of it.
    /// - Throws: `Misfit`.
    package init(
        of name: String, shape: [Int?]?, isFloat: Bool, mayBeImage: Bool, isOnlyOne: Bool,
        stated: ModelMetadata.Feature?
    ) throws(Misfit) {
        let open = shape ?? []
        let axes = InputImageAxes(open, stated: stated)
        switch stated?.kind {
        case .image:
            guard let axes else {
                let text = open.map { $0.map(String.init) ?? "?" }.joined(separator: " × ")
                throw Misfit(of: name, "its shape \(text) is not that of an image with 1 or 3 channels")
            }
            for (own, side) in [(axes.height, stated?.height), (axes.width, stated?.width)] {
                if let own, let side, own != side {
                    throw Misfit(
                        "The metadata gives the input “\(name)” a side of \(side) pixels; the network's has \(own).")
                }
            }
            self = .image(axes)
        case .number, .integer:
            guard open.allSatisfy({ $0 == 1 || $0 == nil }) else {
                throw Misfit(of: name, "it is more than one number")
            }
            self = stated?.kind == .integer ? .integer : .number
        case .array: self = .array
        case nil:
            if mayBeImage, let axes, axes.hasBatchAxis,
                Self.isNamedLikeAnImage(name) || isOnlyOne && axes.channels == 3
            {
                self = .image(axes)
            } else if shape?.isEmpty == true {
                self = isFloat ? .number : .integer
            } else {
                self = .array
            }
        }
    }

    /// Without metadata, an input with the shape of an image counts as an image if its name suggests it, or if it is a
    /// colour image and the network's only input.
    private static func isNamedLikeAnImage(_ name: String) -> Bool {
        let lower = name.lowercased()
        return ["image", "img", "input", "data", "pixel", "photo", "picture"].contains { lower.contains($0) }
    }

    /// The lengths of the axes with which the input is used.
    package func shape(of shape: [Int?]?) -> [Int?] {
        switch self {
        case .image(let axes): axes.shape
        case .number, .integer: (shape ?? []).map { _ in 1 }
        case .array: shape ?? []
        }
    }
}
