/// A TensorFlow Lite file as it is stored: tables with numbers that refer to each other. Weights stay in the file; the
/// model knows where they lie.
///
/// Every index is checked once, here: operators refer to tensors and operator codes that exist, tensors to buffers that
/// exist.
package struct TFLiteModel: Sendable {
    package let description: String
    package let operatorCodes: [TFLiteOperatorCode]
    package let subgraphs: [TFLiteSubgraph]
    /// The bytes of each buffer, as ranges of the file; nil for a buffer without data. The first one is always empty.
    package let buffers: [Range<Int>?]
    package let metadata: [TFLiteMetadata]

    /// - Throws: `ModelError.damaged` and, for another version of the format or data in other files, `.unreadable`.
    package init(_ bytes: UnsafeRawBufferPointer) throws {
        let root = try FlatBuffer(bytes).root(identifier: "TFL3")
        let version = try root.integer(0, UInt32.self)
        guard version == 3 else { throw ModelError.unreadable("version \(version) of the format, not 3") }
        description = try root.string(3) ?? ""
        operatorCodes = try root.tables(1).map { try TFLiteOperatorCode($0) }
        buffers = try root.tables(4).map { try Self.buffer($0) }
        let limits = TFLiteLimits(operatorCodes: operatorCodes.count, buffers: buffers.count)
        subgraphs = try root.tables(2).map { try TFLiteSubgraph($0, limits: limits) }
        guard !subgraphs.isEmpty else { throw ModelError.damaged("it has no subgraph") }
        metadata = try root.tables(6).map { table in
            TFLiteMetadata(
                name: try table.string(0) ?? "",
                buffer: try limits.buffer(table.integer(1, UInt32.self), at: table.position))
        }
    }

    private static func buffer(_ table: FlatTable) throws -> Range<Int>? {
        // Files beyond 2 GiB keep data behind the tables and say where; 1 stands for an offset not yet known.
        let offset = try table.integer(1, UInt64.self)
        guard offset > 1 else { return try table.range(0).flatMap { $0.isEmpty ? nil : $0 } }
        let size = try table.integer(2, UInt64.self)
        let count = UInt64(table.buffer.bytes.count)
        guard offset <= count, size <= count - offset else {
            throw ModelError.damaged("a buffer leads beyond its end", at: table.position)
        }
        return size == 0 ? nil : Int(offset)..<Int(offset + size)
    }
}

/// A block of bytes with a name: what a model says about itself.
package struct TFLiteMetadata: Sendable {
    package let name: String
    package let buffer: Int
}

package struct TFLiteOperatorCode: Sendable {
    /// Nil for a custom operator and for a number that has no name here.
    package let builtin: TFLiteBuiltin?
    /// What an error calls the operator: its name in TensorFlow Lite.
    package let name: String
    package let isCustom: Bool
    package let version: Int

    init(_ table: FlatTable) throws {
        // Codes beyond 127 have a field of their own; older files have only the first.
        let code = max(Int32(try table.integer(0, Int8.self)), try table.integer(3, Int32.self))
        let builtin = TFLiteBuiltin(code: Int(code))
        isCustom = builtin == .custom
        self.builtin = isCustom ? nil : builtin
        name = isCustom ? try table.string(1) ?? "" : builtin?.name ?? "number \(code)"
        version = Int(try table.integer(2, Int32.self, default: 1))
    }
}

package struct TFLiteSubgraph: Sendable {
    package let name: String
    package let tensors: [TFLiteTensor]
    package let inputs: [Int]
    package let outputs: [Int]
    /// In the order in which they run.
    package let operators: [TFLiteOperator]

    init(_ table: FlatTable, limits: TFLiteLimits) throws {
        name = try table.string(4) ?? ""
        let tensors = try table.tables(0).map { try TFLiteTensor($0, limits: limits) }
        self.tensors = tensors
        func indices(_ table: FlatTable, _ field: Int, optional: Bool) throws -> [Int] {
            let indices = try table.integers(field, Int32.self) ?? []
            guard indices.allSatisfy({ $0 < tensors.count && $0 >= (optional ? -1 : 0) }) else {
                throw ModelError.damaged("it refers to a tensor that it does not have", at: table.position)
            }
            return indices
        }
        inputs = try indices(table, 1, optional: false)
        outputs = try indices(table, 2, optional: false)
        operators = try table.tables(3).map { table in
            let code = Int(try table.integer(0, UInt32.self))
            guard code < limits.operatorCodes else {
                throw ModelError.damaged("it refers to an operator code that it does not have", at: table.position)
            }
            return TFLiteOperator(
                code: code,
                inputs: try indices(table, 1, optional: true).map { $0 < 0 ? nil : $0 },
                outputs: try indices(table, 2, optional: false),
                options: try TFLiteOptions(table),
                customOptions: try Self.customOptions(table))
        }
    }

    private static func customOptions(_ table: FlatTable) throws -> Range<Int>? {
        let offset = try table.integer(9, UInt64.self)
        guard offset > 1 else { return try table.range(5) }
        let size = try table.integer(10, UInt64.self)
        let count = UInt64(table.buffer.bytes.count)
        guard offset <= count, size <= count - offset else {
            throw ModelError.damaged("an operator's options lead beyond its end", at: table.position)
        }
        return Int(offset)..<Int(offset + size)
    }
}

package struct TFLiteOperator: Sendable {
    /// An index into the model's operator codes.
    package let code: Int
    /// Indices of tensors; nil where an optional input is left out.
    package let inputs: [Int?]
    package let outputs: [Int]
    package let options: TFLiteOptions
    /// Where in the file a custom operator's options lie.
    package let customOptions: Range<Int>?
}

/// How many things there are to refer to.
struct TFLiteLimits {
    let operatorCodes: Int
    let buffers: Int

    func buffer(_ index: UInt32, at position: Int) throws -> Int {
        guard Int(index) < buffers else {
            throw ModelError.damaged("it refers to buffer \(index), which it does not have", at: position)
        }
        return Int(index)
    }
}
