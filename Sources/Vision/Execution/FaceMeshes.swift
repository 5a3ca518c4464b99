import VisionImage
import VisionModels

/// The location of a face: the key of its cached results.
private struct FaceLocation: Hashable {
    let box: PixelRegion
    let region: PixelRegion
    let roll: Double?

    init(_ face: FaceSubject) {
        box = face.box
        region = face.region
        // NaN is not equal to itself and would never be found in the cache.
        roll = face.observation.roll.flatMap { $0.doubleValue.isFinite ? $0.doubleValue : nil }
    }
}

private struct FaceMeshKey: ImageResultKey {
    let location: FaceLocation

    static func byteCount(of mesh: FaceMesh?) -> Int { FaceMesh.pointCount * MemoryLayout<SIMD4<Double>>.stride }
}

private struct FaceLandmarksKey: ImageResultKey {
    let location: FaceLocation

    static func byteCount(of landmarks: FaceLandmarkSet?) -> Int {
        FaceMesh.pointCount * MemoryLayout<SIMD4<Double>>.stride
    }
}

extension PerformContext {
    /// The lowest presence of a mesh for which landmarks are computed.
    private static let minimumPresence = 0.2

    /// Returns the mesh of a face, in pixels of the image. All requests for the face share it. It depends on the box,
    /// the roll (if known) and the region of interest, but not on the origin of the face.
    ///
    /// - Returns: nil when the box lies outside the image, or when the presence of a face is too low.
    /// - Throws: `ModelStoreError` when the network is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func faceMesh(of face: FaceSubject) throws -> FaceMesh? {
        try bestFaceMesh(of: face).flatMap { $0.presence >= Self.minimumPresence ? $0 : nil }
    }

    /// Returns the mesh in the box, whatever its presence; otherwise like `faceMesh(of:)`.
    func bestFaceMesh(of face: FaceSubject) throws -> FaceMesh? {
        try cancellation.check()
        let location = FaceLocation(face)
        return try image.results.result(for: FaceMeshKey(location: location)) {
            let finder = try FaceMeshFinder()
            networkRuns.count()
            return try finder.mesh(
                of: location.box, roll: location.roll, in: location.region, threads: Settings.threadCount
            ) { try image.derivative($0) }
        }
    }

    /// Returns the landmarks of a face. All requests for the face share them.
    ///
    /// - Returns: nil when there is no mesh, or when the presence of a face is too low.
    /// - Throws: The errors of `faceMesh(of:)`.
    func faceLandmarks(of face: FaceSubject) throws -> FaceLandmarkSet? {
        guard let mesh = try faceMesh(of: face), mesh.presence >= Self.minimumPresence else { return nil }
        return try image.results.result(for: FaceLandmarksKey(location: FaceLocation(face))) {
            let finder = try FaceLandmarkFinder()
            networkRuns.count()
            return try finder.landmarks(of: mesh, in: face.region, threads: Settings.threadCount) {
                try image.derivative($0)
            }
        }
    }
}
