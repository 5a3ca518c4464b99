import Foundation
package import VisionImage

/// Finds the mesh of a face whose box is known, wherever the box comes from.
package struct FaceMeshFinder: Sendable {
    private let network: FaceMeshNetwork

    /// A box may be larger than what there is to see by this: beyond it nothing of a face would be left.
    private static let largestBox = 8.0

    /// - Throws: `ModelStoreError`.
    package init() throws { network = try .shared() }

    /// The mesh of a face; nil where the box shows nothing of the region or the network's numbers are none.
    ///
    /// - Parameters:
    ///   - box: the face in pixels of the image, y down, from about the brows to the chin.
    ///   - roll: how the head leans, in radians, counter-clockwise, where it is known.
    ///   - region: the part of the image that there is to see.
    ///   - threads: the most threads that a network uses; nil for all. Results do not depend on it.
    ///   - pixels: makes parts of the image.
    package func mesh(
        of box: PixelRegion, roll: Double?, in region: PixelRegion, threads: Int? = nil,
        pixels: (Derivative) throws -> Raster
    ) throws -> FaceMesh? {
        let side = max(box.width, box.height)
        guard box.isFinite, box.width > 0, box.height > 0, side <= Self.largestBox * max(region.width, region.height)
        else { return nil }
        let centre = SIMD2(box.x + box.width / 2, box.y + box.height / 2)
        let roll = roll.flatMap { $0.isFinite ? $0 : nil } ?? 0
        let first = FaceCrop(
            centre: centre, side: side * FaceMeshNetwork.margin, axis: SIMD2(cos(roll), -sin(roll)),
            size: FaceMeshNetwork.side)
        guard let closeUp = try FaceCloseUp(around: first, in: region, pixels: pixels) else { return nil }
        return try network.mesh(of: first, pixels: try closeUp.pixels(of: first), threads: threads)
    }
}
