public import VisionImage
import VisionModels

/// The networks of MediaPipe, on the whole image and on crops of people.
public let VNGeneratePersonSegmentationRequestRevision1: Int = 1

/// Computes a mask of the people in the image.
///
/// The mask covers the region of interest, with about its aspect ratio: 1 (255 in a buffer of bytes) where a person is
/// seen, 0 elsewhere. Its longer side has at most as many pixels as the quality level says, and never more than the
/// region.
///
/// With frames that have times, from sample buffers, a mask is steadied by those of the frames before it: use one
/// request for all frames of a video. Images without a time are independent of each other.
///
/// The networks `selfie-segmentation` and, but for the level `fast`, `pose-landmark-full` have to be installed; without
/// them a perform fails with `dataUnavailable`.
open class VNGeneratePersonSegmentationRequest: VNStatefulRequest, VNTypedRequest {
    /// The results: always one.
    public typealias ResultObservation = VNPixelBufferObservation

    /// How exact a mask is.
    public enum QualityLevel: UInt, Sendable, CaseIterable {
        /// For photographs: two crops of each person by two networks, mirrored views of the whole, and edges that
        /// follow the image's; the longer side has at most 2016 pixels.
        case accurate = 0
        /// A crop of each person by two networks, and edges that follow the image's; at most 512 pixels.
        case balanced
        /// For videos: one run of a network on the whole region; at most 256 pixels.
        case fast
    }

    /// How exact the mask is; `accurate` by default.
    open var qualityLevel = QualityLevel.accurate

    /// The format of the mask: `kCVPixelFormatType_OneComponent8` (the default), `…OneComponent16Half` or
    /// `…OneComponent32Float`. Another one makes the perform fail with `invalidFormat`.
    open var outputPixelFormat: OSType = kCVPixelFormatType_OneComponent8

    private static let formats = [
        kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16Half,
        kCVPixelFormatType_OneComponent32Float,
    ]

    private var memory = RequestMemory<SteadyMask>(SteadyMask())

    /// Returns the formats that `outputPixelFormat` can be.
    ///
    /// - Throws: An error of `VNErrorDomain` if the revision is not implemented.
    open func supportedOutputPixelFormats() throws -> [OSType] {
        try checkRevision()
        return Self.formats
    }

    override func shareMemory(of other: VNStatefulRequest) {
        if let other = other as? VNGeneratePersonSegmentationRequest { memory = other.memory }
    }

    override class var revisionTable: RevisionTable { .personSegmentation }

    override func makeCopy() -> VNRequest {
        VNGeneratePersonSegmentationRequest(
            frameAnalysisSpacing: frameAnalysisSpacing, completionHandler: completionHandler)
    }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNGeneratePersonSegmentationRequest else { return }
        (copy.qualityLevel, copy.outputPixelFormat) = (qualityLevel, outputPixelFormat)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, format) = (try checkedRegionOfInterest(), revision, outputPixelFormat)
        guard Self.formats.contains(format) else {
            throw visionError(
                .invalidFormat,
                "The output pixel format \(PixelFormatLayout.name(of: format)) is not supported: use OneComponent8, "
                    + "OneComponent16Half or OneComponent32Float.")
        }
        let (level, memory, spacing) = (qualityLevel.level, memory, frameAnalysisSpacing)
        return RequestJob(queue: SerialQueue(of: memory)) { context in
            let mask = try memory.analyse(at: context.time, spacing: spacing) { steady in
                let pixels = region.pixels(in: try context.image.uprightImageSize())
                return steady.next(try context.personMask(in: pixels, level), at: context.time, region, level)
            }
            guard let mask else { return [] }
            return [
                VNPixelBufferObservation(
                    pixelBuffer: try CVPixelBuffer.ofOneComponent(mask, format: format), featureName: nil,
                    requestRevision: revision, timeRange: context.timeRange)
            ]
        }
    }
}

extension VNGeneratePersonSegmentationRequest.QualityLevel {
    fileprivate var level: PersonSegmenter.Level {
        switch self {
        case .accurate: .accurate
        case .balanced: .balanced
        case .fast: .fast
        }
    }
}
