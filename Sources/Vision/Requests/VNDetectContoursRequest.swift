public import Foundation
import VisionAlgorithms
import VisionImage

/// Border following in a binary image.
public let VNDetectContourRequestRevision1: Int = 1

/// Detects the contours of dark or light regions: the borders of regions and of the holes in them, with their
/// hierarchy.
///
/// The image is reduced to `maximumImageDimension` in grey and divided at `contrastPivot`: pixels that are darker are
/// regions (lighter, if `detectsDarkOnLight` is false), 8-connected, and the others their surroundings, 4-connected. A
/// region, or a hole, counts if it contains a pixel that differs from the pivot by an eighth of the whole range of grey
/// values, after the contrast has been multiplied by `contrastAdjustment`; others belong to what is around them. So a
/// higher contrast finds fainter regions, and none is found without contrast.
///
/// There is one result with all contours, also where there is none. Time and memory grow with the number of pixels and
/// of the contours' points.
open class VNDetectContoursRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the result: one observation.
    public typealias ResultObservation = VNContoursObservation

    /// By how much the contrast is multiplied, 0 … 3; 2 by default.
    open var contrastAdjustment: Float = 2
    /// The grey value that separates regions from their surroundings, 0 … 1; 0.5 by default, nil for the value that
    /// suits the image best (Otsu's method).
    open var contrastPivot: NSNumber? = 0.5
    /// Whether dark regions on a light background are detected; light ones on a dark background otherwise. True by
    /// default.
    open var detectsDarkOnLight: Bool = true
    /// The greatest width and height, in pixels, with which the region of interest is processed: larger ones are
    /// reduced. At least 64; 512 by default. Above 65,535 it counts as that.
    open var maximumImageDimension: Int = 512

    override class var revisionTable: RevisionTable { .detectContours }

    override func makeCopy() -> VNRequest { VNDetectContoursRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNDetectContoursRequest else { return }
        copy.contrastAdjustment = contrastAdjustment
        copy.contrastPivot = contrastPivot
        copy.detectsDarkOnLight = detectsDarkOnLight
        copy.maximumImageDimension = maximumImageDimension
    }

    /// By how much of the range of grey values a region must differ from the pivot once the contrast is adjusted.
    private static let depth = 0.125

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        guard contrastAdjustment >= 0, contrastAdjustment <= 3 else {
            throw visionError(
                .invalidArgument, "contrastAdjustment is \(contrastAdjustment); it must be from 0 to 3.")
        }
        let pivot = contrastPivot?.doubleValue
        guard pivot.map({ $0 >= 0 && $0 <= 1 }) ?? true else {
            throw visionError(
                .invalidArgument, "contrastPivot is \(pivot ?? 0); it must be from 0 to 1, or nil.")
        }
        guard maximumImageDimension >= 64 else {
            throw visionError(
                .invalidArgument, "maximumImageDimension is \(maximumImageDimension); it must be 64 or more.")
        }
        let finder = ContourFinder(
            pivot: pivot, isDark: detectsDarkOnLight,
            // Without contrast no region is deep enough.
            leastDepth: contrastAdjustment > 0 ? Self.depth / Double(contrastAdjustment) : 2)
        let side = min(maximumImageDimension, ContourFinder.sizeLimit)
        return RequestJob { context in
            let contours = try context.contours(in: region, side: side, finder: finder)
            return [VNContoursObservation(contours, requestRevision: revision, timeRange: context.timeRange)]
        }
    }
}

/// The contours of a region of an image.
private struct ContoursKey: ImageResultKey {
    let region: PixelRegion
    let side: Int
    let finder: ContourFinder

    static func byteCount(of contours: ContourTree) -> Int { contours.byteCount }
}

extension PerformContext {
    /// Returns the contours of a region that is reduced to at most `side` pixels along its longer side.
    fileprivate func contours(in region: NormalizedRegion, side: Int, finder: ContourFinder) throws -> ContourTree {
        let pixels = region.wholePixels(in: try image.uprightImageSize())
        return try image.results.result(for: ContoursKey(region: pixels, side: side, finder: finder)) {
            let scale = min(1, Double(side) / max(pixels.width, pixels.height))
            func reduced(_ length: Double) -> Int { max(1, Int((length * scale).rounded())) }
            let grey = try image.derivative(
                Derivative(
                    region: pixels, width: reduced(pixels.width), height: reduced(pixels.height), format: .grey8))
            return try finder.contours(in: grey, aspectRatio: pixels.width / pixels.height) {
                try cancellation.check()
            }
        }
    }
}
