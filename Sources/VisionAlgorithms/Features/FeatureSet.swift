/// A keypoint of an image.
struct Feature {
    /// The position in pixels of the image; the centre of the first pixel is (0.5, 0.5).
    var point: PlanarPoint
    /// The standard deviation of the blob, in pixels of the image.
    var size: Double
}

/// The features of an image with their descriptors.
struct FeatureSet {
    private(set) var features: [Feature] = []
    /// `ScaleOctave.descriptorBytes` bytes for each feature.
    private(set) var descriptors: [UInt8] = []

    var count: Int { features.count }

    mutating func append(_ other: FeatureSet) {
        features += other.features
        descriptors += other.descriptors
    }

    mutating func append(_ features: [Feature], descriptors: [UInt8]) {
        precondition(descriptors.count == features.count * ScaleOctave.descriptorBytes)
        self.features += features
        self.descriptors += descriptors
    }
}
