import VisionImage
import VisionModels

/// The key of the capture quality of a face, which its mesh locates.
private struct FaceQualityKey: ImageResultKey {
    let mesh: FaceMesh
    let region: PixelRegion

    static func byteCount(of quality: Double?) -> Int { FaceMesh.pointCount * MemoryLayout<SIMD3<Double>>.stride }
}

extension PerformContext {
    /// Returns the capture quality of a face, 0…1; nil when its box lies outside the image. All requests for the face
    /// share it.
    ///
    /// - Throws: The errors of `bestFaceMesh(of:)`.
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
