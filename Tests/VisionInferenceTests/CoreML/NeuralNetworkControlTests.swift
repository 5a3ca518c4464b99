import ModelFixtures
import XCTest

@testable import VisionInference

/// Branches and loops of Core ML's neural networks.
final class NeuralNetworkControlTests: NeuralNetworkTestCase {
    private func network(_ layers: [ProtoValue]) -> ProtoValue { .message([1: .repeated(layers)]) }

    /// y = x · factor + summand (`activation`, linear).
    private func linear(_ from: String, _ to: String, _ factor: Float, _ summand: Float) -> ProtoValue {
        Builder.layer("linear", [from], [to], 130, [5: .message([1: .float(factor), 2: .float(summand)])])
    }

    private func copy(_ from: String, _ to: String) -> ProtoValue { Builder.layer("copy", [from], [to], 600) }

    /// 1 where a value is below a limit.
    private func less(_ name: String, _ limit: Float, _ result: String) -> ProtoValue {
        Builder.layer("less", [name], [result], 825, [2: .float(limit)])
    }

    private func branch(_ condition: String, _ yes: [ProtoValue], _ no: [ProtoValue] = []) -> ProtoValue {
        Builder.layer("branch", [condition], [], 605, [1: network(yes), 2: network(no)])
    }

    private func loop(
        _ body: [ProtoValue], limit: Int = 0, condition: (String, [ProtoValue])? = nil, input: String? = nil
    ) -> ProtoValue {
        var fields: [(Int, ProtoValue)] = [(1, .int(limit)), (4, network(body))]
        if let condition { fields += [(2, .string(condition.0)), (3, network(condition.1))] }
        let bytes = fields.flatMap { ProtoWriter.bytes([$0.0: $0.1]) }
        return Builder.layer("loop", input.map { [$0] } ?? [], [], 615).replacing(615, .bytes(bytes))
    }

    private func check(_ layers: [ProtoValue], _ cases: [(Float, Float)], line: UInt = #line) throws {
        for (input, expected) in cases { try assertRun(layers, [1], [input], exact: true, [1], [expected], line: line) }
    }

    func testABranchFollowsItsConditionInEveryRun() throws {
        let layers = [
            less("x", 3, "isSmall"), branch("isSmall", [linear("x", "y", 10, 0)], [linear("x", "y", 1, 100)]),
        ]
        try check(layers, [(2, 20), (4, 104), (1, 10)])
    }

    func testABranchMayLeaveAValueAsItWas() throws {
        let layers = [
            linear("x", "z", 1, 1), less("x", 3, "isSmall"),
            branch("isSmall", [linear("x", "w", 10, 0), copy("w", "z")]), copy("z", "y"),
        ]
        try check(layers, [(2, 20), (4, 5)])
        // Nothing makes y in one of the alternatives.
        let incomplete = [less("x", 3, "isSmall"), branch("isSmall", [linear("x", "y", 10, 0)])]
        try check(incomplete, [(2, 20)])
        XCTAssertThrowsError(try run(incomplete, [1], [4], exact: true)) { error in
            XCTAssertTrue("\(error)".contains("“y”"), "\(error)")
        }
    }

    func testALoopRunsAsOftenAsItSays() throws {
        let double = [linear("s", "t", 2, 0), copy("t", "s")]
        try check([copy("x", "s"), loop(double, limit: 5), copy("s", "y")], [(3, 96)])
        try check([copy("x", "s"), constant("n", [3]), loop(double, limit: 5, input: "n"), copy("s", "y")], [(3, 24)])
        // As often as the network's input says.
        try check([constant("s", [1]), loop(double, input: "x"), copy("s", "y")], [(3, 8), (0, 1), (-2, 1)])
    }

    func testALoopEndsWithItsCondition() throws {
        let double = [linear("s", "t", 2, 0), copy("t", "s")]
        let small = ("isSmall", [less("s", 50, "isSmall")])
        try check([copy("x", "s"), loop(double, condition: small), copy("s", "y")], [(3, 96), (60, 60), (1, 64)])
        try check([copy("x", "s"), loop(double, limit: 2, condition: small), copy("s", "y")], [(3, 12), (60, 60)])
    }

    func testLoopsAreLeftAndGoneOnWith() throws {
        let leave = branch("isLarge", [Builder.layer("break", [], [], 620)])
        let large = [linear("s", "t", 2, 0), copy("t", "s"), less("s", 20, "small"), linear("small", "isLarge", -1, 1)]
        try check([copy("x", "s"), loop(large + [leave], limit: 100), copy("s", "y")], [(3, 24), (40, 80)])
        // What follows is left out for values that have become large.
        let goOn = branch("isLarge", [Builder.layer("continue", [], [], 625)])
        let body = large + [goOn, linear("s", "t", 1, 1), copy("t", "s")]
        try check([copy("x", "s"), loop(body, limit: 3), copy("s", "y")], [(3, 30), (40, 320)])
    }

    func testLoopsWithinLoops() throws {
        let inner = loop([linear("s", "t", 1, 1), copy("t", "s")], limit: 3)
        try check(
            [copy("x", "s"), loop([inner, linear("s", "t", 2, 0), copy("t", "s")], limit: 2), copy("s", "y")], [(1, 22)]
        )
    }

    func testHostileControl() throws {
        // Endless, within itself too deeply, with layers that nobody knows, without a condition.
        let endless = loop([linear("s", "t", 1, 0), copy("t", "s")], condition: ("one", [constant("one", [1])]))
        XCTAssertThrowsError(try run([copy("x", "s"), endless, copy("s", "y")], [1], [1], exact: true))
        var deep = [linear("x", "y", 1, 0)]
        for _ in 0..<60 { deep = [branch("x", deep)] }
        XCTAssertThrowsError(try run(deep, [1], [1], exact: true))
        let unknown = branch("x", [Builder.layer("what", ["x"], ["y"], 500)])
        XCTAssertThrowsError(try run([unknown], [1], [1], exact: true)) { error in
            XCTAssertTrue("\(error)".contains("custom"), "\(error)")
        }
        XCTAssertThrowsError(try run([Builder.layer("b", [], ["y"], 605)], [1], [1], exact: true))
        XCTAssertThrowsError(try run([Builder.layer("break", [], [], 620), copy("x", "y")], [1], [1], exact: true))
    }
}

extension ProtoValue {
    /// A message with another value of one field.
    fileprivate func replacing(_ number: Int, _ value: ProtoValue) -> ProtoValue {
        guard case .message(let fields) = self else { return self }
        return .bytes(fields.flatMap { ProtoWriter.bytes([$0.key: $0.key == number ? value : $0.value]) })
    }
}
