package import VisionImage

/// Finds the landmarks of a face whose mesh is known.
package struct FaceLandmarkFinder: Sendable {
    private let irises: IrisNetwork
    private let refiner: FaceLandmarkRefiner

    /// - Throws: `ModelStoreError`.
    package init() throws {
        irises = try .shared()
        refiner = try .shared()
    }

    /// The landmarks of a face.
    ///
    /// - Parameters:
    ///   - mesh: what `FaceMeshFinder` found.
    ///   - region: the part of the image that there is to see.
    ///   - threads: the most threads that a network uses; nil for all. Results do not depend on it.
    ///   - pixels: makes parts of the image.
    package func landmarks(
        of mesh: FaceMesh, in region: PixelRegion, threads: Int? = nil, pixels: (Derivative) throws -> Raster
    ) throws -> FaceLandmarkSet {
        // The same derivative as that of the mesh, in most cases.
        let closeUp = try FaceCloseUp(around: mesh.crop, in: region, pixels: pixels)
        func pupil(isLeft: Bool) throws -> SIMD2<Double>? {
            let corners = IrisNetwork.corners(isLeft: isLeft).map { SIMD2(mesh.points[$0].x, mesh.points[$0].y) }
            let crop = IrisNetwork.crop(from: corners[0], to: corners[1])
            guard let seen = try closeUp?.pixels(of: crop),
                let pupil = try irises.pupil(in: crop, pixels: seen, isLeft: isLeft, threads: threads)
            else { return nil }
            // Beyond the corners of the eye there is none: the network was led astray.
            let (middle, across) = ((corners[0] + corners[1]) / 2, corners[1] - corners[0])
            let offset = pupil - middle
            return (offset * offset).sum() * 4 <= (across * across).sum() ? pupil : nil
        }
        let start = FaceLandmarkSet.points68(of: mesh)
        let points =
            try closeUp.map {
                try refiner.points(
                    start, of: mesh, pixels: $0.pixels(of: FaceLandmarkRefiner.crop(of: mesh)))
            } ?? start
        return FaceLandmarkSet(
            mesh, points: points, rightPupil: try pupil(isLeft: false), leftPupil: try pupil(isLeft: true))
    }
}
