import VisionImage
import VisionModels

/// The mesh of the face in a box of the image.
private struct FaceMeshKey: ImageResultKey {
    let box: PixelRegion
    let region: PixelRegion
    let roll: Double?

    static func byteCount(of mesh: FaceMesh?) -> Int { FaceMesh.pointCount * MemoryLayout<SIMD3<Double>>.stride }
}

extension PerformContext {
    /// The mesh of a face, in pixels of the image, which all requests about the face share. It depends on the box, the roll
    /// (where one is known) and what the request sees of the image, not on where the face comes from.
    ///
    /// - Returns: nil where the box shows nothing of the image, or nothing that could be a face.
    /// - Throws: `ModelStoreError` where the network is not installed, `ImageError` where the image cannot be read, and the
    ///   error of a cancelled request.
    func faceMesh(of face: FaceSubject) throws -> FaceMesh? {
        try cancellation.check()
        let roll = face.observation.roll?.doubleValue
        let key = FaceMeshKey(box: face.box, region: face.region, roll: roll.flatMap { $0.isFinite ? $0 : nil })
        return try image.results.result(for: key) {
            let finder = try FaceMeshFinder()
            networkRuns.count()
            return try finder.mesh(of: key.box, roll: key.roll, in: key.region, threads: Settings.threadCount) {
                try image.derivative($0)
            }
        }
    }
}
