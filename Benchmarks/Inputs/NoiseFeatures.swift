import CoreML
import Foundation
import VisionImage

/// Inputs of models, from a generator.
struct NoiseFeatures {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func unit() -> Double { Double(random.next() >> 40) / Double(1 << 24) }

    /// A value for an input: an image of its size (bytes of all values), an array of its shape (numbers from 0 to 1), a
    /// number, a text.
    mutating func value(_ description: MLFeatureDescription) throws -> MLFeatureValue {
        switch description.type {
        case .image: return try image(description.imageConstraint)
        case .multiArray: return try array(description.multiArrayConstraint)
        case .int64: return MLFeatureValue(int64: Int64(unit() * 4))
        case .string: return MLFeatureValue(string: "a text")
        case .dictionary:
            let isText = description.dictionaryConstraint?.keyType != .int64
            return try MLFeatureValue(dictionary: isText ? ["a": 1, "text": 2] : [Int64(0): 1, Int64(1): 2])
        default: return MLFeatureValue(double: unit())
        }
    }

    private mutating func image(_ constraint: MLImageConstraint?) throws -> MLFeatureValue {
        let (width, height) = (max(constraint?.pixelsWide ?? 0, 1), max(constraint?.pixelsHigh ?? 0, 1))
        var random = random
        let raster = try Raster(width: width, height: height, format: .rgb8) { pixels, rowBytes in
            for index in 0..<rowBytes * height {
                pixels.storeBytes(of: UInt8(truncatingIfNeeded: random.next()), toByteOffset: index, as: UInt8.self)
            }
        }
        self.random = random
        return try MLFeatureValue(
            cgImage: CGImage(raster: raster), pixelsWide: width, pixelsHigh: height,
            pixelFormatType: kCVPixelFormatType_32BGRA)
    }

    private mutating func array(_ constraint: MLMultiArrayConstraint?) throws -> MLFeatureValue {
        let type = constraint?.dataType ?? .float32
        let shape = (constraint?.shape ?? [1]).map { NSNumber(value: max($0.intValue, 1)) }
        let array = try MLMultiArray(shape: shape, dataType: type)
        for index in 0..<array.count {
            array[index] = NSNumber(value: type == .int32 ? (unit() * 2).rounded(.down) : unit())
        }
        return MLFeatureValue(multiArray: array)
    }
}
