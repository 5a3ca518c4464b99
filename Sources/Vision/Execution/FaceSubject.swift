import Foundation
import VisionImage
import VisionModels

/// A face that a request looks at: given to it, or found by the detector for it.
struct FaceSubject: Sendable {
    /// The face as it was before the request. What the request returns has its uuid and its box.
    let observation: VNFaceObservation
    /// The box in pixels of the upright image, y down.
    let box: PixelRegion
    /// What the request sees of the image.
    let region: PixelRegion

    /// The face with its landmarks, as a new observation. What was known of it before stays.
    func result(landmarks: VNFaceLandmarks2D?, revision: Int, timeRange: CMTimeRange) -> VNFaceObservation {
        result(
            landmarks: landmarks, faceCaptureQuality: observation.faceCaptureQuality, revision: revision,
            timeRange: timeRange)
    }

    /// The face with its quality, as a new observation. What was known of it before stays.
    func result(faceCaptureQuality: Float?, revision: Int, timeRange: CMTimeRange) -> VNFaceObservation {
        result(
            landmarks: observation.landmarks, faceCaptureQuality: faceCaptureQuality, revision: revision,
            timeRange: timeRange)
    }

    private func result(
        landmarks: VNFaceLandmarks2D?, faceCaptureQuality: Float?, revision: Int, timeRange: CMTimeRange
    ) -> VNFaceObservation {
        VNFaceObservation(
            uuid: observation.uuid, confidence: observation.confidence, requestRevision: revision,
            boundingBox: observation.boundingBox, angles: observation.angles, landmarks: landmarks,
            faceCaptureQuality: faceCaptureQuality, timeRange: timeRange)
    }
}

/// Which faces a request looks at, fixed when the perform begins.
struct FaceChoice: Sendable {
    let region: NormalizedRegion
    /// nil for those that the detector finds.
    let given: [VNFaceObservation]?
    /// The revision of `VNDetectFaceRectanglesRequest` that finds them otherwise.
    let detectorRevision: Int

    /// - Throws: `invalidArgument` for a face without a place.
    init(region: NormalizedRegion, given: [VNFaceObservation]?, detectorRevision: Int) throws {
        for face in given ?? [] {
            let box = face.boundingBox
            let isFinite = [box.minX, box.minY, box.maxX, box.maxY].allSatisfy(\.isFinite)
            guard isFinite, box.size.width > 0, box.size.height > 0 else {
                throw visionError(
                    .invalidArgument,
                    "The box \(box.text) of an input face observation is empty or has a coordinate that is not a number."
                )
            }
        }
        self.region = region
        self.given = given
        self.detectorRevision = detectorRevision
    }
}

extension PerformContext {
    /// The faces that a request looks at: those that it was given, in their order, else those of the detector, whose
    /// result all requests about the image share.
    ///
    /// - Throws: As `faces(in:revision:)`.
    func faces(_ choice: FaceChoice) throws -> [FaceSubject] {
        let size = try image.uprightImageSize()
        let observations =
            try choice.given
            ?? faces(in: choice.region, revision: choice.detectorRevision).map { face in
                VNFaceObservation(
                    face, region: choice.region, size: size, revision: choice.detectorRevision, timeRange: timeRange)
            }
        return observations.map { face in
            FaceSubject(
                observation: face, box: choice.region.pixelBox(of: face.boundingBox, in: size),
                region: choice.region.pixels(in: size))
        }
    }
}
