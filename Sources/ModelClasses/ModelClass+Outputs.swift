extension ModelClass {
    var outputClass: String {
        var members = ["/// Source provided by CoreML\nprivate let provider: any MLFeatureProvider"]
        for member in outputs {
            let documentation = "/// \(member.feature.documentation)"
            members.append(
                "\(documentation)\n\(scope)var \(member.escaped): \(member.feature.type) {\n    \(reading(member))\n}")
            if case .array(_, let scalar) = member.feature.kind {
                members.append(
                    "\(documentation)\n\(scope)var \(member.name)ShapedArray: MLShapedArray<\(scalar.rawValue)> {\n"
                        + "    MLShapedArray<\(scalar.rawValue)>(\(member.escaped))\n}")
            }
        }
        let parameters = outputs.map { "\($0.escaped): \($0.feature.type)" }.joined(separator: ", ")
        let entries = outputs.map { member in
            "\(member.literal): " + feature(member.feature, member.escaped).replacingTry
        }
        members += [
            "\(scope)var featureNames: Set<String> {\n    provider.featureNames\n}",
            "\(scope)func featureValue(for featureName: String) -> MLFeatureValue? {\n"
                + "    provider.featureValue(for: featureName)\n}",
            "\(scope)init(\(parameters)) {\n    self.provider = try! MLDictionaryFeatureProvider(dictionary: ["
                + (entries.isEmpty ? ":" : entries.joined(separator: ", ")) + "])\n}",
            "\(scope)init(features: any MLFeatureProvider) {\n    self.provider = features\n}",
        ]
        return "/// Model Prediction Output Type\n\(scope)nonisolated class \(name)Output: MLFeatureProvider {\n\n"
            + members.indentedApart() + "\n\n}"
    }

    /// Reads an output.
    private func reading(_ member: Member) -> String {
        let value = "provider.featureValue(for: \(member.literal))!"
        switch member.feature.kind {
        case .image: return value + ".imageBufferValue!"
        case .array: return value + ".multiArrayValue!"
        case .double: return value + ".doubleValue"
        case .int64: return value + ".int64Value"
        case .string: return value + ".stringValue"
        case .sequence: return value + ".sequenceValue!"
        case .dictionary(let stringKeys):
            let key = stringKeys ? "\"\\(entry.key)\"" : "Int64(\"\\(entry.key)\") ?? 0"
            return "Dictionary(\n        \(value).dictionaryValue.map { entry in (\(key), entry.value.doubleValue) }\n"
                + "    ) { first, _ in first }"
        }
    }
}

extension String {
    /// Within an expression that is tried as a whole.
    fileprivate var replacingTry: String { hasPrefix("try? ") ? String(dropFirst(5)) : self }
}
