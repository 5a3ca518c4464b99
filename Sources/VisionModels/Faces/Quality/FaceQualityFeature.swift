/// What the quality of a picture of a face is made of. More is better, if nothing else changes.
package enum FaceQualityFeature: String, CaseIterable, Sendable {
    /// How sure the mesh network is that there is a face, as a logit.
    case presence
    /// How little the mesh moves when the picture that the network sees is turned and moved a little.
    case rest
    /// How little the head is turned to the side, and up or down.
    case yaw, pitch
    /// Pixels of the image from the forehead to the chin.
    case size
    /// How far the less open eye is open, and how little the mouth.
    case eyes, mouth
    /// The sharpest edges of the face by level, each half as fine as the one before: squares of differences of
    /// neighbours.
    case edges0, edges1, edges2, edges3
    /// The same above what there is everywhere, as noise is.
    case detail0, detail1, detail2
    /// The same in an ordinary part of the face.
    case texture0, texture1, texture2
    /// How fine the edges are: those of a level compared with those of the second level above.
    case fineness0, fineness1
    /// How much more there is at the edges than in flat parts.
    case flatness0, flatness1
    /// How little noise flat parts have.
    case noise0, noise1
    /// Edges about the eye, nose or mouth that has the fewest.
    case parts1, parts2
    /// How bright the face is, and its light parts.
    case light, lightHigh
    /// How dark it is: the same and its dark parts, evenly by grey levels.
    case shade, shadeHigh, shadeLow
    /// The range from dark to light parts, and to the extremes.
    case contrast, range
    /// How few pixels are white, and black.
    case white, black
    /// How even the light is from side to side, and from top to bottom.
    case sides, ends
    /// How little the colours of parts differ from the middle one: of ordinary and of unusual parts.
    case hues, strangeHues
    /// How alike the halves of the face are.
    case symmetry
    /// How alike the parts of the face are to those of the mean face, in the mean and at worst.
    case likeness, worstLikeness

    /// Those that are measured without the mean face.
    package static let measured = allCases.filter { $0 != .likeness && $0 != .worstLikeness }
}
