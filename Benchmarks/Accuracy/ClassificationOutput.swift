import Foundation

/// Writes what a classifier saw and said as .npy files, and what they belong to as index.json.
final class ClassificationOutput {
    private struct Index: Encodable {
        let model: String
        let side: Int
        let labels: [Int]
        /// How many classes a request put before the photo's own; nil where the network alone was asked.
        var ranks: [Int]?
    }

    private let folder: URL
    private var index: Index
    private var pixels = Data()
    private var logits: [Float] = []

    init(folder: String, model: URL, side: Int, labels: [Int]) throws {
        let name = model.deletingPathExtension().lastPathComponent
        self.folder = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name, isDirectory: true)
        index = Index(model: model.path, side: side, labels: labels)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    func add(pixels: [UInt8], logits: [Float], rank: Int? = nil) throws {
        if let rank { index.ranks = (index.ranks ?? []) + [rank] }
        self.pixels.append(contentsOf: pixels)
        self.logits += logits
    }

    func finish() throws {
        let count = index.labels.count
        try write(pixels, "|u1", [count, index.side, index.side, 3], to: "pixels.npy")
        try write(logits.withUnsafeBytes { Data($0) }, "<f4", [count, logits.count / count], to: "logits.npy")
        try JSONEncoder().encode(index).write(to: folder.appendingPathComponent("index.json"))
    }

    /// NumPy's format, version 1: the header is padded so that the numbers start at a multiple of 64.
    private func write(_ numbers: Data, _ type: String, _ shape: [Int], to name: String) throws {
        let sizes = shape.map { "\($0)," }.joined(separator: " ")
        var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(sizes)), }"
        header += String(repeating: " ", count: (63 - (10 + header.utf8.count) % 64 + 64) % 64) + "\n"
        var file = Data([0x93] + Array("NUMPY".utf8) + [1, 0])
        file.append(contentsOf: [UInt8(header.utf8.count & 255), UInt8(header.utf8.count >> 8)])
        file.append(contentsOf: header.utf8)
        file.append(numbers)
        try file.write(to: folder.appendingPathComponent(name))
    }
}
