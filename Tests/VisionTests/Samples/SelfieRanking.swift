// Ranks selfies by their capture quality and keeps their landmarks, as written for Apple's Swift API.
import Vision

struct Selfie: Sendable {
    let photo: Data
    let score: Float
    let faces: [FaceObservation]
}

enum SelfieRanking {
    static func processSelfie(photo: Data) async throws -> Selfie {
        let detectFacesRequest = DetectFaceRectanglesRequest()
        var qualityRequest = DetectFaceCaptureQualityRequest()
        var landmarksRequest = DetectFaceLandmarksRequest()

        let handler = ImageRequestHandler(photo)
        let faceObservations = try await handler.perform(detectFacesRequest)
        qualityRequest.inputFaceObservations = faceObservations
        landmarksRequest.inputFaceObservations = faceObservations
        let (qualityResults, landmarksResults) = try await handler.perform(qualityRequest, landmarksRequest)

        let score = qualityResults.first?.captureQuality?.score ?? 0
        return Selfie(photo: photo, score: score, faces: landmarksResults)
    }

    static func processAll(_ photos: [Data]) async throws -> [Selfie] {
        var selfies: [Selfie] = []
        try await withThrowingTaskGroup(of: Selfie.self) { group in
            for photo in photos { group.addTask { try await processSelfie(photo: photo) } }
            for try await selfie in group { selfies.append(selfie) }
        }
        return selfies.sorted { $0.score > $1.score }
    }

    /// The outlines of a face in pixels of a view.
    static func outlines(of face: FaceObservation, in size: CGSize) -> [[CGPoint]] {
        guard let landmarks = face.landmarks else { return [] }
        let regions = [
            landmarks.faceContour, landmarks.leftEye, landmarks.rightEye, landmarks.outerLips, landmarks.nose,
        ]
        return regions.map { $0.pointsInImageCoordinates(size, origin: .upperLeft) }
    }
}
