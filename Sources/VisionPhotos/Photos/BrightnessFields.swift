package import Foundation
import VisionImage

/// The brightness of 16 × 16 fields of a photo: what copies of it have in common whatever their size, brightness and
/// contrast, and other photos have not.
package struct BrightnessFields: Sendable {
    /// The mean is 0 and the length 1; all 0 for a photo of one brightness.
    private let fields: [Float]

    private static let side = 16

    /// - Throws: `ImageError` when the bytes are not an image.
    package init(of data: Data) throws {
        let source = ImageSource(data: data)
        let size = try source.uprightSize()
        let grey = try source.derivative(
            Derivative(
                region: PixelRegion(width: size.width, height: size.height), width: Self.side, height: Self.side,
                format: .grey8))
        self.init(
            grey.withUnsafePixels { pixels in
                (0..<Self.side * Self.side).map { index in
                    let offset = index / Self.side * grey.rowBytes + index % Self.side
                    return Float(pixels.load(fromByteOffset: offset, as: UInt8.self))
                }
            })
    }

    /// - Parameter brightness: 256 values, row by row.
    package init(_ brightness: [Float]) {
        let mean = brightness.reduce(0, +) / Float(max(brightness.count, 1))
        let centred = brightness.map { $0 - mean }
        let length = centred.reduce(0) { $0 + $1 * $1 }.squareRoot()
        fields = centred.map { length > 1 ? $0 / length : 0 }
    }

    /// Returns how alike the brightness of two photos is distributed, -1 to 1; mirrored photos count as alike.
    package func likeness(_ other: BrightnessFields) -> Float {
        var (plain, mirrored) = (Float(0), Float(0))
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let value = other.fields[row * Self.side + column]
                plain += fields[row * Self.side + column] * value
                mirrored += fields[row * Self.side + Self.side - 1 - column] * value
            }
        }
        return max(plain, mirrored)
    }
}
