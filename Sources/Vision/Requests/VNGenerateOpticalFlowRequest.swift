import Foundation
import VisionAlgorithms
public import VisionImage

/// A variational method from coarse to fine.
public let VNGenerateOpticalFlowRequestRevision1: Int = 1
/// The same method.
public let VNGenerateOpticalFlowRequestRevision2: Int = 2

/// Finds for each pixel of the targeted image where it is in the handler's image: dense optical flow.
///
/// The result is a pixel buffer of the size of the images with two floats a pixel, the vector from a pixel of the
/// targeted image to the same point of the handler's image: in pixels, x to the right, y down, like the rows of the
/// buffer. With the earlier frame as target and the later one in the handler the vectors are the motion.
///
/// Both images are compared upright and in grey, and must have the same size. Where something is hidden in the other
/// image, vectors are those of its surroundings. With a region of interest only that part of both images is compared;
/// vectors outside of it are 0.
open class VNGenerateOpticalFlowRequest: VNTargetedImageRequest, VNTypedRequest {
    /// The class of the result: one observation.
    public typealias ResultObservation = VNPixelBufferObservation

    /// The trade-off between time and accuracy.
    public enum ComputationAccuracy: UInt, Sendable {
        /// Refined at a quarter of the size.
        case low = 0
        /// Refined at half the size.
        case medium = 1
        /// Refined at full size.
        case high = 2
        /// As `high`, with more steps.
        case veryHigh = 3

        var level: OpticalFlow.Accuracy {
            switch self {
            case .low: .low
            case .medium: .medium
            case .high: .high
            case .veryHigh: .veryHigh
            }
        }
    }

    /// The trade-off between time and accuracy; medium by default.
    open var computationAccuracy: ComputationAccuracy = .medium
    /// The pixel format of the result: `kCVPixelFormatType_TwoComponent32Float`, the default, or
    /// `kCVPixelFormatType_TwoComponent16Half`.
    open var outputPixelFormat: OSType = kCVPixelFormatType_TwoComponent32Float
    /// Whether the result has the size of a network's output. No network is used: the result always has the size of the
    /// images.
    open var keepNetworkOutput = false

    override class var revisionTable: RevisionTable { .generateOpticalFlow }

    override func makeCopy() -> VNRequest {
        VNGenerateOpticalFlowRequest(target: target, completionHandler: completionHandler)
    }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNGenerateOpticalFlowRequest else { return }
        copy.computationAccuracy = computationAccuracy
        copy.outputPixelFormat = outputPixelFormat
        copy.keepNetworkOutput = keepNetworkOutput
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, target) = (try checkedRegionOfInterest(), revision, target)
        let search = try FlowSearch(computationAccuracy.level, format: outputPixelFormat)
        return RequestJob { context in
            let source = try target.makeSource().get()
            let (size, other) = (try source.uprightImageSize(), try context.image.uprightImageSize())
            guard size == other else {
                throw visionError(
                    .invalidArgument,
                    "Optical flow needs two images of one size: the targeted one has \(size.width) × \(size.height) "
                        + "pixels and the handler's \(other.width) × \(other.height).")
            }
            let part = region.wholePixels(in: size)
            let buffer = try search.buffer(
                from: try FlowSearch.frame(of: source, in: part), to: try FlowSearch.frame(of: context.image, in: part),
                region: part, in: size, context.cancellation)
            return [
                VNPixelBufferObservation(
                    pixelBuffer: buffer, featureName: nil, requestRevision: revision, timeRange: context.timeRange)
            ]
        }
    }
}
