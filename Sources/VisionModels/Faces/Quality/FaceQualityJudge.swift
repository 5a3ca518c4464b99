import Foundation
package import VisionImage

/// Says how good pictures of faces are.
package struct FaceQualityJudge: Sendable {
    private let network: FaceMeshNetwork
    /// How far the second look at a face is turned, in radians, moved along its axis, in lengths of the face, and how
    /// much more it shows than the view.
    private static let turn = 0.15
    private static let move = 0.04
    private static let widening = 1.25

    /// - Throws: `ModelStoreError`.
    package init() throws { network = try .shared() }

    /// How good a picture is, 0…1; nil where the image shows nothing of the face.
    ///
    /// - Parameters:
    ///   - mesh: that of the face.
    ///   - region: the part of the image that there is to see.
    ///   - threads: the most threads that a network uses; nil for all. Results do not depend on it.
    ///   - beforeRun: called before each run of a network; what it throws ends the work.
    ///   - pixels: makes parts of the image.
    package func quality(
        of mesh: FaceMesh, in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> Double? {
        try measures(of: mesh, in: region, threads: threads, beforeRun: beforeRun, pixels: pixels)
            .map(FaceQualityModel.quality)
    }

    /// What the quality is made of; nil and parameters as for the quality.
    package func measures(
        of mesh: FaceMesh, in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> FaceQualityMeasures? {
        guard let view = try FaceQualityView(of: mesh, in: region, pixels: pixels) else { return nil }
        try beforeRun()
        return try FaceQualityMeasures(view, mesh, unrest: unrest(of: mesh, view, in: region, threads, pixels) ?? 1)
    }

    /// How far the mesh moves, in lengths of the face, in the mean of its points and at most 1, when the network looks
    /// at it a little askew.
    private func unrest(
        of mesh: FaceMesh, _ view: FaceQualityView, in region: PixelRegion, _ threads: Int?,
        _ pixels: (Derivative) throws -> Raster
    ) throws -> Double? {
        let (c, s) = (cos(Self.turn), sin(Self.turn))
        let axis = SIMD2(view.crop.axis.x * c - view.crop.axis.y * s, view.crop.axis.y * c + view.crop.axis.x * s)
        let crop = ImagePatch(
            centre: view.crop.centre + axis * (Self.move * view.length), side: Self.widening * view.crop.extent.x,
            axis: axis,
            size: FaceMeshNetwork.side)
        guard let closeUp = try FaceCloseUp(around: crop, in: region, pixels: pixels),
            let second = try network.mesh(of: crop, pixels: try closeUp.pixels(of: crop), threads: threads)
        else { return nil }
        let sum = zip(mesh.points, second.points).reduce(0.0) { sum, pair in
            let offset = SIMD2(pair.0.x - pair.1.x, pair.0.y - pair.1.y)
            return sum + (offset * offset).sum().squareRoot()
        }
        return min(sum / Double(FaceMesh.pointCount) / view.length, 1)
    }
}
