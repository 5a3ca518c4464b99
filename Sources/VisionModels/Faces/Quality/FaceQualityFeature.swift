/// The features of face capture quality. Larger is better, other things equal.
package enum FaceQualityFeature: String, CaseIterable, Sendable {
    /// The presence output of the mesh network, as a logit.
    case presence
    /// The stability of the mesh under a small rotation and shift of the network's input.
    case rest
    /// The negative absolute yaw and pitch of the head.
    case yaw, pitch
    /// Pixels of the image from the forehead to the chin.
    case size
    /// The opening of the less open eye, and the negative opening of the mouth.
    case eyes, mouth
    /// The strongest edges of the face by pyramid level: squared differences of neighbouring pixels.
    case edges0, edges1, edges2, edges3
    /// The same above the level of noise, which is everywhere.
    case detail0, detail1, detail2
    /// The same at the median of the face.
    case texture0, texture1, texture2
    /// The fineness of edges: those of a level compared with those of the second level above.
    case fineness0, fineness1
    /// The ratio of edges to flat parts.
    case flatness0, flatness1
    /// The negative noise of flat parts.
    case noise0, noise1
    /// The edges around the eye, nose or mouth that has the fewest.
    case parts1, parts2
    /// The brightness of the face, and of its light parts.
    case light, lightHigh
    /// The negative brightness of the face, its light parts and its dark parts, on a linear scale.
    case shade, shadeHigh, shadeLow
    /// The range from dark to light parts, and to the extremes.
    case contrast, range
    /// The negative share of white pixels, and of black ones.
    case white, black
    /// The evenness of the light from side to side, and from top to bottom.
    case sides, ends
    /// The negative deviation of the colours from the median: of typical and of unusual parts.
    case hues, strangeHues
    /// The correlation of the halves of the face.
    case symmetry
    /// The correlation of the parts of the face with those of the mean face: its mean and its minimum.
    case likeness, worstLikeness

    /// The features that do not need the mean face.
    package static let measured = allCases.filter { $0 != .likeness && $0 != .worstLikeness }
}
