import ModelTestSupport
import Foundation
import VisionInference
import VisionModels
import XCTest

/// The real networks of the store. `make test` installs them and sees to it that none of these tests is skipped.
final class InstalledModelTests: XCTestCase {
    private func url(_ name: String) throws -> URL {
        return try requireModel { try InstalledModels().url(for: name) }
    }

    func testInstalledModelsAreWhole() throws {
        for model in ModelCatalogue.models {
            _ = try url(model.id)
            XCTAssertNoThrow(try InstalledModels().verify(model.id), model.id)
            XCTAssertTrue(try InstalledModels().installed(model.id).isCurrent, model.id)
        }
    }

    /// Some of the logits that ONNX Runtime 1.31 gives for waves of different phase in the three colours.
    func testClassifiersGiveTheLogitsOfTheReference() throws {
        for (name, side, expected, best) in [
            (
                "efficientnet-lite0", 224,
                [-0.36867, 0.1277, -1.12355, -1.57778, -1.19947, -0.81031, -1.1332, -0.88988] as [Float], 905
            ),
            (
                "efficientnet-lite2", 260,
                [-0.72499, 0.11072, 0.17158, -1.43121, -1.12884, -0.08008, 1.4191, -1.28068], 905
            ),
        ] {
            let session = try Session(graph: try NetworkFile.graph(contentsOf: try url(name)))
            var pixels: [Float] = []
            for colour in 0..<3 {
                for y in 0..<side {
                    for x in 0..<side { pixels.append(Float(sin(0.1 * Double(x + 2 * y) + Double(colour)))) }
                }
            }
            let output = try session.run(["image": try Tensor(pixels, shape: [1, 3, side, side])])
            let logits = try XCTUnwrap(try XCTUnwrap(output["logits"]).values(as: Float.self))
            XCTAssertEqual(logits.count, 1000)
            for (index, value) in expected.enumerated() {
                XCTAssertEqual(logits[125 * index], value, accuracy: 1e-3, "\(name) \(125 * index)")
            }
            XCTAssertEqual(logits.indices.max { logits[$0] < logits[$1] }, best)
        }
    }

    func testEveryModelRunsAndGivesNumbers() throws {
        for model in ModelCatalogue.models {
            let session = try Session(graph: try NetworkFile.graph(contentsOf: try url(model.id)))
            var inputs: [String: Tensor] = [:]
            for port in session.inputs {
                // Networks for images of any size need some rows and columns.
                let shape = try XCTUnwrap(port.shape).enumerated().map { $1 ?? ($0 == 0 ? 1 : 64) }
                inputs[port.name] = try Tensor(
                    (0..<shape.elementCount).map { Float($0 % 97) / 97 }, shape: shape)
            }
            let outputs = try session.run(inputs)
            XCTAssertEqual(outputs.count, session.outputs.count, model.id)
            for (name, tensor) in outputs {
                let values = try XCTUnwrap(tensor.values(as: Float.self), name)
                XCTAssertTrue(values.allSatisfy(\.isFinite), "\(model.id) \(name)")
                XCTAssertGreaterThan(Set(values.prefix(10_000)).count, values.count > 1 ? 1 : 0, "\(model.id) \(name)")
            }
        }
    }
}
