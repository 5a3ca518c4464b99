import VisionImage
import VisionModels

/// Steadies the masks of a video: where a mask is in doubt, a part of the mask before it is mixed in.
struct SteadyMask: Sendable {
    private var last: (mask: FloatMap, time: CMTime, region: NormalizedRegion, level: PersonSegmenter.Level)?

    /// Masks that are further apart, in seconds, are independent.
    private static let longestGap = 0.3
    /// The largest share of the mask before, where a value is 0.5.
    private static let largestShare: Float = 0.6

    /// Returns the mask of a frame, steadied by that of the frame before it if both have times.
    mutating func next(
        _ mask: FloatMap, at frameTime: FrameTime, _ region: NormalizedRegion, _ level: PersonSegmenter.Level
    ) -> FloatMap {
        guard let time = frameTime.start else {
            last = nil
            return mask
        }
        var result = mask
        if let last, last.region == region, last.level == level, last.mask.width == mask.width,
            last.mask.height == mask.height, last.time < time, (time - last.time).seconds <= Self.longestGap
        {
            let values = zip(mask.values, last.mask.values).map { new, old -> Float in
                // The variance of a yes or no with this probability, 1 where it is most.
                let doubt = 4 * new * (1 - new)
                return new + (old - new) * Self.largestShare * doubt
            }
            result = FloatMap(width: mask.width, height: mask.height, values: values)
        }
        last = (result, time, region, level)
        return result
    }
}
