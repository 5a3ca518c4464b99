/// A contour: a result of `contours`.
package struct ContourResult: Codable, Equatable, Sendable {
    /// The number of the top-level contour, that of its child, and so on.
    package var index: [Int]
    /// Whether it is the border of a hole.
    package var isHole: Bool
    /// The corners in order; closed.
    package var points: [PixelPoint]

    package init(index: [Int], isHole: Bool, points: [PixelPoint]) {
        self.index = index
        self.isHole = isHole
        self.points = points
    }
}

/// A summary of the optical flow of two images or frames: the result of `flow`.
package struct FlowResult: Codable, Equatable, Sendable {
    /// The mean vector, in pixels: x to the right, y down.
    @Nullable package var x: Double?
    @Nullable package var y: Double?
    /// The mean length of the vectors, in pixels.
    @Nullable package var meanLength: Double?
    /// The greatest length.
    @Nullable package var maximumLength: Double?

    package init(x: Double, y: Double, meanLength: Double, maximumLength: Double) {
        self.x = x.rounded(decimals: 4)
        self.y = y.rounded(decimals: 4)
        self.meanLength = meanLength.rounded(decimals: 4)
        self.maximumLength = maximumLength.rounded(decimals: 4)
    }
}

/// The optical flow of two images.
package struct FlowRecord: Codable, Equatable, Sendable {
    package var schema = Records.schema
    package var kind = "flow"
    /// The first image, whose pixels the vectors start from.
    package var image: MediaReference
    package var second: MediaReference
    @Nullable package var milliseconds: Double?
    package var results: [FlowResult]
    @Nullable package var error: String?

    package init(image: MediaReference, second: MediaReference, milliseconds: Double, results: [FlowResult]) {
        self.image = image
        self.second = second
        self.milliseconds = milliseconds.rounded(decimals: 3)
        self.results = results
    }
}
