import Foundation
import VisionInference

/// One backend test of ONNX: a model, inputs and the expected outputs.
struct Case {
    enum Outcome {
        case passed
        case failed(String)
        /// The model uses something that `Documentation/Operators.md` does not claim.
        case notClaimed(String)
        case skipped(String)
    }

    let name: String
    let model: URL
    /// Folders with `input_0.pb`, … and `output_0.pb`, …; none for light models, whose inputs are generated.
    let dataSets: [URL]
    /// The outputs of a light model.
    let lightOutputs: [URL]

    /// ONNX's own runner allows these differences, as NumPy's `assert_allclose` does: |a − b| ≤ absolute + relative
    /// |b|.
    var relative = 1e-3
    var absolute = 1e-7

    func run(optimises: Bool) -> Outcome {
        do {
            let file = try ONNXModel(contentsOf: model)
            let session = try Session(
                graph: ONNXImporter.graph(file), options: Session.Options(threads: 2, optimises: optimises))
            if dataSets.isEmpty {
                let inputs = try session.inputs.map(Self.ramp)
                try check(session, inputs, lightOutputs)
            }
            for folder in dataSets {
                let inputs = try Self.files(in: folder, "input").map { try Tensor(ONNXTensor(contentsOf: $0)) }
                try check(session, inputs, Self.files(in: folder, "output"))
            }
            return .passed
        } catch let error as Mismatch {
            return .failed(error.text)
        } catch let error as ModelError where error.kind == .unsupported {
            return .notClaimed((error.context.operation.map { "\($0): " } ?? "") + error.reason)
        } catch {
            return .failed("\(error)")
        }
    }

    private struct Mismatch: Error { let text: String }

    private func check(_ session: Session, _ inputs: [Tensor], _ outputs: [URL]) throws {
        guard inputs.count <= session.inputs.count else {
            throw Mismatch(text: "\(inputs.count) inputs for \(session.inputs.count)")
        }
        let named = Dictionary(zip(session.inputs.map(\.name), inputs)) { first, _ in first }
        let results = try session.run(named)
        guard outputs.count == session.outputs.count else {
            throw Mismatch(text: "\(session.outputs.count) outputs, not \(outputs.count)")
        }
        for (port, url) in zip(session.outputs, outputs) {
            guard let actual = results[port.name] else { throw Mismatch(text: "no output \(port.name)") }
            try compare(actual, Tensor(ONNXTensor(contentsOf: url)), port.name)
        }
    }

    private func compare(_ actual: Tensor, _ wanted: Tensor, _ name: String) throws {
        guard actual.type == wanted.type else {
            throw Mismatch(text: "\(name) has type \(actual.type), not \(wanted.type)")
        }
        guard actual.shape == wanted.shape else {
            throw Mismatch(text: "\(name) has shape \(actual.shape), not \(wanted.shape)")
        }
        let a = actual.doubles
        let b = wanted.doubles
        var worst: (index: Int, error: Double)?
        var wrong = 0
        for index in a.indices {
            if a[index] == b[index] || (a[index].isNaN && b[index].isNaN) { continue }
            let error = abs(a[index] - b[index])
            if error <= absolute + relative * abs(b[index]), b[index].isFinite { continue }
            wrong += 1
            if worst.map({ error > $0.error || error.isNaN }) ?? true { worst = (index, error) }
        }
        if let worst {
            throw Mismatch(
                text: "\(name): \(wrong) of \(a.count) elements differ; \(a[worst.index]), not \(b[worst.index]), at "
                    + "\(worst.index) of \(actual.shape)")
        }
    }

    /// Returns the input that ONNX's runner feeds to light models: 0, 1/n, 2/n, … for n elements, unknown sizes being
    /// 1.
    private static func ramp(_ port: Graph.Port) throws -> Tensor {
        let shape = (port.shape ?? []).map { $0 ?? 1 }
        let count = shape.reduce(1, *)
        return try Tensor((0..<count).map { Float(Double($0) / Double(count)) }, shape: shape)
    }

    static func files(in folder: URL, _ prefix: String) -> [URL] {
        var result: [URL] = []
        while true {
            let url = folder.appendingPathComponent("\(prefix)_\(result.count).pb")
            guard FileManager.default.fileExists(atPath: url.path) else { return result }
            result.append(url)
        }
    }
}

extension Tensor {
    fileprivate var doubles: [Double] {
        if let values = values(as: Double.self) { return values }
        return floats?.map { Double($0) } ?? integers?.map { Double($0) } ?? []
    }
}
