/// The joints of a body that poses state. Left and right are the person's.
package enum BodyJoint: Int, CaseIterable, Sendable {
    case nose, leftEye, rightEye, leftEar, rightEar, leftShoulder, rightShoulder, leftElbow, rightElbow, leftWrist
    case rightWrist, leftHip, rightHip, leftKnee, rightKnee, leftAnkle, rightAnkle, neck, root

    /// The landmarks of the network that the joint is the mean of.
    package var landmarks: [Int] {
        switch self {
        case .nose: [0]
        case .leftEye: [2]
        case .rightEye: [5]
        case .leftEar: [7]
        case .rightEar: [8]
        case .leftShoulder: [11]
        case .rightShoulder: [12]
        case .leftElbow: [13]
        case .rightElbow: [14]
        case .leftWrist: [15]
        case .rightWrist: [16]
        case .leftHip: [23]
        case .rightHip: [24]
        case .leftKnee: [25]
        case .rightKnee: [26]
        case .leftAnkle: [27]
        case .rightAnkle: [28]
        case .neck: [11, 12]
        case .root: [23, 24]
        }
    }

    /// The joints whose heat maps say how well the network sees the body: without those of the face but the nose,
    /// which lie together.
    static let decisive: [BodyJoint] = [
        .nose, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]
    /// The landmarks of the decisive joints, in their order.
    static let decisiveLandmarks = decisive.flatMap(\.landmarks)
}
