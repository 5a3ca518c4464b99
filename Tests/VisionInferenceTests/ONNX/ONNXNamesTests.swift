import XCTest

@testable import VisionInference

/// Names that do not tell values apart, and nodes that say nothing.
final class ONNXNamesTests: XCTestCase {
    private func refusal(_ build: (inout ONNXBuilder) throws -> Void) throws -> String {
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", [2])
        try build(&builder)
        var text = ""
        XCTAssertThrowsError(try ONNXImporter.graph(builder.data())) { error in
            let reason = (error as? ModelError)?.reason ?? ""
            XCTAssertEqual((error as? ModelError)?.kind, .invalid, "\(error)")
            text = reason
        }
        return text
    }

    func testTwoOutputsOfOneNameAreRefused() throws {
        let text = try refusal { builder in
            let y = builder.node("Relu", ["x"], output: "y")
            builder.output(y)
            builder.output(y)
        }
        XCTAssertEqual(text, "the output “y” is listed twice")
    }

    func testTwoNodesThatMakeOneValueAreRefused() throws {
        let text = try refusal { builder in
            builder.node("Relu", ["x"], name: "first", output: "y")
            builder.output(builder.node("Neg", ["x"], name: "second", output: "y"))
        }
        XCTAssertEqual(
            text, "node “second” makes the value “y”, which exists already: every value needs a name of its own")
        XCTAssertTrue(
            try refusal { builder in
                builder.node("Split", ["x"], outputs: ["y", "y"], name: "twice")
                builder.output("y")
            }.contains("“twice” makes the value “y”"))
    }

    func testANodeThatMakesAnInputOrAConstantIsRefused() throws {
        for name in ["x", "c"] {
            let text = try refusal { builder in
                try builder.initialiser("c", [2], [1, 2] as [Float])
                builder.output(builder.node("Relu", ["x"], output: name))
            }
            XCTAssertTrue(text.contains("makes the value “\(name)”, which exists already"), text)
        }
    }

    func testInputsAndConstantsThatAreThereTwiceAreRefused() throws {
        XCTAssertEqual(
            try refusal { builder in
                builder.input("x", [3])
                builder.output(builder.node("Relu", ["x"]))
            }, "there are two inputs “x”")
        XCTAssertEqual(
            try refusal { builder in
                for _ in 0..<2 { try builder.initialiser("c", [2], [1, 2] as [Float]) }
                builder.output(builder.node("Add", ["x", "c"]))
            }, "there are two constants “c”")
    }

    func testGraphsInsideOfNodesAndFunctionsAreCheckedToo() throws {
        var branch = ONNXBuilder(opset: 17)
        branch.node("Relu", ["x"], name: "a", output: "b")
        branch.output(branch.node("Neg", ["x"], name: "c", output: "b"))
        let graph = branch.model.graph
        let text = try refusal { builder in
            let condition = try builder.initialiser("yes", .bool, [], elements: [1 as UInt8])
            builder.output(
                builder.node("If", [condition], ["then_branch": .graph(graph), "else_branch": .graph(graph)]))
        }
        XCTAssertTrue(text.contains("node “c” makes the value “b”"), text)

        var function = ONNXFunction()
        function.name = "F"
        function.domain = "mine"
        function.inputs = ["p"]
        function.outputs = ["q"]
        function.nodes = graph.nodes
        function.opsets = ["": 17]
        XCTAssertTrue(
            try refusal { builder in
                builder.model.opsets["mine"] = 1
                builder.model.functions = [function]
                builder.output(builder.node("F", ["x"], domain: "mine"))
            }.contains("node “c” makes the value “b”"))
    }

    func testBranchesMayUseTheSameNamesAndInnerOutputsMayRepeat() throws {
        var branch = ONNXBuilder(opset: 17)
        let y = branch.node("Neg", ["x"], name: "a", output: "b")
        branch.output(y)
        branch.output(y)
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", [2])
        let condition = try builder.initialiser("yes", .bool, [], elements: [1 as UInt8])
        builder.node(
            "If", [condition], outputs: ["p", "q"],
            ["then_branch": .graph(branch.model.graph), "else_branch": .graph(branch.model.graph)])
        builder.output("p")
        builder.output("q")
        let outputs = try Session(graph: ONNXImporter.graph(builder.data())).run(["x": Tensor([1, -2] as [Float])])
        XCTAssertEqual(outputs["p"]?.floats, [-1, 2])
        XCTAssertEqual(outputs["q"]?.floats, [-1, 2])
    }

    func testOutputsThatNobodyWantsNeedNoName() throws {
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", [4])
        builder.node("Split", ["x"], outputs: ["", ""])
        builder.output(builder.node("Relu", ["x"]))
        XCTAssertNoThrow(try ONNXImporter.graph(builder.data()))
    }

    func testANodeWithoutAnOperatorIsNamed() throws {
        let named = try refusal { $0.output($0.node("", ["x"], name: "odd", output: "y")) }
        XCTAssertEqual(named, "node “odd” names no operator (its op_type is empty)")
        let unnamed = try refusal { $0.output($0.node("", ["x"], name: "", output: "y")) }
        XCTAssertEqual(unnamed, "node number 1, which makes “y”, names no operator (its op_type is empty)")
        XCTAssertEqual(
            try refusal { $0.node("", ["x"], outputs: [], name: "") },
            "node number 1 names no operator (its op_type is empty)")
    }

    func testTypesThatAreNotSupportedAreNotBlamedOnAnOperatorWithoutAName() throws {
        var builder = ONNXBuilder(opset: 17)
        builder.input("x", [2], .string)
        builder.output(builder.node("Relu", ["x"]))
        XCTAssertThrowsError(try ONNXImporter.graph(builder.data())) { error in
            XCTAssertEqual(
                (error as? ModelError)?.description,
                "The model is not supported: “x” has elements of type string.")
        }
    }
}
