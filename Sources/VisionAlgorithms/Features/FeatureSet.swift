/// A place of an image that can be found again in another image of the same thing.
struct Feature {
    /// In pixels of the image; the middle of the first pixel is (0.5, 0.5).
    var point: PlanarPoint
    /// Standard deviation of the blob, in pixels of the image.
    var size: Double
}

/// Features of an image with their descriptions.
struct FeatureSet {
    private(set) var features: [Feature] = []
    /// `ScaleOctave.descriptionBytes` bytes for each feature.
    private(set) var descriptions: [UInt8] = []

    var count: Int { features.count }

    mutating func append(_ other: FeatureSet) {
        features += other.features
        descriptions += other.descriptions
    }

    mutating func append(_ features: [Feature], descriptions: [UInt8]) {
        precondition(descriptions.count == features.count * ScaleOctave.descriptionBytes)
        self.features += features
        self.descriptions += descriptions
    }
}
