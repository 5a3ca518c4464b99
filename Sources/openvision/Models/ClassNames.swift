import CoreML
import Foundation

/// The names of classes, for models that have names beside identifiers.
struct ClassNames {
    private let names: [String: String]

    init(_ description: MLModelDescription) {
        let texts = description.metadata[.creatorDefinedKey] as? [String: String]
        let words =
            texts?["classNames"]?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
        let labels = (description.classLabels ?? []).map { "\($0)" }
        names = labels.count == words.count ? Dictionary(zip(labels, words)) { first, _ in first } : [:]
    }

    subscript(label: String) -> String? { names[label] }
}
