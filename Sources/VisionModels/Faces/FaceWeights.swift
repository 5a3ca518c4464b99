/// Weights of our own for faces: half-precision floats in base64, as Training/Faces/export.py writes them.
package struct FaceWeights: Sendable {
    /// Of the network that tells faces from what only looks like one, in the order of its layers.
    package var verifier: String
    /// Of what moves landmarks to where the image shows them.
    package var refiner: String

    package init(verifier: String, refiner: String) { (self.verifier, self.refiner) = (verifier, refiner) }

    static let damage = WeightFileError(.damaged, "The weights for faces are damaged")
}
