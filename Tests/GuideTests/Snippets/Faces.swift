import Foundation
import Vision

/// The snippet of the guide about faces; returns what it prints.
func findFaces(in photo: URL) async throws -> [String] {
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    // snippet: faces
    let handler = ImageRequestHandler(photo)
    let faces = try await handler.perform(DetectFaceRectanglesRequest())

    // The other requests take the faces that were found, so that nothing is searched twice.
    var landmarks = DetectFaceLandmarksRequest()
    landmarks.inputFaceObservations = faces
    var quality = DetectFaceCaptureQualityRequest()
    quality.inputFaceObservations = faces
    let (outlined, rated) = try await handler.perform(landmarks, quality)

    for (face, rating) in zip(outlined, rated) {
        let turned = face.yaw.converted(to: .degrees).value.rounded()
        let lips = face.landmarks?.outerLips.points.count ?? 0
        print("turned by \(turned)°, \(lips) points of the lips, quality \(rating.captureQuality?.score ?? 0)")
    }
    // end
    return lines
}

/// The boxes in pixels from the top left, as most drawing libraries want them.
func faceBoxes(in photo: URL, imageSize: CGSize) async throws -> [CGRect] {
    // snippet: boxes
    let faces = try await DetectFaceRectanglesRequest().perform(on: photo)
    let boxes = faces.map { $0.boundingBox.toImageCoordinates(imageSize, origin: .upperLeft) }
    // end
    return boxes
}
