import Foundation

/// Damages whole models: real ones are too large for libFuzzer to find their structure among the weights.
enum Damage {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 31) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    static func run(folder: URL, seconds: Double, seed: UInt64) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".onnx") || $0.hasSuffix(".tflite") }.sorted()
        guard !paths.isEmpty else { fatalError("no models in \(folder.path)") }
        let models = try paths.map { try Data(contentsOf: folder.appendingPathComponent($0)) }
        // Whole first: a fuzzer that refuses everything finds nothing.
        for (path, model) in zip(paths, models) {
            if let error = FuzzedModel.check(model) { print("\(path), whole: \(error)") }
        }
        var random = Generator(state: seed)
        let end = Date(timeIntervalSinceNow: seconds)
        let crash = folder.appendingPathComponent("last-damaged.model")
        var count = 0
        while Date() < end {
            let index = Int.random(in: models.indices, using: &random)
            let model = damaged(models[index], &random)
            // What ends the process lies there afterwards.
            try model.write(to: crash)
            FuzzedModel.check(model)
            count += 1
        }
        try? FileManager.default.removeItem(at: crash)
        print("\(count) damaged models out of \(models.count), none of which did harm")
    }

    private static func damaged(_ model: Data, _ random: inout Generator) -> Data {
        var bytes = model
        guard !bytes.isEmpty else { return bytes }
        if Int.random(in: 0..<8, using: &random) == 0 {
            return bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
        }
        // Structure lies at the beginning or the end, among text: places near others that are no weights are hit most.
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let near = min(bytes.count, 1 << Int.random(in: 4...20, using: &random))
            let offset = Int.random(in: 0..<near, using: &random)
            let place = Bool.random(using: &random) ? offset : bytes.count - 1 - offset
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
            case 2:
                // A word as the formats count with.
                let words: [UInt32] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, UInt32(bytes.count)]
                let word = words.randomElement(using: &random) ?? 0
                for index in 0..<4 where place + index < bytes.count {
                    bytes[place + index] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(index)))
                }
            case 3:
                let length = min(Int.random(in: 1...16, using: &random), bytes.count - place)
                let source = Int.random(in: 0...(bytes.count - length), using: &random)
                let piece = Data(bytes[source..<source + length])
                bytes.replaceSubrange(place..<place + length, with: piece)
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }
}
