/// A joint of a body or of a hand.
package struct JointRecord: Codable, Equatable, Sendable {
    package var point: PixelPoint
    @Nullable package var confidence: Double?

    package init(point: PixelPoint, confidence: Double?) {
        self.point = point
        self.confidence = confidence
    }
}

/// A person: a result of `pose`.
package struct PoseResult: Codable, Equatable, Sendable {
    /// The body in space.
    package struct Space: Codable, Equatable, Sendable {
        /// The height to which the body is scaled, in metres.
        package var height: Double
        /// Where the camera is, in metres from the root: x to the right of the image, y up, z towards the camera.
        package var camera: [Double]
        /// The joints by name, in metres from the root.
        package var joints: [String: [Double]]

        package init(height: Double, camera: [Double], joints: [String: [Double]]) {
            self.height = height
            self.camera = camera
            self.joints = joints
        }
    }

    @Nullable package var confidence: Double?
    /// The joints by name.
    package var joints: [String: JointRecord]
    /// Only with `--3d`, for the most prominent person.
    @Nullable package var space: Space?

    package init(confidence: Double?, joints: [String: JointRecord], space: Space? = nil) {
        self.confidence = confidence
        self.joints = joints
        self.space = space
    }
}

/// A hand: a result of `hands`.
package struct HandResult: Codable, Equatable, Sendable {
    @Nullable package var confidence: Double?
    /// `left` or `right`; null where it is not known.
    @Nullable package var chirality: String?
    /// The joints by name.
    package var joints: [String: JointRecord]

    package init(confidence: Double?, chirality: String?, joints: [String: JointRecord]) {
        self.confidence = confidence
        self.chirality = chirality
        self.joints = joints
    }
}
