package enum TFLitePadding: Int8, Sendable {
    case same, valid
}

package enum TFLiteActivation: Int8, Sendable {
    case none, relu, reluN1To1, relu6, tanh, signBit
}

/// The attributes of a builtin operator. Kinds that several operators share have one case; kinds without attributes,
/// and those of operators that are not imported, have none.
package enum TFLiteOptions: Sendable, Equatable {
    /// A window that is moved over an image. `depthMultiplier` is for depthwise convolution.
    package struct Window: Sendable, Equatable {
        package var padding = TFLitePadding.same
        package var strideY = 0
        package var strideX = 0
        package var dilationY = 1
        package var dilationX = 1
        package var depthMultiplier = 1
        package var activation = TFLiteActivation.none
    }

    case none
    case convolution(Window)
    case transposedConvolution(Window)
    case pool(Window, height: Int, width: Int)
    case fullyConnected(activation: TFLiteActivation, shuffledWeights: Bool, keepsDimensions: Bool)
    /// Of ADD, SUB, MUL, DIV and L2_NORMALIZATION.
    case arithmetic(activation: TFLiteActivation)
    case concatenation(axis: Int, activation: TFLiteActivation)
    case softmax(beta: Float)
    case resize(alignCorners: Bool, halfPixelCentres: Bool)
    /// Nil where the shape is an input.
    case reshape([Int]?)
    /// Of SPACE_TO_DEPTH and DEPTH_TO_SPACE.
    case block(Int)
    case gather(axis: Int, batchDimensions: Int)
    /// Of SUM, MEAN, REDUCE_MAX and the like.
    case reduce(keepsDimensions: Bool)
    case squeeze([Int])
    case split(count: Int)
    case stridedSlice(begin: Int, end: Int, ellipsis: Int, newAxis: Int, shrinkAxis: Int, endIsOffset: Bool)
    /// Of PACK and UNPACK.
    case pack(count: Int, axis: Int)
    case leakyRelu(alpha: Float)
    /// Without the edge (reflect) or with it (symmetric).
    case mirrorPad(symmetric: Bool)
    case matrixProduct(transposesFirst: Bool, transposesSecond: Bool)
    case gelu(approximate: Bool)
}

extension TFLiteOptions {
    /// Reads the options of an operator's table.
    init(_ operation: FlatTable) throws {
        let kind = try operation.integer(3, UInt8.self)
        guard let table = try operation.table(4) else {
            self = .none
            return
        }
        func int(_ field: Int, default value: Int32 = 0) throws -> Int {
            Int(try table.integer(field, Int32.self, default: value))
        }
        switch kind {
        case 1:
            var window = try Self.window(table, activation: 3)
            window.dilationX = try int(4, default: 1)
            window.dilationY = try int(5, default: 1)
            self = .convolution(window)
        case 2:
            var window = try Self.window(table, activation: 4)
            window.depthMultiplier = try int(3)
            window.dilationX = try int(5, default: 1)
            window.dilationY = try int(6, default: 1)
            self = .convolution(window)
        case 5: self = .pool(try Self.window(table, activation: 5), height: try int(4), width: try int(3))
        case 8:
            self = .fullyConnected(
                activation: try Self.activation(table, 0), shuffledWeights: try table.integer(1, Int8.self) != 0,
                keepsDimensions: try table.flag(2))
        case 9: self = .softmax(beta: try table.float(0))
        case 10: self = .concatenation(axis: try int(0), activation: try Self.activation(table, 1))
        case 11, 12, 21, 28, 29: self = .arithmetic(activation: try Self.activation(table, 0))
        case 15: self = .resize(alignCorners: try table.flag(2), halfPixelCentres: try table.flag(3))
        case 74: self = .resize(alignCorners: try table.flag(0), halfPixelCentres: try table.flag(1))
        case 17: self = .reshape(try table.integers(0, Int32.self))
        case 19, 94: self = .block(try int(0))
        case 23: self = .gather(axis: try int(0), batchDimensions: try int(1))
        case 27: self = .reduce(keepsDimensions: try table.flag(0))
        case 30: self = .squeeze(try table.integers(0, Int32.self) ?? [])
        case 32:
            self = .stridedSlice(
                begin: try int(0), end: try int(1), ellipsis: try int(2), newAxis: try int(3), shrinkAxis: try int(4),
                endIsOffset: try table.flag(5))
        case 35, 79: self = .split(count: try int(0))
        case 49: self = .transposedConvolution(try Self.window(table, activation: 3))
        case 59, 64: self = .pack(count: try int(0), axis: try int(1))
        case 75: self = .leakyRelu(alpha: try table.float(0))
        case 77: self = .mirrorPad(symmetric: try table.integer(0, Int8.self) == 1)
        case 101: self = .matrixProduct(transposesFirst: try table.flag(0), transposesSecond: try table.flag(1))
        case 116: self = .gelu(approximate: try table.flag(0))
        default: self = .none
        }
    }

    /// The first three fields are those of every kind of window.
    private static func window(_ table: FlatTable, activation: Int) throws -> Window {
        let code = try table.integer(0, Int8.self)
        guard let padding = TFLitePadding(rawValue: code) else {
            throw ModelError.unreadable("padding number \(code)")
        }
        var window = Window(padding: padding)
        window.strideX = Int(try table.integer(1, Int32.self))
        window.strideY = Int(try table.integer(2, Int32.self))
        window.activation = try Self.activation(table, activation)
        return window
    }

    private static func activation(_ table: FlatTable, _ field: Int) throws -> TFLiteActivation {
        let code = try table.integer(field, Int8.self)
        guard let activation = TFLiteActivation(rawValue: code) else {
            throw ModelError.unreadable("activation number \(code)")
        }
        return activation
    }
}
