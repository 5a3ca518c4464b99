/// The operators that the importer has, as a table for the documentation.
package enum ONNXOperatorList {
    package static var markdown: String {
        var lines = [
            "# Operators of ONNX", "",
            "Written by `make operators` from the importer's table. "
                + "Operator sets up to \(ONNXImporter.latestOpset) are read.",
            "What an operator claims is what its tests in ONNX's own suite check (`make check-onnx`). A model with an",
            "operator, a type or an attribute beyond this is refused, with the operator's and the node's name.", "",
            "“Numbers” are all integers and floats, “floats” float32, float64, float16 and bfloat16, "
                + "“all” numbers and bool.",
            "Strings, sequences, optional values, complex numbers, and floats and integers of eight bits or fewer but "
                + "int8 and",
            "uint8 are read by no operator.", "",
            "| operator | since operator set | elements | not claimed |", "|---|---|---|---|",
        ]
        for (name, definition) in ONNXDefinition.all.sorted(by: { $0.key < $1.key }) {
            lines.append("| \(name) | \(definition.since) | \(definition.types.rawValue) | \(definition.notes) |")
        }
        lines.append("| Constant | 1 | all | sparse values and strings |")
        return lines.joined(separator: "\n") + "\n"
    }
}
