/// What a Core ML file says of its inputs and outputs, and of itself.
package struct CoreMLDescription: Sendable {
    package var inputs: [CoreMLFeature] = []
    package var outputs: [CoreMLFeature] = []
    /// Values that a program keeps from one prediction to the next.
    package var states: [CoreMLFeature] = []
    package var predictedFeatureName = ""
    package var predictedProbabilitiesName = ""
    package var shortDescription = ""
    package var versionString = ""
    package var author = ""
    package var license = ""
    package var userDefined: [String: String] = [:]
    /// The function of a program with several that is described here; empty where there is one.
    package var functionName = ""

    /// - Parameter message: `ModelDescription`.
    init(_ message: ProtobufMessage?) throws {
        guard let message else { return }
        // A program with several functions describes each; what Core ML runs unless told otherwise is the default one.
        var described = message
        var (output, predicted, probabilities, state) = (10, 11, 12, 13)
        let functions = try message.messages(20)
        if !functions.isEmpty {
            functionName = try message.string(21)
            guard let function = try functions.first(where: { try $0.string(1) == functionName }) ?? functions.first
            else { return }
            functionName = try function.string(1)
            described = function
            (output, predicted, probabilities, state) = (3, 4, 5, 6)
            inputs = try Self.features(function.messages(2))
        } else {
            inputs = try Self.features(message.messages(1))
        }
        outputs = try Self.features(described.messages(output))
        states = try Self.features(described.messages(state))
        predictedFeatureName = try described.string(predicted)
        predictedProbabilitiesName = try described.string(probabilities)
        if let metadata = try message.message(100) {
            shortDescription = try metadata.string(1)
            versionString = try metadata.string(2)
            author = try metadata.string(3)
            license = try metadata.string(4)
            for entry in try metadata.messages(100) { userDefined[try entry.string(1)] = try entry.string(2) }
        }
    }

    private static func features(_ messages: [ProtobufMessage]) throws -> [CoreMLFeature] {
        let features = try messages.map { try CoreMLFeature($0) }
        guard Set(features.map(\.name)).count == features.count else {
            throw ModelError.invalid("two inputs or outputs have the same name")
        }
        return features
    }
}

/// An input or output (FeatureTypes.proto).
package struct CoreMLFeature: Sendable {
    package enum Kind: Sendable {
        case int64, double, string
        case image(CoreMLImageType)
        case array(CoreMLArrayType)
        case dictionary(stringKeys: Bool)
        case sequence(ofStrings: Bool)
        case state
    }

    package var name: String
    package var shortDescription: String
    package var kind: Kind
    package var isOptional: Bool

    init(_ message: ProtobufMessage) throws {
        name = try message.string(1)
        shortDescription = try message.string(2)
        guard let type = try message.message(3), let number = type.first(in: 1...8) else {
            throw ModelError.damaged("“\(name)” has no type")
        }
        isOptional = try type.bool(1000)
        let inner = try type.message(number)
        switch number {
        case 1: kind = .int64
        case 2: kind = .double
        case 3: kind = .string
        case 4:
            guard let inner else { throw ModelError.damaged("“\(name)” has no size") }
            kind = .image(try CoreMLImageType(inner, name: name))
        case 5:
            guard let inner else { throw ModelError.damaged("“\(name)” has no shape") }
            kind = .array(try CoreMLArrayType(inner, name: name))
        case 6: kind = .dictionary(stringKeys: inner?.has(2) ?? true)
        case 7: kind = .sequence(ofStrings: inner?.has(3) ?? true)
        default: kind = .state
        }
    }
}

