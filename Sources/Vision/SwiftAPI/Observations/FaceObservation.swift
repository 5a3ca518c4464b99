/// A face.
public struct FaceObservation: WrappedObservation, BoundingBoxProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNFaceObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The quality of a face for a portrait.
    public struct CaptureQuality: Codable, Hashable, Sendable, CustomStringConvertible {
        /// The quality, 0…1: comparable among photographs of one person.
        public let score: Float
        /// The request that made it.
        public let originatingRequestDescriptor: RequestDescriptor?

        /// A text for logs.
        public var description: String { "\(score)" }
    }

    /// The quality of the face for a portrait; nil if no `DetectFaceCaptureQualityRequest` was performed.
    public var captureQuality: CaptureQuality? {
        classic.faceCaptureQuality.map {
            CaptureQuality(score: $0, originatingRequestDescriptor: originatingRequestDescriptor)
        }
    }

    /// The landmarks; nil if no `DetectFaceLandmarksRequest` was performed.
    public var landmarks: Landmarks2D? {
        classic.landmarks.map { Landmarks2D(classic: $0, originatingRequestDescriptor: originatingRequestDescriptor) }
    }

    /// The rotation about the axis of view, counter-clockwise; 0 if it is unknown.
    public var roll: Measurement<UnitAngle> { Self.angle(classic.angles.roll) }
    /// The rotation about the vertical axis; 0 if it is unknown.
    public var yaw: Measurement<UnitAngle> { Self.angle(classic.angles.yaw) }
    /// The rotation about the horizontal axis; 0 if it is unknown.
    public var pitch: Measurement<UnitAngle> { Self.angle(classic.angles.pitch) }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNFaceObservation) { self.init(observation, descriptor: nil) }

    /// Creates an observation from the box of a face, as an input of other requests; its confidence is 1.
    public init(boundingBox: NormalizedRect, revision: DetectFaceRectanglesRequest.Revision? = nil) {
        let revision = revision ?? .revision3
        self.init(
            VNFaceObservation(requestRevision: revision.classic, boundingBox: boundingBox.cgRect),
            descriptor: .detectFaceRectanglesRequest(revision))
    }

    init(_ classic: VNFaceObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    private static func angle(_ radians: Double?) -> Measurement<UnitAngle> {
        Measurement(value: radians ?? 0, unit: .radians)
    }
}
