import VisionInference
import XCTest

@testable import VisionModels

final class EfficientNetTests: XCTestCase {
    private let lite0 = EfficientNetLite(width: 1, depth: 1, side: 224)
    private let lite2 = EfficientNetLite(width: 1.1, depth: 1.2, side: 260)

    private func convolutions(_ network: EfficientNetLite) -> [EfficientNetLite.Convolution] {
        network.layers.compactMap { if case .convolution(let layer) = $0 { layer } else { nil } }
    }

    private func additions(_ network: EfficientNetLite) -> Int {
        network.layers.count { if case .residual = $0 { true } else { false } }
    }

    func testTheNetworksHaveTheirPublishedSizes() {
        // 4.7 and 6.1 million parameters as published; these counts leave out norms and biases.
        for (network, count, blocksAdded, parameters, work) in [
            (lite0, 49, 9, 4_610_000, 385_200_000), (lite2, 64, 14, 6_030_000, 859_700_000),
        ] {
            let layers = convolutions(network)
            XCTAssertEqual(layers.count, count)
            XCTAssertEqual(additions(network), blocksAdded)
            let classifier = EfficientNetLite.headChannels * EfficientNetLite.classCount
            let weights = layers.reduce(classifier) { $0 + $1.shape.reduce(1, *) }
            XCTAssertEqual(Double(weights), Double(parameters), accuracy: 5000)
            var size = network.side
            let operations = layers.reduce(classifier) { sum, layer in
                size = (size + layer.stride - 1) / layer.stride
                return sum + layer.shape.reduce(1, *) * size * size
            }
            XCTAssertEqual(Double(operations), Double(work), accuracy: 100_000)
        }
    }

    func testWideNetworksRoundTheirChannelsToEights() {
        let outputs = convolutions(lite2).filter { !$0.isActivated }.map(\.outputs)
        XCTAssertEqual(Set(outputs), [16, 24, 48, 88, 120, 208, 352])
        XCTAssertEqual(convolutions(lite2).last?.inputs, 352)
        XCTAssertEqual(convolutions(lite2).last?.outputs, 1280)
    }

    func testPaddingIsTensorFlowsSame() {
        for (size, kernel, stride, before, after) in [
            (224, 3, 2, 0, 1), (112, 3, 1, 1, 1), (56, 5, 2, 1, 2), (65, 5, 2, 2, 2), (260, 3, 2, 0, 1),
            (33, 3, 2, 1, 1),
            (7, 1, 1, 0, 0), (1, 1, 2, 0, 0),
        ] {
            let pad = EfficientNetLite.samePadding(size: size, kernel: kernel, stride: stride)
            XCTAssertEqual(pad.before, before, "\(size) \(kernel) \(stride)")
            XCTAssertEqual(pad.after, after, "\(size) \(kernel) \(stride)")
        }
    }

    func testNormsAreFoldedIntoTheirConvolutions() throws {
        let layer = EfficientNetLite.Convolution(name: "x", weights: "c", norm: "n", inputs: 2, outputs: 2)
        let tensors: [(String, [Int], [Float])] = [
            ("c.weight", [2, 2, 1, 1], [1, 2, 3, 4]), ("n.weight", [2], [2, 0.5]), ("n.bias", [2], [0.25, -1]),
            ("n.running_mean", [2], [3, 5]), ("n.running_var", [2], [4, 0.5]),
        ]
        let weights = EfficientNetWeights(try TorchCheckpoint(file(tensors)))
        let folded = try weights.folded(layer)
        for (input, channel) in [([1.0, 0], 0), ([0, 1], 0), ([2, -3], 1)] {
            let plain = (0..<2).map { Double(tensors[0].2[channel * 2 + $0]) * input[$0] }.reduce(0, +)
            let (gain, shift) = (Double(tensors[1].2[channel]), Double(tensors[2].2[channel]))
            let (mean, variance) = (Double(tensors[3].2[channel]), Double(tensors[4].2[channel]))
            let expected = (plain - mean) / (variance + 1e-3).squareRoot() * gain + shift
            let found = (0..<2).map { Double(folded.weights[channel * 2 + $0]) * input[$0] }.reduce(0, +)
            XCTAssertEqual(found + Double(folded.biases[channel]), expected, accuracy: 1e-5)
        }
    }

    func testTensorsThatAreMissingOrOfAnotherShapeAreNamed() throws {
        let layer = EfficientNetLite.Convolution(name: "x", weights: "c", norm: "n", inputs: 2, outputs: 2)
        for (tensors, part) in [
            ([("c.weight", [2, 2], [Float](repeating: 0, count: 4))], "c.weight has the shape [2, 2]"),
            ([("d.weight", [1], [0])], "no tensor c.weight"),
        ] {
            let weights = EfficientNetWeights(try TorchCheckpoint(file(tensors)))
            XCTAssertThrowsError(try weights.folded(layer)) { error in
                XCTAssertEqual((error as? WeightFileError)?.kind, .mismatch)
                XCTAssertTrue("\(error)".contains(part), "\(error)")
            }
        }
    }

    func testClassesMustBeSortedCompleteAndNamed() throws {
        let names = Array("n1\tone\nn3\tthree, drei\nn2\ttwo\n".utf8)
        let classes = try ImageNetClasses(labels: Array("n1\nn2\nn3\n".utf8), names: names, count: 3)
        XCTAssertEqual(classes.identifiers, ["n1", "n2", "n3"])
        XCTAssertEqual(classes.names, ["one", "two", "three, drei"])
        for labels in ["n1\nn3\nn2\n", "n1\nn2\n", "n1\nn2\nn2\n", "n1\nn2\nn4\n"] {
            XCTAssertThrowsError(try ImageNetClasses(labels: Array(labels.utf8), names: names, count: 3))
        }
    }

    private func file(_ tensors: [(name: String, shape: [Int], numbers: [Float])]) -> [UInt8] {
        let storages = tensors.map { tensor in
            (tensor.name, tensor.numbers.flatMap { TestArchive.little($0.bitPattern) }, tensor.numbers.count)
        }
        return PickleWriter.legacy(storages: storages) { writer in
            writer.emptyOrderedDictionary()
            for tensor in tensors {
                var (strides, step) = ([Int](), 1)
                for size in tensor.shape.reversed() {
                    strides.insert(step, at: 0)
                    step *= size
                }
                writer.text(tensor.name)
                writer.tensor(
                    key: tensor.name, count: tensor.numbers.count, offset: 0, shape: tensor.shape, strides: strides)
                writer.code("s")
            }
        }
    }
}
