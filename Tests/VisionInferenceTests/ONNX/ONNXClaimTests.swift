import Foundation
import XCTest

@testable import VisionInference

/// What `Documentation/Operators.md` says is so.
final class ONNXClaimTests: XCTestCase {
    func testDocumentationIsWhatTheTableSays() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Documentation/Operators.md"), encoding: .utf8)
        XCTAssertEqual(text, ONNXOperatorList.markdown, "run `make operators`")
    }

    private func types(_ claim: ONNXDefinition.Types) -> [ONNXDataType] {
        let floats: [ONNXDataType] = [.float, .double, .float16, .bfloat16]
        let integers: [ONNXDataType] = [.int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64]
        switch claim {
        case .any: return floats + integers + [.bool]
        case .numbers: return floats + integers
        case .floats: return floats
        case .float32: return [.float]
        case .integers: return integers
        case .truth: return [.bool]
        case .quantised: return [.int8, .uint8]
        }
    }

    /// One to four tensors of one type are enough to ask many operators whether they take that type.
    func testOperatorsTakeTheTypesThatTheyClaim() throws {
        let attributes: [String: KeyValuePairs<String, ONNXAttribute.Value>] = [
            "MaxPool": ["kernel_shape": [2, 2]], "AveragePool": ["kernel_shape": [2, 2]], "LRN": ["size": 1],
            "LpPool": ["kernel_shape": [2, 2]], "DepthToSpace": ["blocksize": 2], "SpaceToDepth": ["blocksize": 2],
            "Concat": ["axis": 0], "Cast": ["to": 1], "BitShift": ["direction": "LEFT"],
            "Upsample": ["scales": [1.0, 1, 2, 2]],
            "Einsum": ["equation": "abcd,abcd->ab"],
        ]
        // How many inputs of the same type an operator needs.
        let counts = [
            1: [
                "Abs", "Neg", "Sign", "Exp", "Log", "Sqrt", "Reciprocal", "Floor", "Ceil", "Round", "Erf", "Sin", "Cos",
                "Tan",
                "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Softsign", "IsNaN", "Not",
                "BitwiseNot", "IsInf", "Celu", "Selu", "ThresholdedRelu", "Shrink", "Relu", "Sigmoid", "LeakyRelu",
                "Elu",
                "HardSigmoid", "HardSwish", "Swish", "Softplus", "Mish", "Gelu", "Clip", "Cast", "Identity", "Dropout",
                "Shape", "Size", "Flatten", "Squeeze", "Transpose", "MaxPool", "AveragePool", "LpPool",
                "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "DepthToSpace", "SpaceToDepth", "ReduceSum",
                "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare",
                "ReduceLogSum", "ReduceLogSumExp", "ArgMax", "ArgMin", "Softmax", "LogSoftmax", "Hardmax", "LRN",
                "LpNormalization", "MeanVarianceNormalization", "NonZero", "Unique", "Trilu", "Upsample", "Det",
            ],
            2: [
                "Add", "Sub", "Mul", "Div", "Pow", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "And",
                "Or",
                "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mod", "BitShift", "Max", "Min", "Sum", "Mean", "PRelu",
                "CastLike", "Concat", "Conv", "ConvTranspose", "MatMul", "Einsum",
            ],
        ]
        for (count, names) in counts {
            for name in names {
                guard let definition = ONNXDefinition.all[name] else {
                    XCTFail("there is no \(name)")
                    continue
                }
                for type in types(definition.types) {
                    // Integers have a remainder but no fractional one.
                    var own = attributes[name] ?? [:]
                    if name == "Mod", [.float, .double, .float16, .bfloat16].contains(type) { own = ["fmod": 1] }
                    var builder = ONNXBuilder(opset: name == "Upsample" ? 8 : 22)
                    let inputs = (0..<count).map { builder.input("x\($0)", [1, 4, 4, 4], type) }
                    if name == "Conv" || name == "ConvTranspose" {
                        builder.model.graph.inputs[1].type = .tensor(type, shape: [4, 4, 1, 1])
                    }
                    builder.node(name, inputs, outputs: ["y"], own)
                    builder.output("y", nil, type)
                    do {
                        let graph = try ONNXImporter.graph(builder.data())
                        let session = try Session(graph: graph)
                        let tensors = try session.inputs.map { port -> (String, Tensor) in
                            (port.name, try Tensor(zeros: (port.shape ?? []).map { $0 ?? 1 }, of: port.type))
                        }
                        _ = try session.run(Dictionary(uniqueKeysWithValues: tensors))
                    } catch {
                        XCTFail("\(name) of \(type): \(error)")
                    }
                }
            }
        }
    }
}
