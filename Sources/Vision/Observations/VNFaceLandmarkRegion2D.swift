import VisionImage

/// How the points of a region belong together.
public enum VNPointsClassification: Int, Sendable {
    /// Each stands for itself.
    case disconnected = 0
    /// They follow a line from the first to the last.
    case openPath = 1
    /// They follow a line that comes back to the first.
    case closedPath = 2
}

/// The landmarks of one part of a face as points of the image.
public final class VNFaceLandmarkRegion2D: VNFaceLandmarkRegion, @unchecked Sendable {
    /// The points, normalised to the box of the face, origin at its lower left. They may lie outside of it.
    public let normalizedPoints: [CGPoint]
    /// How far each point is expected to be from where it should be, as a share of the width of the face's box: smaller is
    /// more precise. nil unless the landmarks are those of the constellation of 76 points.
    ///
    /// It comes from how much two looks at the face differ, and from how exact the point is in general.
    public let precisionEstimatesPerPoint: [Float]?
    /// How the points belong together.
    public let pointsClassification: VNPointsClassification
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

    /// The points in pixels of an upright image, origin at its lower left.
    ///
    /// - Parameter imageSize: The size of the whole image, also where the request looked at a region of interest only.
    public func pointsInImage(imageSize: CGSize) -> [CGPoint] {
        normalizedPoints.map { point in
            CGPoint(
                x: (faceBox.origin.x + faceBox.size.width * point.x) * imageSize.width,
                y: (faceBox.origin.y + faceBox.size.height * point.y) * imageSize.height)
        }
    }

    /// Reads a region from an archive; nil when the archive holds none.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let count = archive.integer("pointCount"), (0...VNFaceLandmarks2D.largestCount).contains(count),
            let points = archive.points("points", count: count), let box = archive.rect("faceBox"),
            let classification = archive.integer("classification").flatMap(VNPointsClassification.init)
        else { return nil }
        normalizedPoints = points
        precisionEstimatesPerPoint = archive.numbers("precision", count: count).map { $0.map { Float($0) } }
        pointsClassification = classification
        faceBox = box
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("points", normalizedPoints)
        if let precisionEstimatesPerPoint { archive.set("precision", precisionEstimatesPerPoint.map(Double.init)) }
        archive.set("classification", pointsClassification.rawValue)
        archive.set("faceBox", faceBox)
    }
}
