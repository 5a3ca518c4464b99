import Foundation
package import Vision
import VisionImage

/// Finds the faces of photos and what is wanted to be known of them.
package struct FaceFinder: Sendable {
    package let revision: Int
    package let wantsLandmarks: Bool
    package let wantsQuality: Bool

    /// Looks at a small picture with a given face first, so that what would fail for every photo is not blamed on one.
    ///
    /// - Parameter revision: of `VNDetectFaceRectanglesRequest`; nil for the newest one, which knows all angles.
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
        /// Of the upright photo.
        package var width: Int
        package var height: Int
    }

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    package func faces(of path: FilePath) throws -> Found {
        let data = try PhotoFile.read(path).data
        let handler = VNImageRequestHandler(data: data)
        let faces = try details(of: try faces(of: handler), handler)
        let size = try ImageSource(data: data).uprightSize()
        return Found(faces: faces, width: size.width, height: size.height)
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
