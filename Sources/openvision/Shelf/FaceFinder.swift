import Foundation
import Vision
import VisionImage

/// Finds the faces of photos and what is wanted to be known of them.
struct FaceFinder: Sendable {
    let revision: Int
    let wantsLandmarks: Bool
    let wantsQuality: Bool

    /// Looks at a small picture with a given face first, so that what would fail for every photo is not blamed on one.
    ///
    /// - Parameter revision: of `VNDetectFaceRectanglesRequest`; nil for the newest one, which knows all angles.
    /// - Throws: `RequestFailure`.
    init(revision: Int?, wantsLandmarks: Bool, wantsQuality: Bool = false) throws {
        self.revision = revision ?? VNDetectFaceRectanglesRequest.currentRevision
        self.wantsLandmarks = wantsLandmarks
        self.wantsQuality = wantsQuality
        let picture = try CVPixelBuffer.make(width: 32, height: 32, format: kCVPixelFormatType_32BGRA, path: "probe")
        let handler = VNImageRequestHandler(cvPixelBuffer: picture)
        do {
            _ = try faces(of: handler)
            _ = try details(of: [VNFaceObservation(boundingBox: VNNormalizedIdentityRect)], handler)
        } catch {
            throw RequestFailure(path: "faces", error)
        }
    }

    struct Found: Sendable {
        /// The most confident first.
        var faces: [VNFaceObservation]
        /// Of the upright photo.
        var width: Int
        var height: Int
    }

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    func faces(of path: FilePath) throws -> Found {
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

    /// Pixels of a drawing at most along either axis.
    private static let drawingLimit = 4096.0

    /// The photo with its faces drawn on it.
    ///
    /// - Throws: `ImageError` when the file is no photo.
    static func drawing(of faces: [VNFaceObservation], on path: FilePath) throws -> CVPixelBuffer {
        let source = ImageSource(data: try PhotoFile.read(path).data)
        let size = try source.uprightSize()
        let scale = min(1, drawingLimit / Double(max(size.width, size.height)))
        let (width, height) = (
            max(1, Int((Double(size.width) * scale).rounded())), max(1, Int((Double(size.height) * scale).rounded()))
        )
        let photo = try source.derivative(
            Derivative(
                region: PixelRegion(width: size.width, height: size.height), width: width, height: height,
                format: .bgra8))
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: path.printable)
        try Canvas.paint(on: buffer) { canvas in
            canvas.draw(photo, x: 0, y: 0)
            FacePainter(width: width, height: height).draw(faces, on: canvas)
        }
        return buffer
    }
}
