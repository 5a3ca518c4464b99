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

    /// Returns the landmarks of a face.
    ///
    /// - Parameters:
    ///   - mesh: The result of `FaceMeshFinder`.
    ///   - region: The region of the image that may be read.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - pixels: Makes parts of the image.
    package func landmarks(
        of mesh: FaceMesh, in region: PixelRegion, threads: Int? = nil, pixels: (Derivative) throws -> Raster
    ) throws -> FaceLandmarkSet {
        // In most cases this is the derivative that the mesh was found in, which is cached.
        let closeUp = try CloseUp(around: mesh.crop, in: region, pixels: pixels)
        func pupil(isLeft: Bool) throws -> SIMD2<Double>? {
            let corners = IrisNetwork.corners(isLeft: isLeft).map { SIMD2(mesh.points[$0].x, mesh.points[$0].y) }
            let crop = IrisNetwork.crop(from: corners[0], to: corners[1])
            guard let patch = try closeUp?.pixels(of: crop),
                let pupil = try irises.pupil(in: crop, pixels: patch, isLeft: isLeft, threads: threads)
            else { return nil }
            // A pupil beyond the corners of the eye is an error of the network.
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
