import VisionImage
import VisionModels

/// A face in a box of the image.
private struct FacePlace: Hashable {
    let box: PixelRegion
    let region: PixelRegion
    let roll: Double?

    init(_ face: FaceSubject) {
        box = face.box
        region = face.region
        // NaN would not be equal to itself.
        roll = face.observation.roll.flatMap { $0.doubleValue.isFinite ? $0.doubleValue : nil }
    }
}

private struct FaceMeshKey: ImageResultKey {
    let place: FacePlace

    static func byteCount(of mesh: FaceMesh?) -> Int { FaceMesh.pointCount * MemoryLayout<SIMD4<Double>>.stride }
}

private struct FaceLandmarksKey: ImageResultKey {
    let place: FacePlace

    static func byteCount(of landmarks: FaceLandmarkSet?) -> Int {
        FaceMesh.pointCount * MemoryLayout<SIMD4<Double>>.stride
    }
}

extension PerformContext {
    /// The least presence of a mesh that landmarks are made of.
    private static let leastPresence = 0.2

    /// The mesh of a face, in pixels of the image, which all requests about the face share. It depends on the box, the
    /// roll (where one is known) and what the request sees of the image, not on where the face comes from.
    ///
    /// - Returns: nil where the box shows nothing of the image. Its presence says whether there is a face at all.
    /// - Throws: `ModelStoreError` where the network is not installed, `ImageError` where the image cannot be read, and
    ///   the error of a cancelled request.
    func faceMesh(of face: FaceSubject) throws -> FaceMesh? {
        try bestFaceMesh(of: face).flatMap { $0.presence >= Self.leastPresence ? $0 : nil }
    }

    /// The mesh of whatever is most like a face in the box; otherwise as `faceMesh(of:)`.
    func bestFaceMesh(of face: FaceSubject) throws -> FaceMesh? {
        try cancellation.check()
        let place = FacePlace(face)
        return try image.results.result(for: FaceMeshKey(place: place)) {
            let finder = try FaceMeshFinder()
            networkRuns.count()
            return try finder.mesh(
                of: place.box, roll: place.roll, in: place.region, threads: Settings.threadCount
            ) { try image.derivative($0) }
        }
    }

    /// The landmarks of a face, which all requests about the face share.
    ///
    /// - Returns: nil where there is no mesh, or no face that it could be of.
    /// - Throws: As `faceMesh(of:)`.
    func faceLandmarks(of face: FaceSubject) throws -> FaceLandmarkSet? {
        guard let mesh = try faceMesh(of: face), mesh.presence >= Self.leastPresence else { return nil }
        return try image.results.result(for: FaceLandmarksKey(place: FacePlace(face))) {
            let finder = try FaceLandmarkFinder()
            networkRuns.count()
            return try finder.landmarks(of: mesh, in: face.region, threads: Settings.threadCount) {
                try image.derivative($0)
            }
        }
    }
}
