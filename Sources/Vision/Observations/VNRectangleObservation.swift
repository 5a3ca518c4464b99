import VisionImage

/// A rectangle in perspective: four corners, normalised, origin at the lower left. They may lie outside the image.
///
/// `boundingBox` is their axis-aligned bounding box.
open class VNRectangleObservation: VNDetectedObjectObservation, @unchecked Sendable {
    /// The corner at the top left.
    open private(set) var topLeft: CGPoint
    /// The corner at the top right.
    open private(set) var topRight: CGPoint
    /// The corner at the bottom left.
    open private(set) var bottomLeft: CGPoint
    /// The corner at the bottom right.
    open private(set) var bottomRight: CGPoint

    /// Creates a rectangle with confidence 1 and a new uuid.
    ///
    /// - Parameter requestRevision: The revision of the observation.
    public convenience init(
        requestRevision: Int, topLeft: CGPoint, bottomLeft: CGPoint, bottomRight: CGPoint, topRight: CGPoint
    ) {
        self.init(
            uuid: UUID(), requestRevision: requestRevision,
            corners: (topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft))
    }

    /// Creates a rectangle from its corners in clockwise order.
    ///
    /// - Parameter requestRevision: The revision of the observation.
    public convenience init(
        requestRevision: Int, topLeft: CGPoint, topRight: CGPoint, bottomRight: CGPoint, bottomLeft: CGPoint
    ) {
        self.init(
            uuid: UUID(), requestRevision: requestRevision,
            corners: (topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft))
    }

    /// Creates a rectangle from an axis-aligned box, whose corners it gets.
    ///
    /// - Parameters:
    ///   - requestRevision: The revision of the observation.
    ///   - boundingBox: The box, normalised, origin at the lower left.
    public convenience init(requestRevision: Int, boundingBox: CGRect) {
        self.init(uuid: UUID(), requestRevision: requestRevision, corners: Self.corners(of: boundingBox))
    }

    /// Creates a rectangle from an axis-aligned box.
    ///
    /// - Parameter boundingBox: The box, normalised, origin at the lower left.
    public convenience init(boundingBox: CGRect) {
        self.init(requestRevision: VNRequestRevisionUnspecified, boundingBox: boundingBox)
    }

    typealias Corners = (topLeft: CGPoint, topRight: CGPoint, bottomRight: CGPoint, bottomLeft: CGPoint)

    static func corners(of box: CGRect) -> Corners {
        (
            topLeft: CGPoint(x: box.minX, y: box.maxY), topRight: CGPoint(x: box.maxX, y: box.maxY),
            bottomRight: CGPoint(x: box.maxX, y: box.minY), bottomLeft: CGPoint(x: box.minX, y: box.minY)
        )
    }

    /// Creates an observation with all corners at the origin, for subclasses and tests.
    public override init() {
        (topLeft, topRight, bottomLeft, bottomRight) = (.zero, .zero, .zero, .zero)
        super.init()
    }

    init(
        uuid: UUID, confidence: VNConfidence = 1, requestRevision: Int, corners: Corners,
        isTrackerResult: Bool = false, timeRange: CMTimeRange = .zero,
        globalSegmentationMask: VNPixelBufferObservation? = nil
    ) {
        topLeft = corners.topLeft
        topRight = corners.topRight
        bottomLeft = corners.bottomLeft
        bottomRight = corners.bottomRight
        super.init(
            uuid: uuid, confidence: confidence, requestRevision: requestRevision,
            boundingBox: Self.box(around: corners), isTrackerResult: isTrackerResult, timeRange: timeRange,
            globalSegmentationMask: globalSegmentationMask)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let topLeft = archive.point("topLeft"),
            let topRight = archive.point("topRight"),
            let bottomLeft = archive.point("bottomLeft"), let bottomRight = archive.point("bottomRight")
        else { return nil }
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomLeft = bottomLeft
        self.bottomRight = bottomRight
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("topLeft", topLeft)
        archive.set("topRight", topRight)
        archive.set("bottomLeft", bottomLeft)
        archive.set("bottomRight", bottomRight)
    }

    private static func box(around corners: Corners) -> CGRect {
        let points = [corners.topRight, corners.bottomRight, corners.bottomLeft]
        var (left, right) = (corners.topLeft.x, corners.topLeft.x)
        var (bottom, top) = (corners.topLeft.y, corners.topLeft.y)
        for point in points {
            (left, right) = (min(left, point.x), max(right, point.x))
            (bottom, top) = (min(bottom, point.y), max(top, point.y))
        }
        return CGRect(x: left, y: bottom, width: right - left, height: top - bottom)
    }
}
