import Foundation
import VisionImage
import VisionModels

/// The degradation of an image of a face. Each number is 0, or 1 for factors, for no change. The steps are applied in
/// the order in which they occur in a camera.
struct FaceDegradation {
    /// Radians by which the head is rotated further away from the camera.
    var yaw = 0.0
    /// How far the eyes are closed, 0…1.
    var eyes = 0.0
    /// How far the mouth opens, in widths of the face.
    var mouth = 0.0
    /// The share of the face's box that is occluded.
    var occlusion = 0.0
    /// The occluder; the same in all images of a series.
    var occluder = Occluder()
    /// The exponent that darkens, 1 for none.
    var gamma = 1.0
    /// The factor that overexposes, 1 for a face whose brightest tenth is just below white; nil for the photo's own
    /// light.
    var gain: Double?
    /// The radius (standard deviation) of the blur in widths of the face.
    var blur = 0.0
    /// The factor by which the image is reduced, 1 for none.
    var shrink = 1.0
    /// The standard deviation of the noise in grey levels of 256.
    var noise = 0.0

    struct Occluder {
        /// The direction from which it comes, in radians.
        var direction = 0.0
        /// Red, green and blue.
        var colour = SIMD3<Double>(90, 90, 90)
        /// Stripes over it, in grey levels.
        var texture = 0.0
    }
}

/// An image of one face and its box in pixels, y down.
struct FacePhoto {
    let raster: Raster
    let box: PixelRegion

    /// The surroundings of the face, within the photo.
    init(_ photo: Raster, _ box: PixelRegion) {
        let (size, x, y) = (max(box.width, box.height), box.x + box.width / 2, box.y + box.height / 2)
        let left = Int(max(x - 1.0 * size, 0))
        let top = Int(max(y - 1.0 * size, 0))
        let right = min(Int(x + 1.0 * size), photo.width)
        let bottom = min(Int(y + 1.0 * size), photo.height)
        raster = photo.cropped(x: left, y: top, width: right - left, height: bottom - top)
        self.box = PixelRegion(x: box.x - Double(left), y: box.y - Double(top), width: box.width, height: box.height)
    }

    private init(raster: Raster, box: PixelRegion) {
        self.raster = raster
        self.box = box
    }

    /// - Parameter mesh: that of the face in this photo.
    func degraded(_ change: FaceDegradation, mesh: FaceMesh, seed: UInt64) throws -> FacePhoto {
        var image = FloatImage(raster)
        if change.yaw > 0 || change.eyes > 0 || change.mouth > 0 {
            image = FaceBending(mesh).bent(image, yaw: change.yaw, eyes: change.eyes, mouth: change.mouth)
        }
        if change.occlusion > 0 { hide(&image, change.occlusion, change.occluder) }
        if change.gamma != 1 || change.gain != nil {
            // More light does not degrade a face in the dark.
            let gain = Float(change.gain.map { $0 * max(1, 225 / Double(image.bright(in: self.box))) } ?? 1)
            image.map { min(255 * pow($0 / 255, Float(change.gamma)) * gain, 255) }
        }
        if change.blur > 0 { image.blur(sigma: change.blur * box.width) }
        var (result, box) = (try image.raster(), self.box)
        if change.shrink < 1 {
            let width = max(Int((Double(raster.width) * change.shrink).rounded()), 8)
            let height = max(Int((Double(raster.height) * change.shrink).rounded()), 8)
            result = try result.resized(width: width, height: height, filter: .area)
            let (scaleX, scaleY) = (Double(width) / Double(raster.width), Double(height) / Double(raster.height))
            box = PixelRegion(
                x: box.x * scaleX, y: box.y * scaleY, width: box.width * scaleX, height: box.height * scaleY)
        }
        if change.noise > 0 {
            var noisy = FloatImage(result)
            noisy.addNoise(sigma: change.noise, seed: seed)
            result = try noisy.raster()
        }
        return FacePhoto(raster: result, box: box)
    }

    /// A straight edge moves over the box from one direction until the share of it is hidden.
    private func hide(_ image: inout FloatImage, _ share: Double, _ occluder: FaceDegradation.Occluder) {
        let across = SIMD2(cos(occluder.direction), sin(occluder.direction))
        let middle = SIMD2(box.x + box.width / 2, box.y + box.height / 2)
        // Of the ellipse in the box: its corners are background.
        let reach = (across * across * SIMD2(box.width * box.width, box.height * box.height)).sum().squareRoot() / 2
        let edge = -reach + 2 * reach * share
        for y in 0..<image.height {
            for x in 0..<image.width {
                let point = SIMD2(Double(x), Double(y)) + 0.5
                let offset = point - middle
                let depth = (offset * across).sum()
                // As wide as the face, not as the photo.
                let along = abs(offset.x * across.y - offset.y * across.x)
                guard depth < edge, depth > -2.5 * reach, along < 0.8 * max(box.width, box.height) else { continue }
                let stripes = occluder.texture * sin(0.5 * point.x / box.width * 60 + 0.8 * point.y / box.width * 60)
                for channel in 0..<3 {
                    image.planes[channel][y * image.width + x] = Float(
                        min(max(occluder.colour[channel] + stripes, 0), 255))
                }
            }
        }
    }
}
