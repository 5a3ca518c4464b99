import Foundation

/// Reads the text of an ML program:
/// `program(1.0) [buildInfo = …] { func main<ios16>(tensor<fp32, [1, 3]> x) { … } -> (y); }`.
struct ProgramTextParser {
    private var tokens: ProgramTextTokens
    /// Brackets within brackets.
    private static let deepest = 32
    /// Numbers, texts and names: large tensors are in a file of their own.
    private static let mostValues = 1 << 23
    private var values = 0

    init(_ tokens: ProgramTextTokens) { self.tokens = tokens }

    mutating func program() throws -> [ProgramText.Function] {
        try tokens.expect(word: "program")
        try skipBracketed()
        if tokens.next == .mark(UInt8(ascii: "[")) { try skipBracketed() }
        try tokens.expect("{")
        var functions: [ProgramText.Function] = []
        while try !tokens.takes("}") { functions.append(try function()) }
        return functions
    }

    private mutating func function() throws -> ProgramText.Function {
        try tokens.expect(word: "func")
        let name = try tokens.word()
        var opset = "CoreML"
        if try tokens.takes("<") {
            opset = try tokens.word()
            try tokens.expect(">")
        }
        try tokens.expect("(")
        var inputs: [(name: String, type: ProgramTextType)] = []
        while try !tokens.takes(")") {
            let type = try type()
            inputs.append((try tokens.word(), type))
            _ = try tokens.takes(",")
        }
        if tokens.next == .mark(UInt8(ascii: "[")) { try skipBracketed() }
        try tokens.expect("{")
        var block = ProtobufWriter()
        var types: [String: ProgramTextType] = [:]
        while try !tokens.takes("}") { block.append(3, try operation(&types)) }
        try tokens.expect("-")
        try tokens.expect("(")
        var outputs: [(name: String, type: ProgramTextType?)] = []
        while try !tokens.takes(")") {
            let output = try tokens.word()
            outputs.append((output, types[output]))
            block.string(2, output)
            _ = try tokens.takes(",")
        }
        _ = try tokens.takes(";")
        var message = ProtobufWriter()
        for input in inputs { message.append(1, named(input.name, input.type)) }
        message.string(2, opset)
        message.message(3) { entry in
            entry.string(1, opset)
            entry.append(2, block)
        }
        return ProgramText.Function(name: name, message: message, inputs: inputs, outputs: outputs)
    }

    private func named(_ name: String, _ type: ProgramTextType) -> ProtobufWriter {
        var writer = ProtobufWriter()
        writer.string(1, name)
        writer.message(2) { type.write(to: &$0) }
        return writer
    }

    // MARK: Operations

    /// `tensor<fp32, [2]> y = add(x = a, y = b)[name = string("y")];`
    private mutating func operation(_ types: inout [String: ProgramTextType]) throws -> ProtobufWriter {
        var results: [(name: String, type: ProgramTextType)] = []
        let isBracketed = try tokens.takes("(")
        // What gives nothing begins with the operation's name.
        while case .word(let word) = tokens.next, ProgramTextType.isType(word) {
            let type = try type()
            results.append((try tokens.word(), type))
            if try !tokens.takes(",") { break }
        }
        if isBracketed { try tokens.expect(")") }
        if !results.isEmpty { try tokens.expect("=") }
        for result in results { types[result.name] = result.type }
        let name = try tokens.word()
        let arguments = try pairs("(", ")")
        let attributes = tokens.next == .mark(UInt8(ascii: "[")) ? try pairs("[", "]") : []
        guard try tokens.takes(";") else {
            throw ModelError.unsupported(
                "blocks in the text of a program are not read. Open the .mlpackage that it was made of",
                operation: name, node: results.first?.name ?? "")
        }
        var writer = ProtobufWriter()
        // Some are written with the operator set that they are of: ios16.add.
        writer.string(1, name.split(separator: ".").last.map(String.init) ?? name)
        for (key, value) in arguments {
            var argument = ProtobufWriter()
            for binding in try bindings(value) { argument.append(1, binding) }
            writer.message(2) { entry in
                entry.string(1, key)
                entry.append(2, argument)
            }
        }
        for result in results { writer.append(3, named(result.name, result.type)) }
        for (key, value) in attributes {
            guard case .value(let type, let literal) = value, type.hasElements else { continue }
            var inner = ProtobufWriter()
            try literal.write(type, to: &inner)
            writer.message(5) { entry in
                entry.string(1, key)
                entry.append(2, inner)
            }
        }
        return writer
    }

    /// What an argument is bound to: one value, or those of a tuple.
    private func bindings(_ argument: ProgramTextLiteral) throws -> [ProtobufWriter] {
        switch argument {
        case .name(let name):
            var writer = ProtobufWriter()
            writer.string(1, name)
            return [writer]
        case .value(let type, let literal):
            var (writer, value) = (ProtobufWriter(), ProtobufWriter())
            try literal.write(type, to: &value)
            writer.append(2, value)
            return [writer]
        case .list(let values): return try values.flatMap { try bindings($0) }
        default: throw ModelError.damaged("an argument without a type")
        }
    }

    /// `(key = value, …)`.
    private mutating func pairs(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar
    ) throws -> [(String, ProgramTextLiteral)] {
        try tokens.expect(open)
        var pairs: [(String, ProgramTextLiteral)] = []
        while try !tokens.takes(close) {
            let key = try tokens.word()
            try tokens.expect("=")
            pairs.append((key, try value(depth: 0)))
            _ = try tokens.takes(",")
        }
        return pairs
    }

