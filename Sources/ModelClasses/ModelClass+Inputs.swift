extension ModelClass {
    /// How the arguments of an initialiser or a prediction are given.
    enum ArgumentForm {
        /// As the model takes them.
        case plain
        /// Arrays as shaped arrays.
        case shapedArrays
        /// Images as `CGImage`.
        case decodedImages
        /// Images as the locations of files.
        case imageFiles
    }

    /// Whether the inputs can be given in this form as well.
    func has(_ form: ArgumentForm) -> Bool { form == .plain || inputs.contains { converts($0, form) } }

    /// Whether this form changes the argument. Those that can be left out stay as they are, so that a call without them
    /// has one meaning.
    private func converts(_ member: Member, _ form: ArgumentForm) -> Bool {
        guard !member.feature.isOptional else { return false }
        switch form {
        case .plain: return false
        case .shapedArrays: return member.feature.isArray
        case .decodedImages, .imageFiles: return member.feature.isImage
        }
    }

    /// The parameters of a function that takes all inputs.
    func parameters(_ form: ArgumentForm) -> String {
        inputs.map { member in
            let name = member.escaped
            guard converts(member, form) else {
                return "\(name): \(member.type)\(member.feature.isOptional ? " = nil" : "")"
            }
            switch (form, member.feature.kind) {
            case (.shapedArrays, .array(_, let scalar)): return "\(name): MLShapedArray<\(scalar.rawValue)>"
            case (.decodedImages, _): return "\(member.name)With \(name): CGImage"
            default: return "\(member.name)At \(name): URL"
            }
        }.joined(separator: ", ")
    }

    /// The arguments of a call that takes all inputs as the model does, made of parameters in this form.
    func arguments(_ form: ArgumentForm) -> String {
        inputs.map { member in
            let name = member.escaped
            guard converts(member, form) else { return "\(member.label): \(name)" }
            return form == .shapedArrays
                ? "\(member.label): MLMultiArray(\(name))"
                : "\(member.label): try \(image(member, form == .decodedImages))"
        }.joined(separator: ", ")
    }

    /// Makes the buffer of an image.
    private func image(_ member: Member, _ isDecoded: Bool) -> String {
        guard case .image(let width, let height, let format) = member.feature.kind else { return member.escaped }
        let source = "\(isDecoded ? "cgImage" : "imageAt"): \(member.escaped)"
        return "MLFeatureValue(\(source), pixelsWide: \(width), pixelsHigh: \(height), "
            + "pixelFormatType: \(format.rawValue), options: nil).imageBufferValue!"
    }

    var inputClass: String {
        let properties = inputs.map { member in
            "/// \(member.feature.documentation)\n"
                + "\(scope)var \(member.escaped): \(member.type)\(member.feature.isOptional ? " = nil" : "")"
        }
        let names = inputs.map(\.literal).joined(separator: ", ")
        let values = inputs.map { member in
            "if featureName == \(member.literal) {\n    return \(value(member))\n}"
        }
        let lookUp =
            "\(scope)func featureValue(for featureName: String) -> MLFeatureValue? {\n"
            + (values + ["return nil"]).indented() + "\n}"
        var members =
            properties + [
                "\(scope)var featureNames: Set<String> { \(inputs.isEmpty ? "[]" : "[\(names)]") }",
                lookUp,
                "\(scope)init(\(parameters(.plain))) {\n"
                    + inputs.map { "self.\($0.escaped) = \($0.escaped)" }.indented() + "\n}",
            ]
        for form in [ArgumentForm.shapedArrays, .decodedImages, .imageFiles] where has(form) {
            let effects = form == .shapedArrays ? "" : " throws"
            members.append(
                "\(scope)convenience init(\(parameters(form)))\(effects) {\n    self.init(\(arguments(form)))\n}")
        }
        for member in inputs where member.feature.isImage {
            for (type, isDecoded) in [("CGImage", true), ("URL", false)] {
                members.append(
                    "\(scope)func set\(member.capitalised)(with \(member.escaped): \(type)) throws {\n"
                        + "    self.\(member.escaped) = try \(image(member, isDecoded))\n}")
            }
        }
        return "/// Model Prediction Input Type\n\(scope)nonisolated class \(name)Input: MLFeatureProvider {\n\n"
            + members.indentedApart() + "\n\n}"
    }

    /// The feature of an input; an optional one has none where it is nil.
    private func value(_ member: Member) -> String {
        guard member.feature.isOptional else { return feature(member.feature, member.escaped) }
        let map = member.feature.isDictionary ? "flatMap" : "map"
        return "\(member.escaped).\(map) { \(feature(member.feature, "$0")) }"
    }

    /// Makes a feature of a value.
    func feature(_ feature: ModelFeature, _ value: String) -> String {
        switch feature.kind {
        case .image: "MLFeatureValue(pixelBuffer: \(value))"
        case .array: "MLFeatureValue(multiArray: \(value))"
        case .double: "MLFeatureValue(double: \(value))"
        case .int64: "MLFeatureValue(int64: \(value))"
        case .string: "MLFeatureValue(string: \(value))"
        case .dictionary: "try? MLFeatureValue(dictionary: \(value))"
        case .sequence: "MLFeatureValue(sequence: \(value))"
        }
    }
}

extension ModelFeature {
    var isDictionary: Bool { if case .dictionary = kind { true } else { false } }
}
