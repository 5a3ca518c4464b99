import VisionImage
import VisionModels

/// The landmarks of a face as points of the image, by the part of the face that they outline. A region that the
/// constellation does not have is nil.
///
/// Sides are the person's: the left eye is on the right of the image if the face is upright. Regions may share points.
/// `Documentation/FaceLandmarks.md` shows the points and their order.
open class VNFaceLandmarks2D: VNFaceLandmarks, @unchecked Sendable {
    private let constellation: FaceConstellation
    private let points: [CGPoint]
    private let precision: [Float]?
    private let faceBox: CGRect

    /// The number of points of the largest constellation.
    static let largestCount = 76

    /// - Parameters:
    ///   - points: The points of the constellation, normalised to the face's box.
    ///   - precision: See `VNFaceLandmarkRegion2D`.
    ///   - faceBox: The box, normalised to the whole image.
    init(
        constellation: FaceConstellation, points: [CGPoint], precision: [Float]?, faceBox: CGRect,
        confidence: VNConfidence, requestRevision: Int
    ) {
        precondition(points.count == constellation.pointCount)
        self.constellation = constellation
        self.points = points
        self.precision = precision
        self.faceBox = faceBox
        super.init(confidence: confidence, requestRevision: requestRevision)
    }

    // MARK: - Regions

    /// All points.
    open var allPoints: VNFaceLandmarkRegion2D? { region(Array(points.indices), .disconnected) }
    /// From ear to ear over the chin, starting on the person's right.
    open var faceContour: VNFaceLandmarkRegion2D? { region(.faceContour) }
    /// The outline of the left eye.
    open var leftEye: VNFaceLandmarkRegion2D? { region(.leftEye) }
    /// The outline of the right eye.
    open var rightEye: VNFaceLandmarkRegion2D? { region(.rightEye) }
    /// Along the left eyebrow, from the nose outwards.
    open var leftEyebrow: VNFaceLandmarkRegion2D? { region(.leftEyebrow) }
    /// Along the right eyebrow, towards the nose.
    open var rightEyebrow: VNFaceLandmarkRegion2D? { region(.rightEyebrow) }
    /// The sides and the base of the nose; in the constellation of 76 points also its tip.
    open var nose: VNFaceLandmarkRegion2D? { region(.nose) }
    /// Down the bridge of the nose to its tip.
    open var noseCrest: VNFaceLandmarkRegion2D? { region(.noseCrest) }
    /// From the root of the nose down the middle of the face to the chin.
    open var medianLine: VNFaceLandmarkRegion2D? { region(.medianLine) }
    /// The outline of the lips.
    open var outerLips: VNFaceLandmarkRegion2D? { region(.outerLips) }
    /// The outline of the area between the lips.
    open var innerLips: VNFaceLandmarkRegion2D? { region(.innerLips) }
    /// The centre of the left pupil.
    open var leftPupil: VNFaceLandmarkRegion2D? { region(.leftPupil) }
    /// The centre of the right pupil.
    open var rightPupil: VNFaceLandmarkRegion2D? { region(.rightPupil) }

    private func region(_ region: FaceRegion) -> VNFaceLandmarkRegion2D? {
        let indices = constellation.indices(of: region)
        return self.region(
            indices,
            indices.count < 2 ? .disconnected : FaceConstellation.isClosed(region) ? .closedPath : .openPath)
    }

    private func region(_ indices: [Int], _ classification: VNPointsClassification) -> VNFaceLandmarkRegion2D? {
        guard !indices.isEmpty else { return nil }
        return VNFaceLandmarkRegion2D(
            normalizedPoints: indices.map { points[$0] },
            precisionEstimatesPerPoint: precision.map { precision in indices.map { precision[$0] } },
            pointsClassification: classification, faceBox: faceBox, requestRevision: requestRevision)
    }

    // MARK: - Archives

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder) else { return nil }
        let constellations: [FaceConstellation] = [.points65, .points76]
        guard let count = archive.integer("pointCount"),
            let constellation = constellations.first(where: { $0.pointCount == count }),
            let points = archive.points("points", count: count), let box = archive.rect("faceBox")
        else { return nil }
        self.constellation = constellation
        self.points = points
        precision = archive.numbers("precision", count: count).map { $0.map { Float($0) } }
        faceBox = box
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("pointCount", points.count)
        archive.set("points", points)
        if let precision { archive.set("precision", precision.map(Double.init)) }
        archive.set("faceBox", faceBox)
    }
}

extension VNFaceLandmarks2D {
    /// Creates the landmarks found in a face.
    ///
    /// - Parameters:
    ///   - box: The face's box in pixels of the upright image, y down.
    convenience init(
        _ found: FaceLandmarkSet, constellation: FaceConstellation, hasPrecision: Bool, box: PixelRegion,
        size: ImageSize, requestRevision: Int
    ) {
        let landmarks = found.landmarks(of: constellation)
        self.init(
            constellation: constellation,
            points: landmarks.map { landmark in
                CGPoint(
                    x: (landmark.point.x - box.x) / box.width, y: 1 - (landmark.point.y - box.y) / box.height)
            }, precision: hasPrecision ? landmarks.map { Float($0.error / box.width) } : nil,
            faceBox: NormalizedRegion.whole.normalizedBox(of: box, in: size),
            confidence: VNConfidence(found.confidence), requestRevision: requestRevision)
    }
}
