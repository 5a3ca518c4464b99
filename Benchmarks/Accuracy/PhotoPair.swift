import ArgumentParser
import Vision
import VisionImage

/// Two photos of different classes beside each other, scaled to one height. Every second pair is of middle squares.
struct PhotoPair {
    let photos: [LabelledPhoto]
    let areSquares: Bool

    private static let height = 320

    /// Returns pairs that are drawn with a fixed seed.
    static func pairs(of photos: [LabelledPhoto], count: Int) throws -> [PhotoPair] {
        guard Set(photos.map(\.label)).count > 1 else {
            throw ValidationError("pairs need photos of two classes or more.")
        }
        var generator = SplitMix64(seed: 3)
        var pairs: [PhotoPair] = []
        while pairs.count < count {
            let two = (0..<2).map { _ in photos[Int.random(in: photos.indices, using: &generator)] }
            guard two[0].label != two[1].label else { continue }
            pairs.append(PhotoPair(photos: two, areSquares: pairs.count.isMultiple(of: 2)))
        }
        return pairs
    }

    func pixelBuffer() throws -> CVPixelBuffer {
        let parts = try photos.map { photo in
            let source = ImageSource(url: photo.url)
            let size = try source.uprightSize()
            let aspect = areSquares ? 1 : Double(size.width) / Double(size.height)
            let width = max(1, Int((aspect * Double(Self.height)).rounded()))
            let derivative = Derivative(
                region: PixelRegion(width: size.width, height: size.height), width: width, height: Self.height,
                format: .bgra8, fit: .centerCrop)
            return (bytes: try source.derivative(derivative).packedBytes, rowBytes: 4 * width)
        }
        let rows = (0..<Self.height).flatMap { row in
            parts.flatMap { $0.bytes[row * $0.rowBytes..<(row + 1) * $0.rowBytes] }
        }
        let width = parts.reduce(0) { $0 + $1.rowBytes / 4 }
        return try PixelBuffers.bgra(rows, width: width, height: Self.height)
    }
}
