/// Writes the descriptions of inputs and outputs (`FeatureDescription`).
enum CoreMLFeatureWriter {
    private enum Number {
        static let float: Int64 = 65568
        static let int: Int64 = 131104
    }

    private static func feature(
        _ name: String, _ field: Int, _ type: Int, to writer: inout ProtobufWriter,
        _ content: (inout ProtobufWriter) -> Void
    ) {
        writer.message(field) { writer in
            writer.string(1, name)
            writer.message(3) { writer in writer.message(type, content) }
        }
    }

    static func array(
        _ name: String, _ field: Int, _ shape: Shape, isFloat: Bool, to writer: inout ProtobufWriter
    ) {
        feature(name, field, 5, to: &writer) { writer in
            writer.packedInts(1, shape.map { Int64($0) })
            writer.int(2, isFloat ? Number.float : Number.int)
        }
    }

    static func image(
        _ name: String, _ field: Int, width: Int, height: Int, _ colours: CoreMLExport.Image.Colours,
        to writer: inout ProtobufWriter
    ) {
        feature(name, field, 4, to: &writer) { writer in
            writer.int(1, Int64(width))
            writer.int(2, Int64(height))
            writer.int(3, colours == .grey ? 10 : colours == .rgb ? 20 : 30)
        }
    }

    static func text(_ name: String, _ field: Int, to writer: inout ProtobufWriter) {
        feature(name, field, 3, to: &writer) { _ in }
    }

    /// A dictionary from texts to numbers.
    static func dictionary(_ name: String, _ field: Int, to writer: inout ProtobufWriter) {
        feature(name, field, 6, to: &writer) { writer in writer.message(2) { _ in } }
    }
}
