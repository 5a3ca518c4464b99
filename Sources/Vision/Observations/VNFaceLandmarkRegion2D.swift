/// How the points of a region are connected.
public enum VNPointsClassification: Int, Sendable {
    /// Not connected.
    case disconnected = 0
    /// Connected as an open polyline from the first to the last.
    case openPath = 1
    /// Connected as a closed polygon.
    case closedPath = 2
}

/// The landmarks of one part of a face as points of the image.
open class VNFaceLandmarkRegion2D: VNFaceLandmarkRegion, @unchecked Sendable {
    /// The points, normalised to the box of the face, origin at its lower left. They may lie outside of it.
    open private(set) var normalizedPoints: [CGPoint]
    /// The expected error of each point, as a share of the width of the face's box: smaller is more precise. nil unless
    /// the constellation has 76 points.
    ///
    /// It is estimated from the difference between two runs of the network on the face, and from the mean error of the
    /// point.
    open private(set) var precisionEstimatesPerPoint: [Float]?
    /// How the points are connected.
    open private(set) var pointsClassification: VNPointsClassification
    /// The box of the face, normalised to the whole image.
    private let faceBox: CGRect

    init(
        normalizedPoints: [CGPoint], precisionEstimatesPerPoint: [Float]?,
        pointsClassification: VNPointsClassification, faceBox: CGRect, requestRevision: Int
    ) {
        self.normalizedPoints = normalizedPoints
        self.precisionEstimatesPerPoint = precisionEstimatesPerPoint
        self.pointsClassification = pointsClassification
        self.faceBox = faceBox
        super.init(pointCount: normalizedPoints.count, requestRevision: requestRevision)
    }

    /// Returns the points in pixels of an upright image, origin at its lower left.
    ///
    /// - Parameter imageSize: The size of the whole image, even if the request had a region of interest.
    open func pointsInImage(imageSize: CGSize) -> [CGPoint] {
        normalizedPoints.map { point in
            CGPoint(
                x: (faceBox.origin.x + faceBox.size.width * point.x) * imageSize.width,
                y: (faceBox.origin.y + faceBox.size.height * point.y) * imageSize.height)
        }
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let count = archive.integer("pointCount"),
            (0...VNFaceLandmarks2D.largestCount).contains(count),
            let points = archive.points("points", count: count), let box = archive.rect("faceBox"),
            let classification = archive.integer("classification").flatMap(VNPointsClassification.init)
        else { return nil }
        normalizedPoints = points
        precisionEstimatesPerPoint = archive.numbers("precision", count: count).map { $0.map { Float($0) } }
        pointsClassification = classification
        faceBox = box
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("points", normalizedPoints)
        if let precisionEstimatesPerPoint { archive.set("precision", precisionEstimatesPerPoint.map(Double.init)) }
        archive.set("classification", pointsClassification.rawValue)
        archive.set("faceBox", faceBox)
    }
}
