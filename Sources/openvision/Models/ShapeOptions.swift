import ArgumentParser

/// The shapes of inputs that a model leaves open.
struct ShapeOptions: ParsableArguments {
    @Option(
        name: .customLong("shape"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The shape of an input that the model leaves open. Repeat for more inputs.", valueName: "input=1x3x416x416"
        ),
        transform: { text in
            guard let shape = InputShape(text) else {
                throw ValidationError("'\(text)' is not a valid input shape; use NAME=1x3x416x416.")
            }
            return shape
        })
    var shapes: [InputShape] = []
}

/// The shape of an input on a command line.
struct InputShape {
    let name: String
    let sizes: [Int]

    /// NAME=1x3x416x416; the name may hold anything but the last "=".
    init?(_ text: String) {
        guard let separator = text.lastIndex(of: "="), separator != text.startIndex else { return nil }
        let parts = text[text.index(after: separator)...].split(separator: "x", omittingEmptySubsequences: false)
        let sizes = parts.compactMap { Int($0) }
        guard !sizes.isEmpty, sizes.count == parts.count, sizes.allSatisfy({ (1...1 << 20).contains($0) }) else {
            return nil
        }
        name = String(text[..<separator])
        self.sizes = sizes
    }
}
