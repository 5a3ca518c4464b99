import Foundation
package import VisionImage
import VisionInference

/// The mask of an upright crop, over a rectangle of the image that may reach beyond it.
package struct CropMask: Sendable {
    /// Values in 0…1.
    package let map: FloatMap
    /// In pixels of the image.
    package let region: PixelRegion
}

/// A network of the model store that computes the mask of people from a square image.
package final class PersonMaskNetwork: Sendable {
    package enum Kind: CaseIterable, Sendable {
        /// All people of an image: the selfie segmentation of MediaPipe.
        case people
        /// The one person in the middle of the image: an output of MediaPipe's network of body landmarks.
        case body

        fileprivate var model: String { self == .people ? "selfie-segmentation" : "pose-landmark-full" }
    }

    /// Rows and columns of the input and of the mask.
    package static let side = 256

    private let kind: Kind
    private let network: StoredNetwork

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(_ kind: Kind, store: InstalledModels = InstalledModels()) throws -> PersonMaskNetwork {
        try ModelRegistry.shared.network(kind.model, in: store) { try PersonMaskNetwork(kind, store: store) }
    }

    /// - Throws: `ModelStoreError`.
    package init(_ kind: Kind, store: InstalledModels = InstalledModels()) throws {
        self.kind = kind
        let mask: [Int?] = [1, Self.side, Self.side, 1]
        network = try StoredNetwork(kind.model, store: store, reading: { $0 == mask }) { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]] && session.outputs.map(\.shape) == [mask]
        }
    }

    /// Returns the mask of a crop of the image.
    ///
    /// - Parameters:
    ///   - crop: In pixels of the image; it is stretched to the network's square. What lies beyond `region` is black.
    ///   - region: The region of the image that may be read.
    ///   - isMirrored: Whether the network processes the mirror image; the mask is as the image in any case.
    ///   - threads: The maximum number of threads; nil for all. The result does not depend on it.
    ///   - pixels: Makes parts of the image.
    /// - Returns: nil where the crop lies outside the region.
    /// - Throws: `ModelStoreError`, `ImageError`, and the errors of `pixels`.
    package func mask(
        of crop: PixelRegion, in region: PixelRegion, isMirrored: Bool = false, threads: Int? = nil,
        pixels: (Derivative) throws -> Raster
    ) throws -> CropMask? {
        guard let input = CropInput(crop, in: region, side: Self.side) else { return nil }
        let upright = try input.pixels(pixels)
        let image = isMirrored ? try upright.oriented(.upMirrored) : upright
        let map = try network.run(threads: threads) { view in
            try image.writeInterleaved(to: view.elements(), scale: 1 / 255, bias: 0)
        } read: { outputs in
            let values = outputs.first { $0.elementCount == Self.side * Self.side }?.elements(Float.self)
            return FloatMap(width: Self.side, height: Self.side, values: Self.values(values, kind, isMirrored))
        }
        return CropMask(map: map, region: input.crop)
    }

    private static func values(
        _ output: UnsafeMutableBufferPointer<Float>?, _ kind: Kind, _ isMirrored: Bool
    ) -> [Float] {
        let count = side * side
        guard let output, output.count == count else { return [Float](repeating: 0, count: count) }
        return [Float](unsafeUninitializedCapacity: count) { target, written in
            for y in 0..<side {
                for x in 0..<side {
                    let value = output[y * side + (isMirrored ? side - 1 - x : x)]
                    let share = kind == .people ? value : 1 / (1 + exp(-value))
                    // A value that is not a number, from an image with such values, is no person.
                    target[y * side + x] = share > 0 ? min(share, 1) : 0
                }
            }
            written = count
        }
    }
}

/// A crop of an image as the square input of a network: the part within a region, with black around it.
struct CropInput {
    /// What the whole square shows, in pixels of the image.
    let crop: PixelRegion
    private let visible: PixelRegion
    private let side: Int
    /// The part of the square that shows the image.
    private let (x, y): (Int, Int)
    private let (width, height): (Int, Int)

    /// nil for a crop that is not finite, or outside the region.
    init?(_ crop: PixelRegion, in region: PixelRegion, side: Int) {
        let left = max(crop.x, region.x), top = max(crop.y, region.y)
        let right = min(crop.x + crop.width, region.x + region.width)
        let bottom = min(crop.y + crop.height, region.y + region.height)
        guard crop.isFinite, region.isFinite, crop.width > 0, crop.height > 0, right > left, bottom > top else {
            return nil
        }
        visible = PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
        self.side = side
        // Whole pixels, so that the edges of the image stay sharp; the crop follows.
        func span(_ start: Double, _ length: Double, _ from: Double, _ all: Double) -> (first: Int, count: Int) {
            let first = min(max(Int(((start - from) / all * Double(side)).rounded()), 0), side - 1)
            let end = Int(((start + length - from) / all * Double(side)).rounded())
            return (first, min(max(end - first, 1), side - first))
        }
        let columns = span(visible.x, visible.width, crop.x, crop.width)
        let rows = span(visible.y, visible.height, crop.y, crop.height)
        (x, width) = (columns.first, columns.count)
        (y, height) = (rows.first, rows.count)
        let (stepX, stepY) = (visible.width / Double(width), visible.height / Double(height))
        self.crop = PixelRegion(
            x: visible.x - Double(x) * stepX, y: visible.y - Double(y) * stepY, width: Double(side) * stepX,
            height: Double(side) * stepY)
    }

    /// Returns the pixels of the square.
    func pixels(_ make: (Derivative) throws -> Raster) throws -> Raster {
        try make(Derivative(region: visible, width: width, height: height, format: .rgb8))
            .padded(toWidth: side, height: side, x: x, y: y)
    }
}
