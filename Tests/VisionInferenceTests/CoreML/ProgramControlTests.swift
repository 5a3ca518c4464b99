import ModelFixtures
import XCTest

@testable import VisionInference

/// Conditions and loops of ML programs.
final class ProgramControlTests: ProgramTestCase {
    private func block(_ inputs: [String], _ operations: [ProtoValue], _ outputs: [String]) -> ProtoValue {
        .message([
            1: .repeated(inputs.map { .message([1: .string($0), 2: Self.type([])]) }),
            2: .repeated(outputs.map { .string($0) }), 3: .repeated(operations),
        ])
    }

    private func binary(_ type: String, _ x: String, _ y: Float, _ result: String) -> ProtoValue {
        Self.operation(type, [("x", Self.name(x)), ("y", Self.stated(Self.float(y)))], [result])
    }

    private func control(
        _ type: String, _ argument: String, _ values: [String], _ blocks: [ProtoValue], _ outputs: [String]
    ) -> ProtoValue {
        let bindings: ProtoValue = .message([1: .repeated(values.map { .message([1: .string($0)]) })])
        return .message([
            1: .string(type), 2: .repeated([Self.entry(argument, bindings)]),
            3: .repeated(outputs.map { .message([1: .string($0), 2: Self.type([])]) }), 4: .repeated(blocks),
        ])
    }

    private func check(_ operations: [ProtoValue], _ cases: [(Float, Float)], line: UInt = #line) throws {
        for (input, expected) in cases {
            let result = try run(operations, [input], [])
            XCTAssertEqual(result.shape, [], line: line)
            XCTAssertEqual(result.values, [expected], line: line)
        }
    }

    func testConditions() throws {
        let operations = [
            binary("less", "x", 3, "small"),
            control(
                "cond", "pred", ["small"],
                [block([], [binary("mul", "x", 10, "a")], ["a"]), block([], [binary("add", "x", 100, "b")], ["b"])],
                ["y"]),
        ]
        try check(operations, [(2, 20), (4, 104)])
    }

    func testLoops() throws {
        // y doubles while it is below 50, and n counts.
        let condition = block(["v", "n"], [binary("less", "v", 50, "goesOn")], ["goesOn"])
        let body = block(["v1", "n1"], [binary("mul", "v1", 2, "v2"), binary("add", "n1", 1, "n2")], ["v2", "n2"])
        func operations(_ outputs: [String]) -> [ProtoValue] {
            [
                binary("mul", "x", 0, "zero"),
                control("while_loop", "loop_vars", ["x", "zero"], [condition, body], outputs),
            ]
        }
        try check(operations(["y", "n"]), [(3, 96), (60, 60), (1, 64)])
        try check(operations(["v", "y"]), [(3, 5), (60, 0)])
    }

    func testConditionsWithinLoops() throws {
        let condition = block(["v"], [binary("less", "v", 50, "goesOn")], ["goesOn"])
        let choice = control(
            "cond", "pred", ["small"],
            [block([], [binary("mul", "v1", 3, "a")], ["a"]), block([], [binary("add", "v1", 1, "b")], ["b"])], ["v2"])
        let body = block(["v1"], [binary("less", "v1", 10, "small"), choice], ["v2"])
        try check(
            [control("while_loop", "loop_vars", ["x"], [condition, body], ["y"])], [(2, 50), (20, 50), (70, 70)])
    }

    /// What converters make of TensorFlow's recurrent networks.
    func testLoopsThatFillLists() throws {
        func bound(_ names: [String]) -> ProtoValue {
            .message([1: .repeated(names.map { .message([1: .string($0)]) })])
        }
        func list(_ shape: ProtoValue) -> ProtoValue {
            Self.operation(
                "make_list",
                [
                    ("init_length", Self.stated(Self.int(2))), ("dynamic_length", Self.stated(Self.truth(true))),
                    ("elem_shape", .message([1: .message([2: shape])])), ("dtype", Self.stated(Self.text("fp32"))),
                ], ["empty"])
        }
        let condition = block(["l", "n"], [binary("less", "n", 5, "goesOn")], ["goesOn"])
        let body = block(
            ["l1", "n1"],
            [
                binary("mul", "n1", 10, "v"),
                Self.operation("expand_dims", [("x", Self.name("v")), ("axes", Self.stated(Self.ints([0])))], ["e"]),
                Self.operation(
                    "list_write", [("ls", Self.name("l1")), ("index", Self.name("n1")), ("value", Self.name("e"))],
                    ["l2"]), binary("add", "n1", 1, "n2"),
            ], ["l2", "n2"])
        func operations(_ shape: ProtoValue, _ last: ProtoValue) -> [ProtoValue] {
            [
                binary("mul", "x", 0, "zero"), list(shape),
                control("while_loop", "loop_vars", ["empty", "zero"], [condition, body], ["full", "count"]), last,
            ]
        }
        let gathered = Self.operation(
            "list_gather", [("ls", Self.name("full")), ("indices", Self.stated(Self.ints([4, 0, 1])))], ["y"])
        for shape in [Self.int(1), Self.text("is0")] {
            let result = try run(operations(shape, gathered), [7], [])
            XCTAssertEqual(result.shape, [3, 1])
            XCTAssertEqual(result.values, [40, 0, 10])
        }
        let read = Self.operation("list_read", [("ls", Self.name("full")), ("index", Self.stated(Self.int(3)))], ["y"])
        XCTAssertEqual(try run(operations(Self.int(1), read), [7], []).values, [30])
        let length = Self.operation("list_length", [("ls", Self.name("full"))], ["y"])
        XCTAssertEqual(try run(operations(Self.int(1), length), [7], []).values, [5])
        let written = Self.operation(
            "list_scatter",
            [
                ("ls", Self.name("full")), ("indices", Self.stated(Self.ints([1, 6]))),
                ("value", Self.stated(Self.floats([5, 6], [2, 1]))),
            ], ["y"])
        XCTAssertEqual(try run(operations(Self.int(1), written), [7], []).values, [0, 5, 20, 30, 40, 0, 6])
    }

    func testHostileControl() throws {
        let always = block(["v"], [binary("less", "v", .infinity, "goesOn")], ["goesOn"])
        let same = block(["v1"], [binary("mul", "v1", 1, "v2")], ["v2"])
        XCTAssertThrowsError(
            try run([control("while_loop", "loop_vars", ["x"], [always, same], ["y"])], [1], []))
        XCTAssertThrowsError(try run([control("while_loop", "loop_vars", ["x"], [always], ["y"])], [1], []))
        let wrong = block(["v1", "w"], [], ["v1"])
        XCTAssertThrowsError(
            try run([control("while_loop", "loop_vars", ["x"], [always, wrong], ["y"])], [1], []))
        let unknown = block([], [Self.operation("what", [("x", Self.name("x"))], ["a"])], ["a"])
        XCTAssertThrowsError(
            try run([control("cond", "pred", ["x"], [unknown, unknown], ["y"])], [1], [])
        ) { error in
            XCTAssertTrue("\(error)".contains("what"), "\(error)")
        }
    }
}
