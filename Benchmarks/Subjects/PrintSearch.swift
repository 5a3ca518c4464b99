import Foundation
import Vision
import VisionExtras
import VisionImage

/// The search of one feature print among many.
enum PrintSearch {
    /// Of the scene networks' prints.
    private static let elements = 512
    static let counts = [100_000, 1_000_000]

    static var benchmarks: [Benchmark] {
        counts.map { count in
            // What a search reads of every print: a byte an element, and its row of numbers.
            Benchmark(name: "print-search/top-10/\(count)", bytes: Double(count) * Double(elements + 32)) { _ in
                let maker = PrintMaker(elements: elements, seed: 11)
                var index = FeaturePrintIndex<Int>()
                for key in 0..<count { try index.insert(FeaturePrint(revision: 1, data: maker.data(key)), for: key) }
                let queries = try (0..<16).map { try FeaturePrint(revision: 1, data: maker.data(count + $0)) }
                var next = 0
                return .init {
                    next += 1
                    keep(try index.nearest(10, to: queries[next % queries.count]).count)
                }
            }
        }
    }

    static var cases: [ServedCase] {
        [
            // The parameters say how many prints; the file holds them, and then the queries, as rows of floats.
            ServedCase(name: "print-search") { file, parameters in
                guard let count = parameters["count"].flatMap({ Int($0) }), count > 0 else {
                    throw ServedCase.Unknown(description: "print-search needs a count")
                }
                let data = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
                let bytes = 4 * elements
                guard data.count > count * bytes else {
                    throw ServedCase.Unknown(description: "\(file) is too short for \(count) prints and a query")
                }
                var index = FeaturePrintIndex<Int>()
                for key in 0..<count {
                    try index.insert(
                        FeaturePrint(revision: 1, data: data.subdata(in: key * bytes..<(key + 1) * bytes)), for: key)
                }
                let queries = try (count..<data.count / bytes).map { row in
                    try FeaturePrint(revision: 1, data: data.subdata(in: row * bytes..<(row + 1) * bytes))
                }
                var next = 0
                return {
                    let query = queries[next % queries.count]
                    next += 1
                    return try index.nearest(10, to: query).map { Double($0.key) }
                }
            }
        ]
    }
}

/// Prints that lie as those of photos do: many kinds of scenes, and a spread about each that differs from print to
/// print.
private struct PrintMaker {
    private let kinds: [[Float]]
    private let seed: UInt64

    init(elements: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        kinds = (0..<1000).map { _ in (0..<elements).map { _ in random.symmetric() } }
        self.seed = seed
    }

    func data(_ number: Int) -> Data {
        var random = SplitMix64(seed: seed &+ UInt64(number) &* 7919)
        let kind = kinds[Int(random.next() % UInt64(kinds.count))]
        let spread = 0.3 + 0.7 * abs(random.symmetric())
        let vector = kind.map { $0 + spread * random.symmetric() }
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return vector.map { ($0 / length).bitPattern.littleEndian }.withUnsafeBytes { Data($0) }
    }
}
