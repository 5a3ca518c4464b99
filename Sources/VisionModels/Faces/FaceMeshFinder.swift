import Foundation
package import VisionImage

/// Finds the mesh of a face whose box is known, wherever the box comes from.
///
/// The network wants the face upright and in the middle. So a first look says where it is, and where that is elsewhere
/// than the box said, another look follows. The last crop is seen a second time mirrored: the mean of both is nearer to
/// the truth than either, and how far they differ says how much the mesh can be trusted. Where it cannot be, the box is
/// not one of a face as the detector would see it: then the face is looked for in all directions and at several sizes.
package struct FaceMeshFinder: Sendable {
    private let network: FaceMeshNetwork

    /// A box may be larger than what there is to see by this: beyond it nothing of a face would be left.
    private static let largestBox = 8.0
    /// An edge of a crop for the longer edge of the mesh, the forehead included.
    private static let meshMargin = 1.45
    /// Looks after the first one. Boxes of other detectors need one or two.
    private static let corrections = 3
    /// How many of the first looks in all directions are followed.
    private static let followed = 4
    /// The largest doubt about a mesh with which nothing better is looked for: where the roll is known, and where it is
    /// not. Of meshes that are right nineteen in twenty are below the second.
    private static let limits = (known: 0.015, unknown: 0.005)

    /// - Throws: `ModelStoreError`.
    package init() throws { network = try .shared() }

    /// The mesh of a face; nil where the box shows nothing of the region, or not even a pixel, or the network's numbers
    /// are none.
    ///
    /// - Parameters:
    ///   - box: the face in pixels of the image, y down, from about the brows to the chin.
    ///   - roll: how the head leans, in radians, counter-clockwise, where it is known.
    ///   - region: the part of the image that there is to see.
    ///   - threads: the most threads that a network uses; nil for all. Results do not depend on it.
    ///   - pixels: makes parts of the image.
    package func mesh(
        of box: PixelRegion, roll: Double?, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FaceMesh? {
        guard let looks = try looks(at: box, roll: roll, in: region, threads: threads, pixels: pixels) else {
            return nil
        }
        return looks.mirrored.map { looks.plain.mean(with: $0) } ?? looks.plain
    }

    /// The two looks that the mesh of a face is the mean of; nil and parameters as for the mesh.
    package func looks(
        at box: PixelRegion, roll: Double?, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> (plain: FaceMesh, mirrored: FaceMesh?)? {
        let side = max(box.width, box.height)
        guard box.isFinite, box.width >= 1, box.height >= 1, side <= Self.largestBox * max(region.width, region.height)
        else { return nil }
        var view = View(network: network, region: region, threads: threads, pixels: pixels)
        let first = FirstCrops(box: box)
        let roll = roll.flatMap { $0.isFinite ? $0 : nil }
        // Without a roll: most boxes are of upright faces, and one that stands on its head looks a little like one.
        let crops =
            roll.map { [first.crop(roll: $0, margin: FirstCrops.detectorMargin, rise: FirstCrops.detectorRise)] }
            ?? [0, .pi].map { first.crop(roll: $0, margin: FirstCrops.detectorMargin) }
        var seen = try crops.compactMap { try view.mesh(of: $0) }
        guard let start = seen.max(by: { $0.presence < $1.presence }) else { return nil }
        var best = try settled(start, &view)
        let limit = roll == nil ? Self.limits.unknown : Self.limits.known
        guard best.doubt > limit else { return (best.plain, best.mirrored) }
        seen += try first.inAllDirections.compactMap { try view.mesh(of: $0) }
        for mesh in seen.sorted(by: { $0.presence > $1.presence }).prefix(Self.followed) {
            let other = try settled(mesh, &view)
            if other.doubt < best.doubt { best = other }
            if best.doubt <= limit { break }
        }
        return (best.plain, best.mirrored)
    }

    /// Moves the crop to where the mesh is until both agree, and looks again, mirrored.
    private func settled(_ mesh: FaceMesh, _ view: inout View) throws -> Looks {
        var mesh = mesh
        for _ in 0..<Self.corrections {
            let wanted = Self.crop(of: mesh)
            if wanted.isLike(mesh.crop) { break }
            guard let next = try view.mesh(of: wanted) else { break }
            mesh = next
        }
        return Looks(plain: mesh, mirrored: try view.mesh(of: mesh.crop, mirrored: true))
    }

    private struct Looks {
        let plain: FaceMesh
        let mirrored: FaceMesh?

        /// How far both are apart, as a share of the crop, and how unsure the network is that there is a face.
        var doubt: Double {
            guard let mirrored else { return .infinity }
            let mean = plain.mean(with: mirrored)
            return mean.spread.reduce(0, +) / Double(FaceMesh.pointCount) / mean.crop.extent.x + 0.02 * (1 - mean.presence)
        }
    }

    /// The crop in which the network sees a mesh best.
    private static func crop(of mesh: FaceMesh) -> ImagePatch {
        mesh.crop(margin: meshMargin, size: FaceMeshNetwork.side)
    }

    /// Where the network may look first.
    private struct FirstCrops {
        /// An edge of the crop for the longer edge of the box, and how far its middle lies above that of the box, as a
        /// share of the same edge: what the boxes of our detector need.
        static let detectorMargin = 1.55
        static let detectorRise = 0.03
        /// What boxes that are larger or smaller need.
        private static let margins = [1.2, 2.0, 0.85]

        private let middle: SIMD2<Double>
        private let side: Double

        init(box: PixelRegion) {
            middle = SIMD2(box.x + box.width / 2, box.y + box.height / 2)
            side = max(box.width, box.height)
        }

        var inAllDirections: [ImagePatch] {
            Self.margins.flatMap { margin in [0, .pi / 2, .pi, -.pi / 2].map { crop(roll: $0, margin: margin) } }
        }

        func crop(roll: Double, margin: Double, rise: Double = 0) -> ImagePatch {
            let axis = SIMD2(cos(roll), -sin(roll))
            let up = SIMD2(axis.y, -axis.x)
            return ImagePatch(
                centre: middle + up * side * rise, side: side * margin, axis: axis, size: FaceMeshNetwork.side)
        }
    }

    /// One face as the network sees it, crop by crop.
    private struct View {
        let network: FaceMeshNetwork
        let region: PixelRegion
        let threads: Int?
        let pixels: (Derivative) throws -> Raster
        private var closeUp: FaceCloseUp?
        /// The last crop: the second look is at the same one.
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

        /// nil where the crop shows nothing of the image or the network's numbers are none.
        mutating func mesh(of crop: ImagePatch, mirrored: Bool = false) throws -> FaceMesh? {
            if last?.crop != crop {
                if closeUp?.shows(crop) != true {
                    closeUp = try FaceCloseUp(around: crop, in: region, pixels: pixels)
                }
                last = try closeUp.map { (crop, try $0.pixels(of: crop)) }
            }
            guard let last else { return nil }
            return try network.mesh(of: crop, pixels: last.pixels, mirrored: mirrored, threads: threads)
        }
    }
}

extension FaceMesh {
    /// The mean of two looks at one crop, which says how far they are apart.
    package func mean(with other: FaceMesh) -> FaceMesh {
        let means = zip(points, other.points).map { ($0 + $1) / 2 }
        let spread = zip(points, means).map { point, mean in
            let offset = SIMD2(point.x - mean.x, point.y - mean.y)
            return (offset * offset).sum().squareRoot()
        }
        return FaceMesh(points: means, presence: (presence + other.presence) / 2, crop: crop, spread: spread)
    }
}
