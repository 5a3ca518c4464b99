import Foundation
import VisionImage

/// Damages complete models: real ones are too large for libFuzzer to find their structure among the weights.
enum Damage {
    static func run(folder: URL, seconds: Double, seed: UInt64) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { path in [".mlmodel", ".onnx", ".tflite"].contains { path.hasSuffix($0) } }.sorted()
        guard !paths.isEmpty else { fatalError("no models in \(folder.path)") }
        let models = try paths.map { try Data(contentsOf: folder.appendingPathComponent($0)) }
        // Undamaged first: if these are refused already, the fuzzer finds nothing.
        for (path, model) in zip(paths, models) {
            if let error = FuzzedModel.check(model) { print("\(path), whole: \(error)") }
        }
        var random = SplitMix64(seed: seed)
        let end = Date(timeIntervalSinceNow: seconds)
        let crash = folder.appendingPathComponent("last-damaged.model")
        var count = 0
        while Date() < end {
            let index = Int.random(in: models.indices, using: &random)
            let model = damaged(models[index], &random)
            // If the process crashes, its last input is in this file.
            try model.write(to: crash)
            FuzzedModel.check(model)
            count += 1
        }
        try? FileManager.default.removeItem(at: crash)
        print("\(count) damaged models out of \(models.count), none of which crashed")
    }

    private static func damaged(_ model: Data, _ random: inout SplitMix64) -> Data {
        var bytes = model
        guard !bytes.isEmpty else { return bytes }
        if Int.random(in: 0..<8, using: &random) == 0 {
            return bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
        }
        // Structure lies at the beginning or the end, among text: offsets near either end, where there are no weights,
        // are hit most.
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let near = min(bytes.count, 1 << Int.random(in: 4...20, using: &random))
            let offset = Int.random(in: 0..<near, using: &random)
            let index = Bool.random(using: &random) ? offset : bytes.count - 1 - offset
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[index] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
            case 2:
                // A 32-bit word, as sizes and offsets are stored.
                let words: [UInt32] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, UInt32(bytes.count)]
                let word = words.randomElement(using: &random) ?? 0
                for byte in 0..<4 where index + byte < bytes.count {
                    bytes[index + byte] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(byte)))
                }
            case 3:
                let length = min(Int.random(in: 1...16, using: &random), bytes.count - index)
                let source = Int.random(in: 0...(bytes.count - length), using: &random)
                let piece = Data(bytes[source..<source + length])
                bytes.replaceSubrange(index..<index + length, with: piece)
            default: bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }
}
