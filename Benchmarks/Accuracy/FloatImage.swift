import Foundation
import VisionImage

/// A colour image in floats, 0…255, by planes.
struct FloatImage {
    let width: Int
    let height: Int
    var planes: [[Float]]

    init(_ raster: Raster) {
        precondition(raster.format == .rgb8)
        (width, height) = (raster.width, raster.height)
        planes = raster.withUnsafePixels { pixels in
            (0..<3).map { channel in
                [Float](unsafeUninitializedCapacity: raster.width * raster.height) { plane, count in
                    for y in 0..<raster.height {
                        let row = (pixels + y * raster.rowBytes + channel).assumingMemoryBound(to: UInt8.self)
                        for x in 0..<raster.width { plane[y * raster.width + x] = Float(row[3 * x]) }
                    }
                    count = raster.width * raster.height
                }
            }
        }
    }

    init(width: Int, height: Int, planes: [[Float]]) {
        precondition(planes.count == 3 && planes.allSatisfy { $0.count == width * height })
        (self.width, self.height, self.planes) = (width, height, planes)
    }

    func raster() throws -> Raster {
        try Raster(width: width, height: height, format: .rgb8) { target, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    for channel in 0..<3 {
                        let value = min(max(planes[channel][y * width + x], 0), 255).rounded()
                        target.storeBytes(
                            of: UInt8(value), toByteOffset: y * rowBytes + 3 * x + channel, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// Each value by a function of 0…255, known at quarters.
    mutating func map(_ change: (Float) -> Float) {
        let table = (0...1020).map { change(Float($0) / 4) }
        for channel in 0..<3 { planes[channel] = planes[channel].map { table[Int(min(max($0, 0), 255) * 4 + 0.5)] } }
    }

    /// The level of the green plane that a tenth of a box is above, at least 1.
    func bright(in box: PixelRegion) -> Float {
        var values: [Float] = []
        for y in max(Int(box.y), 0)..<min(Int(box.y + box.height), height) {
            for x in max(Int(box.x), 0)..<min(Int(box.x + box.width), width) { values.append(planes[1][y * width + x]) }
        }
        values.sort()
        return values.isEmpty ? 255 : max(values[values.count * 9 / 10], 1)
    }

    /// Blurs by a Gaussian; edges are repeated.
    mutating func blur(sigma: Double) {
        let reach = max(Int((3 * sigma).rounded(.up)), 1)
        var weights = (-reach...reach).map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
        for channel in 0..<3 { planes[channel] = blurred(planes[channel], weights) }
    }

    /// Rows, then columns; the innermost loops run over neighbours in memory.
    private func blurred(_ plane: [Float], _ weights: [Float]) -> [Float] {
        let (width, height, reach) = (width, height, weights.count / 2)
        var across = [Float](repeating: 0, count: plane.count)
        var result = across
        plane.withUnsafeBufferPointer { plane in
            across.withUnsafeMutableBufferPointer { across in
                var line = [Float](repeating: 0, count: width + 2 * reach)
                for y in 0..<height {
                    for x in line.indices { line[x] = plane[y * width + min(max(x - reach, 0), width - 1)] }
                    line.withUnsafeBufferPointer { line in
                        for tap in weights.indices {
                            let weight = weights[tap]
                            for x in 0..<width { across[y * width + x] += weight * line[x + tap] }
                        }
                    }
                }
            }
        }
        across.withUnsafeBufferPointer { across in
            result.withUnsafeMutableBufferPointer { result in
                for y in 0..<height {
                    for tap in weights.indices {
                        let (weight, row) = (weights[tap], min(max(y + tap - reach, 0), height - 1) * width)
                        for x in 0..<width { result[y * width + x] += weight * across[row + x] }
                    }
                }
            }
        }
        return result
    }

    /// Adds normal noise, each channel its own.
    mutating func addNoise(sigma: Double, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for channel in 0..<3 {
            for index in planes[channel].indices {
                // The sum of six is near enough to normal.
                var sum: Float = 0
                for _ in 0..<6 { sum += generator.symmetric() }
                planes[channel][index] += sum * Float(sigma / 2.0.squareRoot())
            }
        }
    }

    /// Bilinearly, edges repeated; pixels have their centres at halves.
    func value(_ channel: Int, _ x: Double, _ y: Double) -> Float {
        let (x, y) = (min(max(x - 0.5, 0), Double(width - 1)), min(max(y - 0.5, 0), Double(height - 1)))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (a, b) = (Float(x - Double(left)), Float(y - Double(top)))
        let plane = planes[channel]
        let upper = plane[top * width + left] * (1 - a) + plane[top * width + right] * a
        let lower = plane[bottom * width + left] * (1 - a) + plane[bottom * width + right] * a
        return upper * (1 - b) + lower * b
    }
}
