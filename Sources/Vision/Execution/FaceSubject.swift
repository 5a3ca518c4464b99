import VisionImage

/// A face that a request processes: an input observation, or a face that the detector found for it.
struct FaceSubject: Sendable {
    /// The face before the request. The result has its uuid and its box.
    let observation: VNFaceObservation
    /// The box in pixels of the upright image, y down.
    let box: PixelRegion
    /// The part of the image that the request sees.
    let region: PixelRegion

    /// Returns a new observation of the face with landmarks. Its other properties stay.
    func result(landmarks: VNFaceLandmarks2D?, revision: Int, timeRange: CMTimeRange) -> VNFaceObservation {
        result(
            landmarks: landmarks, faceCaptureQuality: observation.faceCaptureQuality, revision: revision,
            timeRange: timeRange)
    }

    /// Returns a new observation of the face with its quality. Its other properties stay.
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

/// Selects the faces that a request processes, fixed when the perform begins.
struct FaceChoice: Sendable {
    let region: NormalizedRegion
    /// nil for the faces that the detector finds.
    let given: [VNFaceObservation]?
    /// The revision of `VNDetectFaceRectanglesRequest` that finds them when none are given.
    let detectorRevision: Int

    /// - Throws: `invalidArgument` for a face whose box is empty or not finite.
    init(region: NormalizedRegion, given: [VNFaceObservation]?, detectorRevision: Int) throws {
        for face in given ?? [] {
            let box = face.boundingBox
            let isFinite = [box.minX, box.minY, box.maxX, box.maxY].allSatisfy(\.isFinite)
            guard isFinite, box.size.width > 0, box.size.height > 0 else {
                throw visionError(
                    .invalidArgument,
                    "The box \(box.text) of an input face observation is empty or has a coordinate that is not a "
                        + "number."
                )
            }
        }
        self.region = region
        self.given = given
        self.detectorRevision = detectorRevision
    }
}

extension PerformContext {
    /// Returns the faces that a request processes: the input observations in their order, else the faces of the
    /// detector, which all requests of the image share.
    ///
    /// - Throws: The errors of `faces(in:revision:)`.
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
