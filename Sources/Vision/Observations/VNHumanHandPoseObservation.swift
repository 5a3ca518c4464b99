import VisionImage
import VisionModels

/// The joints of a hand, as points of the image.
///
/// Every joint has a location, also one that is hidden or outside the image: there the network guesses, and the
/// confidence is low.
open class VNHumanHandPoseObservation: VNRecognizedPointsObservation, @unchecked Sendable {
    /// The name of a joint.
    public struct JointName: RawRepresentable, Hashable, Sendable {
        /// The name as a key of `recognizedPoint(forKey:)`.
        public let rawValue: VNRecognizedPointKey

        /// Creates a name from a key.
        public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

        private init(_ text: String) { rawValue = VNRecognizedPointKey(rawValue: text) }

        /// The wrist.
        public static let wrist = JointName("VNHLKWRI")
        /// The carpometacarpal joint of the thumb.
        public static let thumbCMC = JointName("VNHLKTCMC")
        /// The metacarpophalangeal joint of the thumb.
        public static let thumbMP = JointName("VNHLKTMP")
        /// The interphalangeal joint of the thumb.
        public static let thumbIP = JointName("VNHLKTIP")
        /// The tip of the thumb.
        public static let thumbTip = JointName("VNHLKTTIP")
        /// The metacarpophalangeal joint of the index finger.
        public static let indexMCP = JointName("VNHLKIMCP")
        /// The proximal interphalangeal joint of the index finger.
        public static let indexPIP = JointName("VNHLKIPIP")
        /// The distal interphalangeal joint of the index finger.
        public static let indexDIP = JointName("VNHLKIDIP")
        /// The tip of the index finger.
        public static let indexTip = JointName("VNHLKITIP")
        /// The metacarpophalangeal joint of the middle finger.
        public static let middleMCP = JointName("VNHLKMMCP")
        /// The proximal interphalangeal joint of the middle finger.
        public static let middlePIP = JointName("VNHLKMPIP")
        /// The distal interphalangeal joint of the middle finger.
        public static let middleDIP = JointName("VNHLKMDIP")
        /// The tip of the middle finger.
        public static let middleTip = JointName("VNHLKMTIP")
        /// The metacarpophalangeal joint of the ring finger.
        public static let ringMCP = JointName("VNHLKRMCP")
        /// The proximal interphalangeal joint of the ring finger.
        public static let ringPIP = JointName("VNHLKRPIP")
        /// The distal interphalangeal joint of the ring finger.
        public static let ringDIP = JointName("VNHLKRDIP")
        /// The tip of the ring finger.
        public static let ringTip = JointName("VNHLKRTIP")
        /// The metacarpophalangeal joint of the little finger.
        public static let littleMCP = JointName("VNHLKPMCP")
        /// The proximal interphalangeal joint of the little finger.
        public static let littlePIP = JointName("VNHLKPPIP")
        /// The distal interphalangeal joint of the little finger.
        public static let littleDIP = JointName("VNHLKPDIP")
        /// The tip of the little finger.
        public static let littleTip = JointName("VNHLKPTIP")
    }

    /// The name of a group of joints.
    public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
        /// The name as a key of `recognizedPoints(forGroupKey:)`.
        public let rawValue: VNRecognizedPointGroupKey

        /// Creates a name from a key.
        public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

        private init(_ text: String) { rawValue = VNRecognizedPointGroupKey(rawValue: text) }

        /// The thumb.
        public static let thumb = JointsGroupName("VNHLRKT")
        /// The index finger.
        public static let indexFinger = JointsGroupName("VNHLRKI")
        /// The middle finger.
        public static let middleFinger = JointsGroupName("VNHLRKM")
        /// The ring finger.
        public static let ringFinger = JointsGroupName("VNHLRKR")
        /// The little finger.
        public static let littleFinger = JointsGroupName("VNHLRKP")
        /// All joints.
        public static let all = JointsGroupName(rawValue: .all)
    }

    /// The joints from the wrist to the tip of the little finger: the order of the network.
    static let joints: [JointName] =
        [.wrist] + groups.flatMap(\.members)

    private static let groups: [(name: JointsGroupName, members: [JointName])] = [
        (.thumb, [.thumbCMC, .thumbMP, .thumbIP, .thumbTip]),
        (.indexFinger, [.indexMCP, .indexPIP, .indexDIP, .indexTip]),
        (.middleFinger, [.middleMCP, .middlePIP, .middleDIP, .middleTip]),
        (.ringFinger, [.ringMCP, .ringPIP, .ringDIP, .ringTip]),
        (.littleFinger, [.littleMCP, .littlePIP, .littleDIP, .littleTip]),
    ]

    static var groupNames: [JointsGroupName] { groups.map(\.name) + [.all] }

    static let handLayout = PointLayout(
        keys: joints.map(\.rawValue), groups: groups.map { ($0.name.rawValue, $0.members.map(\.rawValue)) },
        columns: joints.map(\.rawValue))

    override class var layout: PointLayout { handLayout }

    /// Whether it is a left or a right hand.
    open private(set) var chirality: VNChirality

    init(
        points: [PointValues], chirality: VNChirality, confidence: VNConfidence, requestRevision: Int,
        timeRange: CMTimeRange
    ) {
        self.chirality = chirality
        super.init(points: points, confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// The names of all joints.
    open var availableJointNames: [JointName] { availableKeys.map(JointName.init) }

    /// The names of all groups of joints.
    open var availableJointsGroupNames: [JointsGroupName] { availableGroupKeys.map(JointsGroupName.init) }

    /// Returns a joint.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointNames`.
    open func recognizedPoint(_ jointName: JointName) throws -> VNRecognizedPoint {
        try recognizedPoint(forKey: jointName.rawValue)
    }

    /// Returns the joints of a group by name.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableJointsGroupNames`.
    open func recognizedPoints(_ jointsGroupName: JointsGroupName) throws -> [JointName: VNRecognizedPoint] {
        let points = try recognizedPoints(forGroupKey: jointsGroupName.rawValue)
        return Dictionary(points.map { (JointName(rawValue: $0), $1) }, uniquingKeysWith: { first, _ in first })
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder),
            let chirality = archive.integer("chirality").flatMap(VNChirality.init)
        else { return nil }
        self.chirality = chirality
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("chirality", chirality.rawValue)
    }

    /// The base description, and the chirality.
    open override var description: String { "\(super.description) chirality=\(chirality)" }
}
