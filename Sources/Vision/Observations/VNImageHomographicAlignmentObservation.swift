import VisionImage

/// How one image has to be warped to lie on another.
public final class VNImageHomographicAlignmentObservation: VNImageAlignmentObservation, @unchecked Sendable {
    /// The warp that moves the floating (targeted) image onto the reference (the handler's image), by columns: a point
    /// (x, y) of the floating image goes to (u / w, v / w) with (u, v, w) = `warpTransform` × (x, y, 1).
    ///
    /// Both points are in pixels of the upright images, the origin at the lower left corner and y up; the middle of the
    /// pixel at the origin is (0.5, 0.5). With a region of interest the point of the floating image is counted from the
    /// lower left corner of the region. The last element is 1 where that is possible.
    public let warpTransform: matrix_float3x3

    init(
        warpTransform: matrix_float3x3, confidence: VNConfidence, requestRevision: Int,
        timeRange: CMTimeRange = .zero
    ) {
        self.warpTransform = warpTransform
        super.init(confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Reads an observation from an archive; nil when the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let numbers = archive.numbers("warpTransform", count: 9)?.map(Float.init),
            numbers.allSatisfy(\.isFinite)
        else { return nil }
        warpTransform = matrix_float3x3(
            [numbers[0], numbers[1], numbers[2]], [numbers[3], numbers[4], numbers[5]],
            [numbers[6], numbers[7], numbers[8]])
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("warpTransform", elements.map(Double.init))
    }

    /// By columns.
    private var elements: [Float] { (0..<3).flatMap { column in (0..<3).map { warpTransform[column, $0] } } }

    /// As of every observation, and the warp's rows.
    public override var description: String {
        let rows = (0..<3).map { row in
            "[" + (0..<3).map { "\(warpTransform[$0, row])" }.joined(separator: " ") + "]"
        }
        return "\(super.description) warp=\(rows.joined())"
    }
}