/// An image of a described size.
package struct CoreMLImageType: Sendable {
    package enum Colours: Int, Sendable {
        case grey = 10, rgb = 20, bgr = 30, greyHalf = 40
    }

    package var width: Int
    package var height: Int
    package var colours: Colours
    package var enumerated: [(width: Int, height: Int)] = []
    package var widths: CoreMLSizeRange?
    package var heights: CoreMLSizeRange?

    package var channels: Int { colours == .grey || colours == .greyHalf ? 1 : 3 }
    package var hasOpenWidth: Bool { widths?.isOpen ?? enumerated.contains { $0.width != width } }
    package var hasOpenHeight: Bool { heights?.isOpen ?? enumerated.contains { $0.height != height } }

    init(_ message: ProtobufMessage, name: String) throws {
        width = try message.int(1)
        height = try message.int(2)
        let number = try message.int(3)
        guard let colours = Colours(rawValue: number) else {
            throw ModelError.invalid("the image “\(name)” has the colour space \(number)")
        }
        self.colours = colours
        if let sizes = try message.message(21) {
            enumerated = try sizes.messages(1).map { (width: try $0.int(1), height: try $0.int(2)) }
        }
        if let range = try message.message(31) {
            widths = try range.message(1).map { try CoreMLSizeRange($0) }
            heights = try range.message(2).map { try CoreMLSizeRange($0) }
        }
        // A file may state sizes in the list only.
        if width == 0, height == 0, let first = enumerated.first { (width, height) = first }
        let sides = [width, height] + enumerated.flatMap { [$0.width, $0.height] }
        guard sides.allSatisfy({ (0...1 << 16).contains($0) }) else {
            throw ModelError.invalid("the image “\(name)” has a side of \(sides.max() ?? 0) pixels")
        }
    }
}

/// An array of a described shape.
package struct CoreMLArrayType: Sendable {
    package var shape: [Int]
    package var type: ElementType
    package var enumerated: [[Int]] = []
    package var ranges: [CoreMLSizeRange] = []
    /// Of an optional input that is left out.
    package var defaultValue: Double?

    /// The shape with nil for what is left open.
    package var openShape: [Int?] {
        if !ranges.isEmpty {
            return ranges.enumerated().map { index, range in
                range.isOpen ? nil : index < shape.count ? shape[index] : range.lower
            }
        }
        return shape.indices.map { axis in
            enumerated.contains { $0.count == shape.count && $0[axis] != shape[axis] } ? nil : shape[axis]
        }
    }

    init(_ message: ProtobufMessage, name: String) throws {
        shape = try message.ints(1)
        let number = try message.int(2)
        switch number {
        case 65568: type = .float32
        case 65600: type = .float64
        case 131104: type = .int32
        case 131080: type = .int8
        case 65552: type = .float16
        case 0: type = .float32
        default: throw ModelError.invalid("the array “\(name)” has elements of type \(number)")
        }
        if let shapes = try message.message(21) { enumerated = try shapes.messages(1).map { try $0.ints(1) } }
        if let range = try message.message(31) { ranges = try range.messages(1).map { try CoreMLSizeRange($0) } }
        if shape.isEmpty, let first = enumerated.first { shape = first }
        if shape.isEmpty { shape = ranges.map { max($0.lower, 1) } }
        if message.has(41) { defaultValue = Double(try message.int(41)) }
        if message.has(51) { defaultValue = Double(try message.float(51)) }
        if message.has(61) { defaultValue = try message.double(61) }
        for shape in [shape] + enumerated {
            guard shape.count <= ModelLimits.rank, shape.allSatisfy({ (0...Int(Int32.max)).contains($0) }) else {
                throw ModelError.invalid("the array “\(name)” has the shape \(shape)")
            }
        }
        guard ranges.isEmpty || ranges.count == shape.count, enumerated.allSatisfy({ $0.count == shape.count }) else {
            throw ModelError.invalid("the array “\(name)” has shapes with different numbers of axes")
        }
    }
}

/// The sizes that an axis may have; nil: no upper bound.
package struct CoreMLSizeRange: Sendable {
    package var lower: Int
    package var upper: Int?

    package var isOpen: Bool { upper != lower }

    init(_ message: ProtobufMessage) throws {
        let (lower, upper) = (try message.int(1), try message.int(2))
        guard (0...Int(Int32.max)).contains(lower), upper < 0 || upper >= lower else {
            throw ModelError.invalid("a range of sizes from \(lower) to \(upper)")
        }
        self.lower = lower
        self.upper = upper < 0 ? nil : min(upper, Int(Int32.max))
    }
}
