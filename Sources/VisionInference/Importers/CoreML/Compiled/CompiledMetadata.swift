import Foundation

/// What Apple's compiler writes about a model (`metadata.json`): numbers stand in it as texts.
struct CompiledMetadata: Decodable {
    struct Feature: Decodable {
        var name: String
        /// `MultiArray`, `Image`, `String`, `Int64`, `Double`, `Dictionary`, `State`.
        var type: String
        var shortDescription: String?
        var isOptional: String?
        var keyType: String?
        /// `[1, 3, 224, 224]`
        var shape: String?
        var dataType: String?
        /// `[[1, 1], [1, 448]]`: the smallest and the largest size of each axis, −1 for none.
        var shapeRange: String?
        var enumeratedShapes: String?
        var width: String?
        var height: String?
        var colorspace: String?
        var isColor: String?
        /// `[[64, 1024], [64, -1]]`: of the width and the height.
        var sizeRange: String?
        var enumeratedSizes: String?
    }

    var inputSchema: [Feature]
    var outputSchema: [Feature]
    var specificationVersion: Int?
    var userDefinedMetadata: [String: String]?
    var shortDescription: String?
    var version: String?
    var author: String?
    var license: String?
}

extension CompiledDescription {
    /// An input or output, as the message `FeatureDescription` has it.
    struct Feature {
        var name: String
        var type: String
        var shape: [Int] = []
        private var dataType = 65568
        private var text = ""
        private var isOptional = false
        private var hasTextKeys = true
        private var ranges: [[Int]] = []
        private var choices: [[Int]] = []
        private var colours = 20

        init(name: String, type: String, shape: [Int]) {
            self.name = name
            self.type = type
            self.shape = shape
        }

        /// An array as the program has it; nil for what is none.
        init?(_ name: String, _ type: ProgramTextType) {
            guard case .tensor(let element, let sizes) = type else { return nil }
            self.init(name: name, type: "MultiArray", shape: sizes.map { $0 ?? 1 })
            dataType = element == 23 ? 131104 : element == 10 ? 65552 : 65568
            if sizes.contains(nil) { ranges = sizes.map { $0.map { [$0, $0] } ?? [1, -1] } }
        }

        init(_ schema: CompiledMetadata.Feature, _ type: ProgramTextType?) throws {
            name = schema.name
            self.type = schema.type
            text = schema.shortDescription ?? ""
            isOptional = schema.isOptional == "1"
            hasTextKeys = schema.keyType != "Int64"
            switch schema.type {
            case "Image":
                let sides = [schema.width, schema.height].map { Int($0 ?? "") ?? 0 }
                guard sides.allSatisfy({ (0...1 << 16).contains($0) }) else {
                    throw ModelError.damaged("“\(name)” is described as an image of \(sides[0]) × \(sides[1]) pixels")
                }
                shape = sides
                let isGrey = schema.colorspace == "Grayscale" || schema.isColor == "0"
                colours =
                    schema.colorspace == "Grayscale16Half" ? 40 : isGrey ? 10 : schema.colorspace == "BGR" ? 30 : 20
                ranges = try Self.lists(schema.sizeRange, name)
                choices = try Self.lists(schema.enumeratedSizes, name)
            case "MultiArray":
                let types = ["Float16": 65552, "Float32": 65568, "Double": 65600, "Float64": 65600, "Int32": 131104]
                dataType = types[schema.dataType ?? ""] ?? 65568
                shape = try Self.lists(schema.shape.map { "[\($0)]" }, name).first ?? type?.shape ?? []
                ranges = try Self.lists(schema.shapeRange, name)
                choices = try Self.lists(schema.enumeratedShapes, name)
            default: break
            }
        }

        /// Lists of whole numbers in a text: `[[1, 2], [3, 4]]`.
        private static func lists(_ text: String?, _ name: String) throws -> [[Int]] {
            guard let text, !text.isEmpty, text != "[]" else { return [] }
            guard let lists = try? JSONDecoder().decode([[Int]].self, from: Data(text.utf8)),
                lists.allSatisfy({ $0.allSatisfy { (-1...1 << 40).contains($0) } })
            else { throw ModelError.damaged("“\(name)” is described with the sizes “\(text.prefix(80))”") }
            return lists
        }

        func message() -> ProtobufWriter {
            var writer = ProtobufWriter()
            writer.string(1, name)
            writer.optionalString(2, text)
            writer.message(3) { feature in
                switch type {
                case "Int64": feature.message(1) { _ in }
                case "Double": feature.message(2) { _ in }
                case "String": feature.message(3) { _ in }
                case "Image": feature.message(4) { image(&$0) }
                case "Dictionary": feature.message(6) { keys in keys.message(hasTextKeys ? 2 : 1) { _ in } }
                case "State": feature.message(8) { state in state.message(1) { array(&$0) } }
                default: feature.message(5) { array(&$0) }
                }
                if isOptional { feature.int(1000, 1) }
            }
            return writer
        }

        private func image(_ writer: inout ProtobufWriter) {
            writer.int(1, Int64(shape[0]))
            writer.int(2, Int64(shape[1]))
            writer.int(3, Int64(colours))
            if !choices.isEmpty {
                writer.message(21) { sizes in
                    for choice in choices where choice.count == 2 {
                        sizes.message(1) { size in
                            size.int(1, Int64(choice[0]))
                            size.int(2, Int64(choice[1]))
                        }
                    }
                }
            } else if ranges.count == 2 {
                writer.message(31) { sizes in
                    for (index, range) in ranges.enumerated() { sizes.append(index + 1, Self.range(range)) }
                }
            }
        }

        private func array(_ writer: inout ProtobufWriter) {
            writer.packedInts(1, shape.map { Int64($0) })
            writer.int(2, Int64(dataType))
            if !choices.isEmpty {
                writer.message(21) { shapes in
                    for choice in choices { shapes.message(1) { $0.packedInts(1, choice.map { Int64($0) }) } }
                }
            } else if !ranges.isEmpty {
                writer.message(31) { sizes in for range in ranges { sizes.append(1, Self.range(range)) } }
            }
        }

        private static func range(_ bounds: [Int]) -> ProtobufWriter {
            var writer = ProtobufWriter()
            writer.int(1, Int64(bounds.first ?? 0))
            writer.int(2, Int64(bounds.last ?? -1))
            return writer
        }
    }
}

extension ProgramTextType {
    /// The sizes of a tensor, 1 for those that are open.
    var shape: [Int] {
        if case .tensor(_, let sizes) = self { sizes.map { $0 ?? 1 } } else { [] }
    }
}
