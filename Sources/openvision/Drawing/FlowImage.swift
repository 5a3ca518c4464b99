import Foundation
import Vision
import VisionImage

/// The vectors of a result of optical flow.
struct FlowVectors: Sendable {
    let width: Int
    let height: Int
    /// Row by row from the top: x to the right, y down.
    let vectors: [SIMD2<Float>]

    /// - Parameter buffer: A buffer of two 32-bit floats a pixel; another one gives no vectors.
    init(_ buffer: CVPixelBuffer) {
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_TwoComponent32Float else {
            (width, height, vectors) = (0, 0, [])
            return
        }
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        var vectors = [SIMD2<Float>](repeating: .zero, count: width * height)
        if let address = CVPixelBufferGetBaseAddress(buffer) {
            for y in 0..<height {
                for x in 0..<width {
                    vectors[y * width + x] = (address + y * rowBytes + 8 * x).load(as: SIMD2<Float>.self)
                }
            }
        }
        (self.width, self.height, self.vectors) = (width, height, vectors)
    }

    var mean: SIMD2<Double> {
        let sum = vectors.reduce(SIMD2<Double>.zero) { $0 + SIMD2<Double>($1) }
        return vectors.isEmpty ? .zero : sum / Double(vectors.count)
    }

    private func length(_ vector: SIMD2<Float>) -> Double { Double((vector * vector).sum().squareRoot()) }

    var meanLength: Double {
        vectors.isEmpty ? 0 : vectors.reduce(0) { $0 + length($1) } / Double(vectors.count)
    }

    var maximumLength: Double { vectors.reduce(0) { max($0, length($1)) } }

    /// The length that 99 % of the vectors do not exceed, at least one pixel.
    var typicalMaximum: Float {
        let lengths = vectors.map { ($0 * $0).sum() }.sorted()
        guard !lengths.isEmpty else { return 1 }
        return max(1, lengths[min(lengths.count - 1, lengths.count * 99 / 100)].squareRoot())
    }

    /// The bytes of a Middlebury .flo file.
    var flo: Data {
        var data = Data("PIEH".utf8)
        for number in [Int32(width), Int32(height)] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        for vector in vectors {
            for value in [vector.x, vector.y] {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
        }
        return data
    }
}

/// Optical flow in colours: the hue is the direction, the saturation the length; white does not move.
enum FlowImage {
    /// The colours of the wheel by Baker and others, "A database and evaluation methodology for optical flow" (2011),
    /// as the number of steps between six colours: transitions that the eye tells apart equally well.
    private static let wheel: [SIMD3<Float>] = {
        let corners: [(colour: SIMD3<Float>, steps: Int)] = [
            ([1, 0, 0], 15), ([1, 1, 0], 6), ([0, 1, 0], 4), ([0, 1, 1], 11), ([0, 0, 1], 13), ([1, 0, 1], 6),
        ]
        return corners.indices.flatMap { index in
            let (from, to) = (corners[index], corners[(index + 1) % corners.count])
            return (0..<from.steps).map { step in
                from.colour + (to.colour - from.colour) * (Float(step) / Float(from.steps))
            }
        }
    }()

    /// Returns the colour of a vector as blue, green and red bytes.
    ///
    /// - Parameter longest: The length of full saturation; longer vectors are darker.
    static func colour(of vector: SIMD2<Float>, longest: Float) -> (UInt8, UInt8, UInt8) {
        guard vector.x.isFinite, vector.y.isFinite else { return (0, 0, 0) }
        let length = (vector * vector).sum().squareRoot() / longest
        let turn = (atan2(-vector.y, -vector.x) / Float.pi + 1) / 2
        let position = turn * Float(wheel.count - 1), first = min(Int(position), wheel.count - 1)
        let part = position - Float(first)
        let hue = wheel[first] * (1 - part) + wheel[(first + 1) % wheel.count] * part
        let colour = length <= 1 ? 1 - length * (1 - hue) : hue * 0.75
        func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, 255 * value))) }
        return (byte(colour.z), byte(colour.y), byte(colour.x))
    }

    /// Returns a `bgra8` image of the vectors.
    ///
    /// - Parameter longest: The length of full saturation.
    static func drawn(_ flow: FlowVectors, longest: Float) throws -> Raster {
        try Raster(width: flow.width, height: flow.height, format: .bgra8) { pixels, rowBytes in
            for y in 0..<flow.height {
                for x in 0..<flow.width {
                    let (blue, green, red) = colour(of: flow.vectors[y * flow.width + x], longest: longest)
                    let value = 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
                    (pixels + y * rowBytes).storeBytes(of: value.littleEndian, toByteOffset: 4 * x, as: UInt32.self)
                }
            }
        }
    }
}
