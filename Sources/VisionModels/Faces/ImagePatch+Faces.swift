import VisionImage

// Patches of faces: squares, turned with the face.

extension ImagePatch {
    /// Whether another patch shows a face almost as this one does: the networks make nothing of the difference.
    func isLike(_ other: ImagePatch) -> Bool { isWithin(offset: 0.05, ratio: 1.12, angle: 0.07, of: other) }

    /// Whether both show one face upright.
    func isNear(_ other: ImagePatch) -> Bool { isWithin(offset: 0.2, ratio: 1.5, angle: 0.5, of: other) }
}
