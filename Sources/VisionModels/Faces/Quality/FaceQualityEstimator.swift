import Foundation
package import VisionImage

/// Estimates face capture quality.
package struct FaceQualityEstimator: Sendable {
    private let network: FaceMeshNetwork
    /// The perturbation of the second crop: its rotation in radians, its shift along the eye axis in lengths of the
    /// face, and its side relative to that of the view.
    private static let rotation = 0.15
    private static let shift = 0.04
    private static let growth = 1.25

    /// - Throws: `ModelStoreError`.
    package init() throws { network = try .shared() }

    /// Returns the quality of a face, 0…1; nil where the face lies outside the image.
    ///
    /// - Parameters:
    ///   - mesh: The mesh of the face.
    ///   - region: The region of the image that may be read.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - beforeRun: Called before each run of a network; an error that it throws ends the estimation.
    ///   - pixels: Makes parts of the image.
    package func quality(
        of mesh: FaceMesh, in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> Double? {
        try measures(of: mesh, in: region, threads: threads, beforeRun: beforeRun, pixels: pixels)
            .map(FaceQualityModel.quality)
    }

    /// Returns the features of the quality; nil and parameters as for the quality.
    package func measures(
        of mesh: FaceMesh, in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> FaceQualityMeasures? {
        guard let view = try FaceQualityView(of: mesh, in: region, pixels: pixels) else { return nil }
        try beforeRun()
        return try FaceQualityMeasures(
            view, mesh, instability: instability(of: mesh, view, in: region, threads, pixels) ?? 1)
    }

    /// Returns the mean distance between the points of the mesh and those of a slightly rotated and shifted crop, in
    /// lengths of the face, at most 1.
    private func instability(
        of mesh: FaceMesh, _ view: FaceQualityView, in region: PixelRegion, _ threads: Int?,
        _ pixels: (Derivative) throws -> Raster
    ) throws -> Double? {
        let (c, s) = (cos(Self.rotation), sin(Self.rotation))
        let axis = SIMD2(view.crop.axis.x * c - view.crop.axis.y * s, view.crop.axis.y * c + view.crop.axis.x * s)
        let crop = ImagePatch(
            centre: view.crop.centre + axis * (Self.shift * view.length), side: Self.growth * view.crop.extent.x,
            axis: axis,
            size: FaceMeshNetwork.side)
        guard let closeUp = try CloseUp(around: crop, in: region, pixels: pixels),
            let second = try network.mesh(of: crop, pixels: try closeUp.pixels(of: crop), threads: threads)
        else { return nil }
        let sum = zip(mesh.points, second.points).reduce(0.0) { sum, pair in
            let offset = SIMD2(pair.0.x - pair.1.x, pair.0.y - pair.1.y)
            return sum + (offset * offset).sum().squareRoot()
        }
        return min(sum / Double(FaceMesh.pointCount) / view.length, 1)
    }
}
