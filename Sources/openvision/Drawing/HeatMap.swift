import Vision
import VisionImage

/// Draws a saliency map over a photo: blue, green and red from faint to strong; where nothing stands out the photo is
/// darker and grey.
enum HeatMap {
    /// The share of the photo in the drawing.
    private static let photoShare: Float = 0.5

    /// What the colours mean.
    static let legend: [(name: String, colour: Colour)] = [("strong", 1), ("medium", 0.65), ("faint", 0.35)].map {
        let heat = heat(Float($0.1))
        return ($0.0, Colour(red: UInt8(heat.z), green: UInt8(heat.y), blue: UInt8(heat.x)))
    }

    /// Returns the photo with the map over it.
    ///
    /// - Precondition: The format of the photo is `bgra8`.
    static func drawn(_ map: FloatMap, over photo: Raster) throws -> Raster {
        precondition(photo.format == .bgra8)
        let largest = max(map.values.max() ?? 0, 1e-6)
        return try Raster(width: photo.width, height: photo.height, format: .bgra8) { pixels, rowBytes in
            photo.withUnsafePixels { source in
                for y in 0..<photo.height {
                    for x in 0..<photo.width {
                        let value = map.value(
                            x: (Double(x) + 0.5) / Double(photo.width), y: (Double(y) + 0.5) / Double(photo.height))
                        let from = source + y * photo.rowBytes + 4 * x
                        let below = SIMD3<Float>(
                            Float(from.load(as: UInt8.self)), Float(from.load(fromByteOffset: 1, as: UInt8.self)),
                            Float(from.load(fromByteOffset: 2, as: UInt8.self)))
                        let mixed = mixture(below, strength: value / largest)
                        let to = pixels + y * rowBytes + 4 * x
                        for part in 0..<3 {
                            to.storeBytes(
                                of: UInt8(min(max(mixed[part], 0), 255)), toByteOffset: part, as: UInt8.self)
                        }
                        to.storeBytes(of: 255, toByteOffset: 3, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// - Parameters:
    ///   - colour: Blue, green, red.
    ///   - strength: 0…1.
    private static func mixture(_ colour: SIMD3<Float>, strength: Float) -> SIMD3<Float> {
        let grey = (colour * SIMD3(0.114, 0.587, 0.299)).sum()
        let dimmed = SIMD3(repeating: grey * 0.6) * (1 - strength) + colour * strength
        let heat = heat(strength)
        let share = photoShare + (1 - photoShare) * (1 - min(1, strength * 2))
        return dimmed * share + heat * (1 - share)
    }

    /// Returns the colour of a strength from 0 to 1 as blue, green and red.
    private static func heat(_ strength: Float) -> SIMD3<Float> {
        // A triangle of each component around its own strength.
        func part(_ middle: Float) -> Float { max(0, 1 - abs(strength - middle) * 3) }
        return SIMD3(part(0.35), part(0.65), min(1, max(0, (strength - 0.55) * 3))) * 255
    }
}
