package import Vision

/// Finds the faces of photos and the requested attributes.
package struct FaceFinder: Sendable {
    package let revision: Int
    package let wantsLandmarks: Bool
    package let wantsQuality: Bool

    /// Processes a small image first, so that an error that affects every photo is not reported for one of them.
    ///
    /// - Parameter revision: The revision of `VNDetectFaceRectanglesRequest`; nil for the newest, which returns all
    ///   angles.
    /// - Throws: `RequestFailure`.
    package init(revision: Int?, wantsLandmarks: Bool, wantsQuality: Bool = false) throws {
        self.revision = revision ?? VNDetectFaceRectanglesRequest.currentRevision
        self.wantsLandmarks = wantsLandmarks
        self.wantsQuality = wantsQuality
        let handler = VNImageRequestHandler(cvPixelBuffer: try ProbeImage.make())
        do {
            _ = try faces(of: handler)
            _ = try details(of: [VNFaceObservation(boundingBox: VNNormalizedIdentityRect)], handler)
        } catch {
            throw RequestFailure(path: "faces", error)
        }
    }

    package struct Found: Sendable {
        /// The most confident first.
        package var faces: [VNFaceObservation]
        /// The size of the upright photo.
        package var width: Int
        package var height: Int
    }

    /// - Throws: The error of the request, or of reading a file that is not an image.
    package func faces(of path: FilePath) throws -> Found { try facesAndPhoto(of: path).found }

    /// Returns the photo too, with what the requests have made of it.
    func facesAndPhoto(of path: FilePath) throws -> (found: Found, photo: ImageSource) {
        let handler = VNImageRequestHandler(data: try PhotoFile.read(path).data)
        let faces = try details(of: try faces(of: handler), handler)
        let photo = try handler.imageSource()
        let size = try photo.uprightSize()
        return (Found(faces: faces, width: size.width, height: size.height), photo)
    }

    private func faces(of handler: VNImageRequestHandler) throws -> [VNFaceObservation] {
        let request = VNDetectFaceRectanglesRequest()
        request.revision = revision
        try handler.perform([request])
        return request.results ?? []
    }

    private func details(
        of faces: [VNFaceObservation], _ handler: VNImageRequestHandler
    ) throws -> [VNFaceObservation] {
        var faces = faces
        if wantsQuality {
            let request = VNDetectFaceCaptureQualityRequest()
            request.inputFaceObservations = faces
            try handler.perform([request])
            faces = request.results ?? faces
        }
        if wantsLandmarks {
            let request = VNDetectFaceLandmarksRequest()
            request.revision = VNDetectFaceLandmarksRequestRevision3
            request.inputFaceObservations = faces
            try handler.perform([request])
            faces = request.results ?? faces
        }
        return faces
    }
}
