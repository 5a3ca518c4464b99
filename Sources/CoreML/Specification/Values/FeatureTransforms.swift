import VisionInference

/// A model that maps features to features by a rule: scaling, encoding, choosing.
///
/// Each closure is made by reading and checking the model's message.
struct FeatureTransform: ValueModel {
    private let body: @Sendable ([String: MLFeatureValue]) throws -> [String: MLFeatureValue]

    func outputs(of features: [String: MLFeatureValue]) throws -> [String: MLFeatureValue] { try body(features) }

    /// - Throws: `ModelError` when the model is damaged, or none of these.
    init(_ kind: CoreMLKind, _ content: ProtobufMessage, _ description: CoreMLDescription) throws {
        let reader = ValueReader(description: description)
        switch kind {
        case .scaler: body = try Self.scaler(content, reader)
        case .normalizer: body = try Self.normalizer(content, reader)
        case .imputer: body = try Self.imputer(content, reader)
        case .oneHotEncoder: body = try Self.oneHotEncoder(content, reader)
        case .categoricalMapping: body = try Self.categoricalMapping(content, reader)
        case .arrayFeatureExtractor:
            let indices = try content.ints(1)
            body = { features in
                let numbers = try Self.numbers(reader, features)
                return try reader.outputs(
                    indices.map { index in
                        guard numbers.indices.contains(index) else {
                            throw MLModelError(.featureType, "Element \(index) of an array of \(numbers.count).")
                        }
                        return numbers[index]
                    })
            }
        case .dictVectorizer: body = try Self.dictionaryVectorizer(content, reader)
        case .featureVectorizer:
            let columns = try content.messages(1).map { (name: try $0.string(1), count: try $0.int(2)) }
            body = { features in
                var vector: [Double] = []
                for column in columns {
                    let value = try reader.value(column.name, features)
                    let numbers = try ValueReader.numbers(value, named: column.name, count: min(column.count, 1 << 20))
                    guard numbers.count == column.count else {
                        throw MLModelError(
                            .featureType, "“\(column.name)” has \(numbers.count) numbers, not \(column.count).")
                    }
                    vector += numbers
                }
                return try reader.outputs(vector)
            }
        case .identity:
            body = { features in
                let input = try reader.only(features)
                return [description.outputs.first?.name ?? "": input]
            }
        default: throw ModelError.unsupported("\(kind) is not run here")
        }
    }

    private typealias Body = @Sendable ([String: MLFeatureValue]) throws -> [String: MLFeatureValue]

    private static func numbers(_ reader: ValueReader, _ features: [String: MLFeatureValue]) throws -> [Double] {
        let name = reader.description.inputs.first?.name ?? ""
        return try ValueReader.numbers(reader.only(features), named: name, count: 0)
    }

    // MARK: Numbers

    private static func scaler(_ content: ProtobufMessage, _ reader: ValueReader) throws -> Body {
        let (shifts, scales) = (try content.doubles(1), try content.doubles(2))
        return { features in
            let numbers = try Self.numbers(reader, features)
            func value(_ list: [Double], _ index: Int, _ fallback: Double) throws -> Double {
                if list.isEmpty { return fallback }
                guard list.count == 1 || list.count == numbers.count else {
                    throw MLModelError(.featureType, "The scaler takes \(list.count) numbers, not \(numbers.count).")
                }
                return list.count == 1 ? list[0] : list[index]
            }
            return try reader.outputs(
                numbers.enumerated().map { try ($1 + value(shifts, $0, 0)) * value(scales, $0, 1) })
        }
    }

    private static func normalizer(_ content: ProtobufMessage, _ reader: ValueReader) throws -> Body {
        let kind = try content.int(1)
        guard (0...2).contains(kind) else { throw ModelError.invalid("the norm \(kind)") }
        return { features in
            let numbers = try Self.numbers(reader, features)
            let norm: Double =
                switch kind {
                case 0: numbers.map(abs).max() ?? 0
                case 1: numbers.reduce(0) { $0 + abs($1) }
                default: numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
                }
            return try reader.outputs(norm > 0 ? numbers.map { $0 / norm } : numbers)
        }
    }

