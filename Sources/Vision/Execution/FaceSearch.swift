import VisionImage
import VisionModels

/// The faces in a region of an image, found by one revision.
private struct FacesKey: ImageResultKey {
    let region: PixelRegion
    let settings: FaceDetector.Settings

    static func byteCount(of faces: [DetectedFace]) -> Int {
        faces.count * FaceMesh.pointCount * MemoryLayout<SIMD3<Double>>.stride
    }
}

extension PerformContext {
    /// Returns the faces in a region of the image, in pixels of the image. All requests of the image share them.
    ///
    /// - Parameter revision: The revision of `VNDetectFaceRectanglesRequest`.
    /// - Throws: `ModelStoreError` when a network is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func faces(in region: NormalizedRegion, revision: Int) throws -> [DetectedFace] {
        let settings: FaceDetector.Settings =
            revision == VNDetectFaceRectanglesRequestRevision1 ? .upright : .anyOrientation
        let key = FacesKey(region: region.pixels(in: try image.uprightImageSize()), settings: settings)
        let faces = try image.results.result(for: key) {
            let detector = try FaceDetector(settings)
            return try detector.faces(in: key.region, threads: Settings.threadCount) {
                // Requests that wait for this result restart the search if it is cancelled.
                try cancellation.check()
                networkRuns.count()
            } pixels: {
                try image.derivative($0)
            }
        }
        try cancellation.check()
        return faces
    }
}
