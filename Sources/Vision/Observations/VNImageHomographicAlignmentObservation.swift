import VisionImage

/// The homography that aligns two images.
open class VNImageHomographicAlignmentObservation: VNImageAlignmentObservation, @unchecked Sendable {
    /// The warp that moves the floating (targeted) image onto the reference (the handler's image), in column-major
    /// order: a point (x, y) of the floating image maps to (u / w, v / w) with (u, v, w) = `warpTransform` × (x, y, 1).
    ///
    /// Both points are in pixels of the upright images, the origin at the lower left corner and y up; the centre of the
    /// pixel at the origin is (0.5, 0.5). With a region of interest the point of the floating image is relative to the
    /// lower left corner of the region. The last element is normalised to 1 where possible.
    open private(set) var warpTransform: matrix_float3x3

    init(
        warpTransform: matrix_float3x3, confidence: VNConfidence, requestRevision: Int,
        timeRange: CMTimeRange = .zero
    ) {
        self.warpTransform = warpTransform
        super.init(confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder),
            let numbers = archive.numbers("warpTransform", count: 9)?.map(Float.init),
            numbers.allSatisfy(\.isFinite)
        else { return nil }
        warpTransform = matrix_float3x3(
            [numbers[0], numbers[1], numbers[2]], [numbers[3], numbers[4], numbers[5]],
            [numbers[6], numbers[7], numbers[8]])
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("warpTransform", elements.map(Double.init))
    }

    /// In column-major order.
    private var elements: [Float] { (0..<3).flatMap { column in (0..<3).map { warpTransform[column, $0] } } }

    /// The base description, and the rows of the warp.
    open override var description: String {
        let rows = (0..<3).map { row in
            "[" + (0..<3).map { "\(warpTransform[$0, row])" }.joined(separator: " ") + "]"
        }
        return "\(super.description) warp=\(rows.joined())"
    }
}
