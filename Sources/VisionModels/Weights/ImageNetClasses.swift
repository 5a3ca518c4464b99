/// The classes of ImageNet in the order of the outputs: WordNet identifiers, sorted, and their names in words.
struct ImageNetClasses {
    let identifiers: [String]
    let names: [String]

    /// - Parameters:
    ///   - labels: an identifier a line.
    ///   - names: an identifier, a tab and its names a line, for these and other classes.
    /// - Throws: `WeightFileError` when identifiers are missing, not sorted or without a name.
    init(labels: [UInt8], names: [UInt8], count: Int) throws {
        guard let labelText = String(validating: labels, as: UTF8.self),
            let nameText = String(validating: names, as: UTF8.self)
        else { throw WeightFileError(.damaged, "the class names are not UTF-8") }
        identifiers = labelText.split(whereSeparator: \.isNewline).map(String.init)
        // The network's outputs are in this order; any other would name every class wrongly.
        guard identifiers.count == count, zip(identifiers, identifiers.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw WeightFileError(.mismatch, "there are not \(count) sorted class names")
        }
        var nameOf: [Substring: Substring] = [:]
        for line in nameText.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "\t", maxSplits: 1)
            if parts.count == 2 { nameOf[parts[0]] = parts[1] }
        }
        self.names = try identifiers.map { identifier in
            guard let name = nameOf[identifier[...]] else {
                throw WeightFileError(.mismatch, "the class \(identifier) has no name")
            }
            return String(name)
        }
    }
}
