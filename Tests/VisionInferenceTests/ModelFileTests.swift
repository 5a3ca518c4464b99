import Foundation
import ModelTestSupport
import XCTest

@testable import VisionInference

/// How model files are opened: nothing waits, nothing depends on what becomes of the file later.
final class ModelFileTests: XCTestCase {
    /// y = x + w, with w of so many elements, all 3.
    private func sum(count: Int) throws -> Data {
        var builder = ONNXBuilder(opset: 17)
        let x = builder.input("x", [1])
        let w = try builder.initialiser("w", [count], [Float](repeating: 3, count: count))
        builder.output(builder.node("Add", [x, w], output: "y"), [.fixed(count)])
        return builder.data()
    }

    func testAModelWhoseFileIsShortenedAfterwardsStillRuns() throws {
        let folder = try TemporaryFolder()
        let count = 100_000
        let url = try folder.write(sum(count: count), "sum.onnx")
        let bytes = try ModelBytes(contentsOf: url)
        let graph = try NetworkFile.graph(contentsOf: url)
        // A mapping would end the process from here on.
        XCTAssertEqual(truncate(url.path, 0), 0)
        XCTAssertEqual(bytes.withBytes { Data($0) }, try sum(count: count))
        let outputs = try Session(graph: graph).run(["x": Tensor([1] as [Float])])
        XCTAssertEqual(outputs["y"]?.floats, [Float](repeating: 4, count: count))
    }

    func testPipesAreRefused() throws {
        let folder = try TemporaryFolder()
        let pipe = try NamedPipe(at: folder.url.appendingPathComponent("model.onnx"))
        let url = pipe.url
        let opened: [@Sendable () throws -> Void] = [
            { _ = try ModelBytes(contentsOf: url) }, { _ = try NetworkFile.graph(contentsOf: url) },
            { _ = try ONNXModel(contentsOf: url) }, { _ = try NetworkFile(contentsOf: url) },
        ]
        for open in opened {
            XCTAssertEqual(
                pipe.error(of: open) as? ModelError, .unreadable("\(url.path) is not a regular file but a named pipe"))
        }
    }

    func testFoldersAndEmptyFilesAreRefused() throws {
        let folder = try TemporaryFolder()
        for url in [folder.url, try folder.write(Data(), "empty.onnx"), folder.url.appendingPathComponent("none")] {
            XCTAssertThrowsError(try NetworkFile.graph(contentsOf: url)) {
                guard ($0 as? ModelError)?.kind == .unreadable else { return XCTFail("\($0)") }
            }
        }
    }
}
