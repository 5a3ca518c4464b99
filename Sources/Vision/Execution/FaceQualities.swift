import VisionImage
import VisionModels

/// The quality of the picture of one face, whose mesh says where it is.
private struct FaceQualityKey: ImageResultKey {
    let mesh: FaceMesh
    let region: PixelRegion

    static func byteCount(of quality: Double?) -> Int { FaceMesh.pointCount * MemoryLayout<SIMD3<Double>>.stride }
}

extension PerformContext {
    /// How good a picture of a face is, 0…1, which all requests about the face share; nil where there is nothing to
    /// see.
    ///
    /// - Throws: As `bestFaceMesh(of:)`.
    func faceQuality(of face: FaceSubject) throws -> Double? {
        guard let mesh = try bestFaceMesh(of: face) else { return nil }
        let key = FaceQualityKey(mesh: mesh, region: face.region)
        return try image.results.result(for: key) {
            let estimator = try FaceQualityEstimator()
            return try estimator.quality(of: mesh, in: key.region, threads: Settings.threadCount) {
                try cancellation.check()
                networkRuns.count()
            } pixels: {
                try image.derivative($0)
            }
        }
    }
}
