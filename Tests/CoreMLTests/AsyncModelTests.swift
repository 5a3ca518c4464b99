import CoreML
import ModelTestSupport
import XCTest

/// Models that tasks and closures share, and what does not block its thread.
final class AsyncModelTests: XCTestCase {
    private let labels = #"{"labels": ["blue", "green", "red"]}"#

    private func input(_ bgr: (UInt8, UInt8, UInt8)) throws -> MLDictionaryFeatureProvider {
        try MLDictionaryFeatureProvider(dictionary: ["image": pixelBuffer(width: 4, height: 4, bgr: bgr)])
    }

    private func label(_ output: any MLFeatureProvider) -> String? {
        output.featureValue(for: "classLabel")?.stringValue
    }

    func testTasksShareAModelAndItsOptions() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        let configuration = MLModelConfiguration()
        let options = MLPredictionOptions()
        let model = try await MLModel.load(contentsOf: url, configuration: configuration)
        // Closures that run elsewhere capture models, configurations and options.
        let predict: @Sendable (UInt8) async throws -> String? = { red in
            options.usesCPUOnly = true
            configuration.computeUnits = .cpuOnly
            let input = try MLDictionaryFeatureProvider(
                dictionary: ["image": pixelBuffer(width: 4, height: 4, bgr: (0, 255 - red, red))])
            return try await model.prediction(from: input, options: options).featureValue(for: "classLabel")?
                .stringValue
        }
        let found = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for index in 0..<16 { group.addTask { (index, try await predict(index % 2 == 0 ? 255 : 0)) } }
            return try await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
        }
        XCTAssertEqual((0..<16).map { found[$0] ?? nil }, (0..<16).map { $0 % 2 == 0 ? "blue" : "green" })
        XCTAssertTrue(options.usesCPUOnly)
    }

    func testBothKindsOfPredictionAreFoundByTheirContext() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        let model = try MLModel(contentsOf: url)
        func atOnce() throws -> String? { label(try model.prediction(from: input((0, 0, 255)))) }
        XCTAssertEqual(try atOnce(), "blue")
        let later = try await model.prediction(from: input((0, 255, 0)))
        XCTAssertEqual(label(later), "green")
        do {
            _ = try await model.prediction(from: MLDictionaryFeatureProvider(dictionary: [:]))
            XCTFail("There was no input.")
        } catch MLModelError.featureType {
        }
    }

    func testACancelledTaskDoesNotPredict() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        let model = try MLModel(contentsOf: url)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let input = try MLDictionaryFeatureProvider(dictionary: ["image": 1])
            // An input that is invalid shows that nothing was predicted.
            _ = try await model.prediction(from: input)
        }
        task.cancel()
        do {
            try await task.value
            XCTFail("It predicted.")
        } catch is CancellationError {
        }
    }

    func testHandlersGetModelsAndErrors() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        let none = folder.url.appendingPathComponent("none.onnx")
        func loaded(_ url: URL) async -> [String] {
            await withCheckedContinuation { continuation in
                MLModel.load(contentsOf: url) { result in
                    let first = (try? result.get())?.modelDescription.predictedFeatureName ?? "error"
                    MLModel.load(contentsOf: url, configuration: MLModelConfiguration()) { model, error in
                        let second =
                            model?.modelDescription.predictedFeatureName
                            ?? "\((error as? MLModelError)?.code ?? .generic)"
                        continuation.resume(returning: [first, second])
                    }
                }
            }
        }
        let found = await loaded(url)
        XCTAssertEqual(found, ["classLabel", "classLabel"])
        let missing = await loaded(none)
        XCTAssertEqual(missing, ["error", "io"])
        let compiled = try await MLModel.compileModel(at: url)
        XCTAssertEqual(compiled.lastPathComponent, "colours.mlmodelc")
        let handled: Result<URL, any Error> = await withCheckedContinuation { continuation in
            MLModel.compileModel(at: none) { continuation.resume(returning: $0) }
        }
        XCTAssertThrowsError(try handled.get()) { XCTAssertEqual(($0 as? MLModelError)?.code, .io) }
    }

    func testErrorsAreMadeByTheirCode() {
        let plain = MLModelError(.io)
        XCTAssertEqual(plain.code, .io)
        XCTAssertEqual(plain.domain, MLModelError.errorDomain)
        let detailed = MLModelError(.customLayer, userInfo: [NSLocalizedDescriptionKey: "It is not there."])
        XCTAssertEqual(detailed.localizedDescription, "It is not there.")
        do {
            throw detailed
        } catch MLModelError.customLayer {
        } catch {
            XCTFail("\(error)")
        }
    }
}
