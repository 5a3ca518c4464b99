import XCTest

@testable import VisionInference

final class ProfileTests: XCTestCase {
    /// Steps after the first reader may use the memory of an input, whose numbers are then no indices.
    func testEveryRunHasInputsOfZeros() throws {
        var graph = Graph()
        let indices = graph.addInput("x", .int64, [64])
        let table = graph.addValue("t", constant: try Tensor((0..<800).map { Float($0) + 0.5 }, shape: [100, 8]))
        var y = graph.add(Gather(axis: 0), [table, indices], name: "gather")
        for index in 0..<4 { y = graph.add(UnaryOperation(kind: .exp), [y], name: "exp\(index)") }
        graph.addOutput(y, name: "y", .float32)
        let session = try Session(graph: graph, options: .init(threads: 1))
        let profile = try session.profile(shapes: [[64]], runs: 4)
        XCTAssertEqual(profile.steps.count, 5)
        XCTAssertTrue(profile.steps.allSatisfy { $0.seconds.isFinite })
    }
}