    // MARK: Types and values

    private mutating func type(depth: Int = 0) throws -> ProgramTextType {
        guard depth <= Self.deepest else { throw ModelError.damaged("types within \(Self.deepest) others") }
        let word = try tokens.word()
        if let element = ProgramTextType.elements[word] { return .tensor(element: element, shape: []) }
        try tokens.expect("<")
        let result: ProgramTextType
        switch word {
        case "tensor":
            let element = try tokens.word()
            guard let number = ProgramTextType.elements[element] else {
                throw ModelError.unsupported("elements of type “\(element)”")
            }
            try tokens.expect(",")
            result = .tensor(element: number, shape: try shape())
        case "list":
            let inner = try type(depth: depth + 1)
            result = .list(inner, length: try tokens.takes(",") ? try size() : nil)
        case "dict":
            let key = try type(depth: depth + 1)
            try tokens.expect(",")
            result = .dictionary(key: key, value: try type(depth: depth + 1))
        case "state": result = .state(try type(depth: depth + 1))
        case "tuple":
            while tokens.next != .mark(UInt8(ascii: ">")) {
                _ = try type(depth: depth + 1)
                _ = try tokens.takes(",")
            }
            result = .tuple
        default: throw ModelError.unsupported("values of type “\(word)”")
        }
        try tokens.expect(">")
        return result
    }

    private mutating func shape() throws -> [Int?] {
        try tokens.expect("[")
        var sizes: [Int?] = []
        while try !tokens.takes("]") {
            sizes.append(try size())
            _ = try tokens.takes(",")
            guard sizes.count <= ModelLimits.rank else {
                throw ModelError.damaged("a tensor of over \(sizes.count) axes")
            }
        }
        return sizes
    }

    /// nil for a size that is open: `?`, or a name.
    private mutating func size() throws -> Int? {
        switch try tokens.take() {
        case .mark(UInt8(ascii: "?")), .word: return nil
        case .number(let text):
            guard let size = Int(text), (0...Int(Int32.max)).contains(size) else {
                throw ModelError.damaged("the size “\(text)”")
            }
            return size
        default: throw tokens.unexpected("a size")
        }
    }

    /// A name, a value with its type, one of a list or dictionary, or several in brackets.
    private mutating func value(depth: Int) throws -> ProgramTextLiteral {
        guard depth <= Self.deepest else { throw ModelError.damaged("brackets within \(Self.deepest) others") }
        values += 1
        guard values <= Self.mostValues else {
            throw ModelError.tooLarge("over \(Self.mostValues) values in the text of a program")
        }
        switch tokens.next {
        case .word(let word) where ProgramTextType.isType(word):
            let type = try type()
            try tokens.expect("(")
            // A list's values may stand in it without brackets of their own.
            var values: [ProgramTextLiteral] = []
            while try !tokens.takes(")") {
                values.append(try value(depth: depth + 1))
                _ = try tokens.takes(",")
            }
            return .value(type, values.count == 1 ? values[0] : .list(values))
        case .word("BLOBFILE"):
            _ = try tokens.take()
            return try file(depth: depth)
        case .word(let word):
            _ = try tokens.take()
            switch word {
            case "true": return .integer(1)
            case "false": return .integer(0)
            case "inf", "infinity": return .number(.infinity)
            case "nan": return .number(.nan)
            default: return .name(word)
            }
        case .number(let text):
            _ = try tokens.take()
            if let integer = Int64(text) { return .integer(integer) }
            guard let number = Double(text) else { throw ModelError.damaged("the number “\(text.prefix(40))”") }
            return .number(number)
        case .text(let text):
            _ = try tokens.take()
            return .text(text)
        case .mark(let mark) where "([{".utf8.contains(mark):
            _ = try tokens.take()
            let close: Unicode.Scalar = mark == UInt8(ascii: "(") ? ")" : mark == UInt8(ascii: "[") ? "]" : "}"
            var values: [ProgramTextLiteral] = []
            while try !tokens.takes(close) {
                values.append(try value(depth: depth + 1))
                _ = try tokens.takes(",")
            }
            return .list(values)
        default: throw tokens.unexpected("a value")
        }
    }

    /// `(path = string("@model_path/weights/weight.bin"), offset = uint64(64))`.
    private mutating func file(depth: Int) throws -> ProgramTextLiteral {
        let fields = Dictionary(try pairs("(", ")")) { first, _ in first }
        guard case .value(_, .text(let path))? = fields["path"],
            case .value(_, .integer(let offset))? = fields["offset"], offset >= 0
        else { throw ModelError.damaged("a file without a path and an offset") }
        return .file(path: path, offset: Int(offset))
    }

    /// Leaves out what stands in brackets, those within them included.
    private mutating func skipBracketed() throws {
        var depth = 0
        repeat {
            switch try tokens.take() {
            case .mark(let mark) where "([{".utf8.contains(mark): depth += 1
            case .mark(let mark) where ")]}".utf8.contains(mark): depth -= 1
            case .end: throw tokens.unexpected("a closing bracket")
            default: if depth == 0 { throw tokens.unexpected("an opening bracket") }
            }
        } while depth > 0
    }
}