    private static func imputer(_ content: ProtobufMessage, _ reader: ValueReader) throws -> Body {
        if content.has(3) || content.has(13) {
            let (imputed, replaced) = (try content.string(3), try content.string(13))
            return { features in
                let text = try reader.only(features).stringValue
                return [
                    reader.description.outputs.first?.name ?? "": MLFeatureValue(
                        string: text == replaced ? imputed : text)
                ]
            }
        }
        let imputed: [Double]
        switch content.first(in: 1...7) {
        case 1: imputed = [try content.double(1)]
        case 2: imputed = [Double(try content.int(2))]
        case 4: imputed = try content.message(4)?.doubles(1) ?? []
        case 5: imputed = try content.message(5)?.ints(1).map { Double($0) } ?? []
        default: throw ModelError.unsupported("an imputer of dictionaries")
        }
        let replaced =
            content.has(11) ? try content.double(11) : content.has(12) ? Double(try content.int(12)) : Double.nan
        return { features in
            let numbers = try Self.numbers(reader, features)
            guard imputed.count == 1 || imputed.count == numbers.count else {
                throw MLModelError(.featureType, "The imputer takes \(imputed.count) numbers, not \(numbers.count).")
            }
            return try reader.outputs(
                numbers.enumerated().map { index, number in
                    let isMissing = replaced.isNaN ? number.isNaN : number == replaced
                    return isMissing ? imputed[imputed.count == 1 ? 0 : index] : number
                })
        }
    }

    // MARK: Categories

    private static func oneHotEncoder(_ content: ProtobufMessage, _ reader: ValueReader) throws -> Body {
        guard let categories = try CoreMLClassLabels(content, strings: 1, integers: 2) else {
            throw ModelError.damaged("an encoder without categories")
        }
        let texts = categories.texts
        let (isSparse, ignores) = (try content.bool(10), try content.int(11) == 1)
        return { features in
            let value = try reader.only(features)
            let text: String =
                switch value.content {
                case .string(let text): text
                case .int64(let number): "\(number)"
                default: "\(Int64(try Self.numbers(reader, features).first ?? .nan, limited: ()))"
                }
            let index = texts.firstIndex(of: text)
            guard index != nil || ignores else {
                throw MLModelError(.featureType, "“\(text)” is none of the categories of the model.")
            }
            if isSparse {
                let entries: [AnyHashable: NSNumber] = index.map { [AnyHashable(Int64($0)): 1] } ?? [:]
                return [reader.description.outputs.first?.name ?? "": MLFeatureValue(.dictionary(entries))]
            }
            return try reader.outputs(texts.indices.map { $0 == index ? 1 : 0 })
        }
    }

    private static func categoricalMapping(_ content: ProtobufMessage, _ reader: ValueReader) throws -> Body {
        let output = reader.description.outputs.first?.name ?? ""
        if let map = try content.message(1) {
            var table: [String: Int] = [:]
            for entry in try map.messages(1) { table[try entry.string(1)] = try entry.int(2) }
            let fallback = content.has(102) ? try content.int(102) : nil
            return { [table] features in
                let text = try reader.only(features).stringValue
                guard let number = table[text] ?? fallback else {
                    throw MLModelError(.featureType, "“\(text)” is none of the categories of the model.")
                }
                return [output: MLFeatureValue(int64: Int64(number))]
            }
        }
        var table: [Int64: String] = [:]
        for entry in try content.message(2)?.messages(1) ?? [] { table[Int64(try entry.int(1))] = try entry.string(2) }
        let fallback = content.has(101) ? try content.string(101) : nil
        return { [table] features in
            let number = try reader.only(features).int64Value
            guard let text = table[number] ?? fallback else {
                throw MLModelError(.featureType, "\(number) is none of the categories of the model.")
            }
            return [output: MLFeatureValue(string: text)]
        }
    }

    private static func dictionaryVectorizer(_ content: ProtobufMessage, _ reader: ValueReader) throws -> Body {
        guard let keys = try CoreMLClassLabels(content, strings: 1, integers: 2) else {
            throw ModelError.damaged("a vectoriser without keys")
        }
        let texts = keys.texts
        return { features in
            var found: [String: Double] = [:]
            for (key, number) in try reader.only(features).dictionaryValue { found["\(key.base)"] = number.doubleValue }
            return try reader.outputs(texts.map { found[$0] ?? 0 })
        }
    }
}
