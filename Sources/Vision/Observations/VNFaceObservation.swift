import Foundation
import VisionImage

/// A face: its box, the pose of the head, and the results of later requests.
///
/// The box extends from about the brows to the chin and from ear to ear; it is axis-aligned whatever the roll of the
/// head.
open class VNFaceObservation: VNDetectedObjectObservation, @unchecked Sendable {
    // NSNumber is immutable, but not marked so.
    let angles: (roll: Double?, yaw: Double?, pitch: Double?)

    /// The landmarks of the face; nil if no request computed them, or they were not found.
    open private(set) var landmarks: VNFaceLandmarks2D?
    /// The face capture quality, relative to other images of the same person, 0…1, 1 best; nil if it was not computed.
    open private(set) var faceCaptureQuality: Float?

    /// The roll of the head in the image: radians, positive counter-clockwise, −π ..< π; nil if it was not computed.
    open var roll: NSNumber? { angles.roll.map { NSNumber(value: $0) } }
    /// The yaw of the head: radians, positive counter-clockwise seen from above, which is towards the right of the
    /// image, −π/2 ..< π/2; nil if it was not computed.
    open var yaw: NSNumber? { angles.yaw.map { NSNumber(value: $0) } }
    /// The pitch of the head: radians, positive downwards, −π/2 ..< π/2; nil if it was not computed.
    open var pitch: NSNumber? { angles.pitch.map { NSNumber(value: $0) } }

    /// Creates an observation of a known face.
    ///
    /// - Parameters:
    ///   - requestRevision: The revision of the observation; `VNRequestRevisionUnspecified` for a face that no request
    ///     of Vision found.
    ///   - boundingBox: The box, normalised, origin at the lower left.
    ///   - roll: See the property of that name.
    ///   - yaw: See the property of that name.
    public convenience init(requestRevision: Int, boundingBox: CGRect, roll: NSNumber?, yaw: NSNumber?) {
        self.init(requestRevision: requestRevision, boundingBox: boundingBox, roll: roll, yaw: yaw, pitch: nil)
    }

    /// Creates an observation of a known face.
    ///
    /// - Parameters:
    ///   - requestRevision: The revision of the observation; `VNRequestRevisionUnspecified` for a face that no request
    ///     of Vision found.
    ///   - boundingBox: The box, normalised, origin at the lower left.
    ///   - roll: See the property of that name.
    ///   - yaw: See the property of that name.
    ///   - pitch: See the property of that name.
    public convenience init(
        requestRevision: Int, boundingBox: CGRect, roll: NSNumber?, yaw: NSNumber?, pitch: NSNumber?
    ) {
        self.init(
            uuid: UUID(), requestRevision: requestRevision, boundingBox: boundingBox,
            angles: (roll?.doubleValue, yaw?.doubleValue, pitch?.doubleValue))
    }

    init(
        uuid: UUID, confidence: VNConfidence = 1, requestRevision: Int, boundingBox: CGRect,
        angles: (roll: Double?, yaw: Double?, pitch: Double?), landmarks: VNFaceLandmarks2D? = nil,
        faceCaptureQuality: Float? = nil, timeRange: CMTimeRange = .zero
    ) {
        self.angles = angles
        self.landmarks = landmarks
        self.faceCaptureQuality = faceCaptureQuality
        super.init(
            uuid: uuid, confidence: confidence, requestRevision: requestRevision, boundingBox: boundingBox,
            timeRange: timeRange)
    }

    /// Creates an observation with an empty box, for subclasses and tests.
    public override init() {
        angles = (nil, nil, nil)
        landmarks = nil
        faceCaptureQuality = nil
        super.init()
    }

    /// Called by the initialisers of the base class: a box without angles.
    override init(
        uuid: UUID, confidence: VNConfidence = 1, requestRevision: Int, boundingBox: CGRect,
        isTrackerResult: Bool = false, timeRange: CMTimeRange = .zero,
        globalSegmentationMask: VNPixelBufferObservation? = nil
    ) {
        angles = (nil, nil, nil)
        landmarks = nil
        faceCaptureQuality = nil
        super.init(
            uuid: uuid, confidence: confidence, requestRevision: requestRevision, boundingBox: boundingBox,
            isTrackerResult: isTrackerResult, timeRange: timeRange, globalSegmentationMask: globalSegmentationMask)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder) else { return nil }
        angles = (archive.number("roll"), archive.number("yaw"), archive.number("pitch"))
        landmarks = archive.part("landmarks").flatMap(VNFaceLandmarks2D.init(archive:))
        faceCaptureQuality = archive.number("faceCaptureQuality").map { Float($0) }
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        if let roll = angles.roll { archive.set("roll", roll) }
        if let yaw = angles.yaw { archive.set("yaw", yaw) }
        if let pitch = angles.pitch { archive.set("pitch", pitch) }
        if let landmarks { archive.set("landmarks", landmarks.archive()) }
        if let faceCaptureQuality { archive.set("faceCaptureQuality", Double(faceCaptureQuality)) }
    }
}
