import VisionImage

// Patches of faces are squares that are rotated with the face.

extension ImagePatch {
    /// Whether the patches differ so little that the networks' results are the same.
    func isLike(_ other: ImagePatch) -> Bool { isWithin(offset: 0.05, ratio: 1.12, angle: 0.07, of: other) }

    /// Whether both show one face upright.
    func isNear(_ other: ImagePatch) -> Bool { isWithin(offset: 0.2, ratio: 1.5, angle: 0.5, of: other) }
}
