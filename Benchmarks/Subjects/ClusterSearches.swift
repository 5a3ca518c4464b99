import Foundation
import VisionFiles
import VisionModels

/// The approximate search of one print among many, with the file that `openvision index` keeps beside its database.
/// `Scripts/peers/clusters.py` makes the prints and asks for it.
enum ClusterSearches {
    /// The effort of a search for 10 photos (`PhotoIndex`).
    private static let effort = ClusterSearch.Effort(clusters: 64, candidates: 200)
    private static let batch = 4096

    static var cases: [ServedCase] {
        [
            // The parameters say how many prints of how many elements; the file holds them, and then the queries, as
            // rows of floats. The answers are the numbers of the nearest ten.
            ServedCase(name: "print-clusters") { file, parameters in
                guard let count = parameters["count"].flatMap({ Int($0) }), count > 0,
                    let elements = parameters["elements"].flatMap({ Int($0) }), elements > 0
                else { throw ServedCase.Unknown(description: "print-clusters needs a count and elements") }
                let prints = try PrintRows(file: file, elements: elements)
                guard prints.count > count else {
                    throw ServedCase.Unknown(description: "\(file) is too short for \(count) prints and a query")
                }
                let path = file + ".clusters"
                if parameters["made"] == nil {
                    try makeClusters(of: prints, count: count, at: path, threads: Int(parameters["threads"] ?? "") ?? 1)
                }
                let clusters = try ClusterFile(path: path)
                let queries = try (count..<prints.count).map { try prints.vector($0) }
                var next = 0
                return {
                    let query = queries[next % queries.count]
                    next += 1
                    // In the order of the file, because near numbers are on near pages.
                    var near: [(number: Int64, distance: Float)] = []
                    for number in try clusters.candidates(near: query, effort).sorted() {
                        near.append((number, try query.distance(to: try prints.vector(Int(number)))))
                    }
                    near.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
                    return near.prefix(10).map { Double($0.number) }
                }
            }
        ]
    }

    /// As `openvision index` makes it. Prints are read in parts: memory holds the samples and the codes.
    private static func makeClusters(of prints: PrintRows, count: Int, at path: String, threads: Int) throws {
        let clusterCount = ClusterBuilder.clusterCount(forPrints: count)
        let wanted = clusterCount * ClusterBuilder.samplesPerCluster
        let samples = stride(from: 0, to: count, by: (count + wanted - 1) / wanted).flatMap { prints.row($0) }
        var builder = ClusterBuilder(
            PrintCentroids(
                ofClusters: clusterCount, samples: samples, elementCount: prints.elements, threads: threads))
        for start in stride(from: 0, to: count, by: batch) {
            let numbers = start..<min(start + batch, count)
            builder.append(numbers.flatMap { prints.row($0) }, ids: numbers.map(Int64.init), threads: threads)
        }
        try ClusterFile.write(
            builder,
            .init(
                revision: 2, elementCount: prints.elements, printCount: count, lastID: Int64(count - 1),
                witnesses: []),
            to: path)
    }
}

/// Prints as rows of floats in a file that need not fit into memory.
private struct PrintRows {
    let elements: Int
    private let data: Data

    var count: Int { data.count / (4 * elements) }

    init(file: String, elements: Int) throws {
        data = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
        self.elements = elements
    }

    func row(_ number: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: elements) { buffer, count in
            count = data.copyBytes(to: buffer, from: number * 4 * elements..<(number + 1) * 4 * elements) / 4
        }
    }

    func vector(_ number: Int) throws -> PrintVector { try PrintVector(revision: 2, elements: row(number)) }
}
