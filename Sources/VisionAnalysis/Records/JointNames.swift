package import Vision

extension VNHumanBodyPoseObservation.JointName {
    /// The joints with their names for people and programs, from the head to the feet.
    package static let names: [(joint: Self, name: String)] = [
        (.nose, "nose"), (.leftEye, "leftEye"), (.rightEye, "rightEye"), (.leftEar, "leftEar"),
        (.rightEar, "rightEar"), (.neck, "neck"), (.leftShoulder, "leftShoulder"), (.rightShoulder, "rightShoulder"),
        (.leftElbow, "leftElbow"), (.rightElbow, "rightElbow"), (.leftWrist, "leftWrist"),
        (.rightWrist, "rightWrist"), (.root, "root"), (.leftHip, "leftHip"), (.rightHip, "rightHip"),
        (.leftKnee, "leftKnee"), (.rightKnee, "rightKnee"), (.leftAnkle, "leftAnkle"), (.rightAnkle, "rightAnkle"),
    ]
}

extension VNHumanHandPoseObservation.JointName {
    /// The joints with their names for people and programs, from the wrist to the little finger.
    package static let names: [(joint: Self, name: String)] = [
        (.wrist, "wrist"), (.thumbCMC, "thumbCMC"), (.thumbMP, "thumbMP"), (.thumbIP, "thumbIP"),
        (.thumbTip, "thumbTip"), (.indexMCP, "indexMCP"), (.indexPIP, "indexPIP"), (.indexDIP, "indexDIP"),
        (.indexTip, "indexTip"), (.middleMCP, "middleMCP"), (.middlePIP, "middlePIP"), (.middleDIP, "middleDIP"),
        (.middleTip, "middleTip"), (.ringMCP, "ringMCP"), (.ringPIP, "ringPIP"), (.ringDIP, "ringDIP"),
        (.ringTip, "ringTip"), (.littleMCP, "littleMCP"), (.littlePIP, "littlePIP"), (.littleDIP, "littleDIP"),
        (.littleTip, "littleTip"),
    ]
}

extension VNHumanBodyPose3DObservation.JointName {
    /// The joints with their names for people and programs, from the head to the feet.
    package static let names: [(joint: Self, name: String)] = [
        (.topHead, "topHead"), (.centerHead, "centerHead"), (.centerShoulder, "centerShoulder"),
        (.leftShoulder, "leftShoulder"), (.rightShoulder, "rightShoulder"), (.leftElbow, "leftElbow"),
        (.rightElbow, "rightElbow"), (.leftWrist, "leftWrist"), (.rightWrist, "rightWrist"), (.spine, "spine"),
        (.root, "root"), (.leftHip, "leftHip"), (.rightHip, "rightHip"), (.leftKnee, "leftKnee"),
        (.rightKnee, "rightKnee"), (.leftAnkle, "leftAnkle"), (.rightAnkle, "rightAnkle"),
    ]
}
