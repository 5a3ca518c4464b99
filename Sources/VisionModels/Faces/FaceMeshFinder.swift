import Foundation
package import VisionImage

/// Finds the mesh of a face with a known box from any detector.
///
/// The network needs the face upright and centred. So the crop is corrected by the mesh and the network runs again
/// until both agree. The network also processes the mirrored last crop: the mean of both meshes is more accurate than
/// either, and their difference estimates the error. Where the estimate is large, the box does not follow the
/// conventions of our detector: then the search starts again from crops in four orientations and at several sizes.
package struct FaceMeshFinder: Sendable {
    private let network: FaceMeshNetwork

    /// The largest side of a box relative to the region that may be read: a larger one shows nothing of a face.
    private static let largestBox = 8.0
    /// The side of a crop relative to the longer side of the mesh, including the forehead.
    private static let meshMargin = 1.45
    /// The maximum number of corrections of the crop. Boxes of other detectors need one or two.
    private static let corrections = 3
    /// The number of initial meshes of all orientations that are refined.
    private static let refined = 4
    /// The largest estimated error of a mesh that ends the search: with a known roll, and with an unknown one. 95% of
    /// the right meshes are below the second.
    private static let limits = (known: 0.015, unknown: 0.005)

    /// - Throws: `ModelStoreError`.
    package init() throws { network = try .shared() }

    /// Returns the mesh of a face; nil where the box lies outside the region or is smaller than a pixel, or the
    /// network's outputs are not finite.
    ///
    /// - Parameters:
    ///   - box: The box of the face, in pixels of the image, y down, from about the brows to the chin.
    ///   - roll: The roll of the head, in radians, counter-clockwise; nil where it is not known.
    ///   - region: The region of the image that may be read.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - pixels: Makes parts of the image.
    package func mesh(
        of box: PixelRegion, roll: Double?, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FaceMesh? {
        guard let meshes = try meshes(of: box, roll: roll, in: region, threads: threads, pixels: pixels) else {
            return nil
        }
        return meshes.mirrored.map { meshes.plain.mean(with: $0) } ?? meshes.plain
    }

    /// Returns the meshes of the crop and of its mirror image, whose mean is `mesh`; nil and parameters as for it.
    package func meshes(
        of box: PixelRegion, roll: Double?, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> (plain: FaceMesh, mirrored: FaceMesh?)? {
        let side = max(box.width, box.height)
        guard box.isFinite, box.width >= 1, box.height >= 1, side <= Self.largestBox * max(region.width, region.height)
        else { return nil }
        var view = View(network: network, region: region, threads: threads, pixels: pixels)
        let first = FirstCrops(box: box)
        let roll = roll.flatMap { $0.isFinite ? $0 : nil }
        // Without a roll: most faces are upright, and an upside-down one often gives a weak mesh as well.
        let crops =
            roll.map { [first.crop(roll: $0, margin: FirstCrops.detectorMargin, rise: FirstCrops.detectorRise)] }
            ?? [0, .pi].map { first.crop(roll: $0, margin: FirstCrops.detectorMargin) }
        var initial = try crops.compactMap { try view.mesh(of: $0) }
        guard let start = initial.max(by: { $0.presence < $1.presence }) else { return nil }
        var best = try refined(start, &view)
        let limit = roll == nil ? Self.limits.unknown : Self.limits.known
        guard best.estimatedError > limit else { return (best.plain, best.mirrored) }
        initial += try first.allOrientations.compactMap { try view.mesh(of: $0) }
        for mesh in initial.sorted(by: { $0.presence > $1.presence }).prefix(Self.refined) {
            let other = try refined(mesh, &view)
            if other.estimatedError < best.estimatedError { best = other }
            if best.estimatedError <= limit { break }
        }
        return (best.plain, best.mirrored)
    }

    /// Corrects the crop by the mesh until both agree, and adds the mesh of the mirrored crop.
    private func refined(_ mesh: FaceMesh, _ view: inout View) throws -> MeshPair {
        var mesh = mesh
        for _ in 0..<Self.corrections {
            let corrected = Self.crop(of: mesh)
            if corrected.isLike(mesh.crop) { break }
            guard let next = try view.mesh(of: corrected) else { break }
            mesh = next
        }
        return MeshPair(plain: mesh, mirrored: try view.mesh(of: mesh.crop, mirrored: true))
    }

    private struct MeshPair {
        let plain: FaceMesh
        let mirrored: FaceMesh?

        /// The difference of both as a share of the crop, plus a term that falls with the presence.
        var estimatedError: Double {
            guard let mirrored else { return .infinity }
            let mean = plain.mean(with: mirrored)
            return mean.spread.reduce(0, +) / Double(FaceMesh.pointCount) / mean.crop.extent.x
                + 0.02 * (1 - mean.presence)
        }
    }

    /// Returns the crop of a mesh that the network was trained on.
    private static func crop(of mesh: FaceMesh) -> ImagePatch {
        mesh.crop(margin: meshMargin, size: FaceMeshNetwork.side)
    }

    /// The initial crops of a box.
    private struct FirstCrops {
        /// For boxes of our detector: the side of the crop relative to the longer side of the box, and the offset of
        /// its centre above that of the box, relative to the same side.
        static let detectorMargin = 1.55
        static let detectorRise = 0.03
        /// The relative sides for boxes of other conventions.
        private static let margins = [1.2, 2.0, 0.85]

        private let middle: SIMD2<Double>
        private let side: Double

        init(box: PixelRegion) {
            middle = SIMD2(box.x + box.width / 2, box.y + box.height / 2)
            side = max(box.width, box.height)
        }

        var allOrientations: [ImagePatch] {
            Self.margins.flatMap { margin in [0, .pi / 2, .pi, -.pi / 2].map { crop(roll: $0, margin: margin) } }
        }

        func crop(roll: Double, margin: Double, rise: Double = 0) -> ImagePatch {
            let axis = SIMD2(cos(roll), -sin(roll))
            let up = SIMD2(axis.y, -axis.x)
            return ImagePatch(
                centre: middle + up * side * rise, side: side * margin, axis: axis, size: FaceMeshNetwork.side)
        }
    }

    /// The crops of one face, with a cached close-up.
    private struct View {
        let network: FaceMeshNetwork
        let region: PixelRegion
        let threads: Int?
        let pixels: (Derivative) throws -> Raster
        private var closeUp: CloseUp?
        /// The last crop: the mirrored run uses it again.
        private var last: (crop: ImagePatch, pixels: Raster)?

        init(
            network: FaceMeshNetwork, region: PixelRegion, threads: Int?,
            pixels: @escaping (Derivative) throws -> Raster
        ) {
            self.network = network
            self.region = region
            self.threads = threads
            self.pixels = pixels
        }

        /// Returns the mesh of a crop; nil where it lies outside the image or the network's outputs are not finite.
        mutating func mesh(of crop: ImagePatch, mirrored: Bool = false) throws -> FaceMesh? {
            if last?.crop != crop {
                if closeUp?.covers(crop) != true {
                    closeUp = try CloseUp(around: crop, in: region, pixels: pixels)
                }
                last = try closeUp.map { (crop, try $0.pixels(of: crop)) }
            }
            guard let last else { return nil }
            return try network.mesh(of: crop, pixels: last.pixels, mirrored: mirrored, threads: threads)
        }
    }
}

extension FaceMesh {
    /// Returns the mean of two meshes of one crop, with their distances from it in `spread`.
    package func mean(with other: FaceMesh) -> FaceMesh {
        let means = zip(points, other.points).map { ($0 + $1) / 2 }
        let spread = zip(points, means).map { point, mean in
            let offset = SIMD2(point.x - mean.x, point.y - mean.y)
            return (offset * offset).sum().squareRoot()
        }
        return FaceMesh(points: means, presence: (presence + other.presence) / 2, crop: crop, spread: spread)
    }
}
