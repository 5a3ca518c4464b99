// From a face to its landmarks, in the ways that are written for Apple's framework.

import Foundation
import Vision

/// Faces alone; landmarks of all faces; landmarks of the faces that were found before.
struct FaceLandmarkFlow {
    var detected: [VNFaceObservation] = []
    var implicit: [VNFaceObservation] = []
    var explicit: [VNFaceObservation] = []

    init(imageHandler: VNImageRequestHandler, otherHandler: VNImageRequestHandler) throws {
        // Faces in three lines.
        let request = VNDetectFaceRectanglesRequest()
        try imageHandler.perform([request])
        guard let faces = request.results as? [VNFaceObservation] else { return }
        detected = faces

        // Implicit: the request detects faces itself.
        let landmarksRequest = VNDetectFaceLandmarksRequest { request, error in
            guard error == nil, let observations = request.results as? [VNFaceObservation] else { return }
            for observation in observations {
                print(observation.uuid, observation.boundingBox, observation.landmarks?.allPoints?.pointCount ?? 0)
            }
        }
        try otherHandler.perform([landmarksRequest])
        implicit = landmarksRequest.results as? [VNFaceObservation] ?? []

        // Explicit: only the faces that it is given.
        let chosen = faces.filter { $0.boundingBox.minX > 0 && $0.boundingBox.maxX < 1 }
        let explicitRequest = VNDetectFaceLandmarksRequest()
        explicitRequest.inputFaceObservations = chosen
        try imageHandler.perform([explicitRequest])
        explicit = explicitRequest.results as? [VNFaceObservation] ?? []
    }
}

/// One line a face: its points, their confidence, its regions.
func landmarkReport(handler: VNImageRequestHandler) throws -> [String] {
    let request = VNDetectFaceLandmarksRequest()
    request.revision = VNDetectFaceLandmarksRequestRevision3
    if VNDetectFaceLandmarksRequest.revision(
        request.revision, supportsConstellation: VNRequestFaceLandmarksConstellation.constellation76Points)
    {
        request.constellation = .constellation76Points
    }
    try handler.perform([request])
    guard let observations = request.results as? [VNFaceObservation] else { return [] }
    return observations.compactMap { observation -> String? in
        guard let landmarks = observation.landmarks, let all = landmarks.allPoints else { return nil }
        var line = String(format: "%d points, confidence %.2f", all.pointCount, landmarks.confidence)
        for (name, region) in [("leftEye", landmarks.leftEye), ("nose", landmarks.nose)] {
            guard let region = region else { continue }
            let points: [CGPoint] = region.normalizedPoints
            let precision: [Float] = region.precisionEstimatesPerPoint ?? []
            line += ", \(name) \(region.pointCount): "
            line += zip(points, precision).map { "(\($0.x), \($0.y)) ± \($1)" }.joined(separator: " ")
        }
        return line
    }
}
