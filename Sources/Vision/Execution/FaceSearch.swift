import VisionImage
import VisionModels

/// The faces of one part of an image, found in one way.
private struct FacesKey: ImageResultKey {
    let region: PixelRegion
    let settings: FaceDetector.Settings

    static func byteCount(of faces: [DetectedFace]) -> Int {
        faces.count * FaceMesh.pointCount * MemoryLayout<SIMD3<Double>>.stride
    }
}

extension PerformContext {
    /// The faces of the image, in its pixels, which all requests about it share.
    ///
    /// - Parameter revision: that of `VNDetectFaceRectanglesRequest`.
    /// - Throws: `ModelStoreError` where a network is not installed, `ImageError` where the image cannot be read, and
    ///   the error of a cancelled request.
    func faces(in region: NormalizedRegion, revision: Int) throws -> [DetectedFace] {
        let settings: FaceDetector.Settings =
            revision == VNDetectFaceRectanglesRequestRevision1 ? .upright : .anyOrientation
        let key = FacesKey(region: region.pixels(in: try image.uprightImageSize()), settings: settings)
        let faces = try image.results.result(for: key) {
            let detector = try FaceDetector(settings)
            return try detector.faces(in: key.region, threads: Settings.threadCount) {
                // Others that wait for the result begin the search again where this one ends.
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
