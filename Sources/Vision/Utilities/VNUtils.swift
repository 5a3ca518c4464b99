// Conversions between normalised and image coordinates. Both have their origin at the lower left, so nothing is flipped
// here; results may be fractions of a pixel.

/// Returns whether the rectangle is exactly the unit square.
public func VNNormalizedRectIsIdentityRect(_ normalizedRect: CGRect) -> Bool {
    normalizedRect == VNNormalizedIdentityRect
}

/// Converts a normalised point to pixels of an image of that size.
public func VNImagePointForNormalizedPoint(
    _ normalizedPoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
    CGPoint(x: normalizedPoint.x * CGFloat(imageWidth), y: normalizedPoint.y * CGFloat(imageHeight))
}

/// Converts a point in pixels of an image of that size to a normalised one; 0 on an axis whose size is 0.
public func VNNormalizedPointForImagePoint(
    _ imagePoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
    CGPoint(x: quotient(imagePoint.x, CGFloat(imageWidth)), y: quotient(imagePoint.y, CGFloat(imageHeight)))
}

/// Converts a normalised rectangle to pixels of an image of that size.
public func VNImageRectForNormalizedRect(
    _ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int
) -> CGRect {
    let width = CGFloat(imageWidth)
    let height = CGFloat(imageHeight)
    return CGRect(
        x: normalizedRect.origin.x * width, y: normalizedRect.origin.y * height,
        width: normalizedRect.size.width * width, height: normalizedRect.size.height * height)
}

/// Converts a rectangle in pixels of an image of that size to a normalised one; 0 on an axis whose size is 0.
public func VNNormalizedRectForImageRect(_ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int) -> CGRect {
    let width = CGFloat(imageWidth)
    let height = CGFloat(imageHeight)
    return CGRect(
        x: quotient(imageRect.origin.x, width), y: quotient(imageRect.origin.y, height),
        width: quotient(imageRect.size.width, width), height: quotient(imageRect.size.height, height))
}

/// Returns the position of a landmark inside its face's box, in pixels from the box's lower-left corner.
///
/// - Parameter faceLandmarkPoint: The landmark, normalised to the face's box.
public func VNNormalizedFaceBoundingBoxPointForLandmarkPoint(
    _ faceLandmarkPoint: vector_float2, _ faceBoundingBox: CGRect, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
    CGPoint(
        x: faceBoundingBox.size.width * CGFloat(imageWidth) * CGFloat(faceLandmarkPoint.x),
        y: faceBoundingBox.size.height * CGFloat(imageHeight) * CGFloat(faceLandmarkPoint.y))
}

/// Returns the position of a landmark in the image, in pixels.
///
/// - Parameter faceLandmarkPoint: The landmark, normalised to the face's box.
public func VNImagePointForFaceLandmarkPoint(
    _ faceLandmarkPoint: vector_float2, _ faceBoundingBox: CGRect, _ imageWidth: Int, _ imageHeight: Int
) -> CGPoint {
    let box = faceBoundingBox
    return CGPoint(
        x: (box.origin.x + box.size.width * CGFloat(faceLandmarkPoint.x)) * CGFloat(imageWidth),
        y: (box.origin.y + box.size.height * CGFloat(faceLandmarkPoint.y)) * CGFloat(imageHeight))
}

/// Returns the bytes of one element; 0 for `unknown`.
public func VNElementTypeSize(_ elementType: VNElementType) -> Int {
    switch elementType {
    case .unknown: 0
    case .float: 4
    case .double: 8
    }
}

/// Converts a point that is normalised to a region of interest to pixels of the whole image.
///
/// - Parameter roi: The region, normalised to the image.
public func VNImagePointForNormalizedPointUsingRegionOfInterest(
    _ normalizedPoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGPoint {
    VNImagePointForNormalizedPoint(
        CGPoint(
            x: roi.origin.x + normalizedPoint.x * roi.size.width,
            y: roi.origin.y + normalizedPoint.y * roi.size.height), imageWidth, imageHeight)
}

/// Converts a point in pixels of the whole image to one normalised to a region of interest.
///
/// - Parameter roi: The region, normalised to the image.
public func VNNormalizedPointForImagePointUsingRegionOfInterest(
    _ imagePoint: CGPoint, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGPoint {
    let point = VNNormalizedPointForImagePoint(imagePoint, imageWidth, imageHeight)
    return CGPoint(
        x: quotient(point.x - roi.origin.x, roi.size.width), y: quotient(point.y - roi.origin.y, roi.size.height))
}

/// Converts a rectangle that is normalised to a region of interest to pixels of the whole image.
///
/// - Parameter roi: The region, normalised to the image.
public func VNImageRectForNormalizedRectUsingRegionOfInterest(
    _ normalizedRect: CGRect, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGRect {
    VNImageRectForNormalizedRect(
        CGRect(
            x: roi.origin.x + normalizedRect.origin.x * roi.size.width,
            y: roi.origin.y + normalizedRect.origin.y * roi.size.height,
            width: normalizedRect.size.width * roi.size.width,
            height: normalizedRect.size.height * roi.size.height), imageWidth, imageHeight)
}

/// Converts a rectangle in pixels of the whole image to one normalised to a region of interest.
///
/// - Parameter roi: The region, normalised to the image.
public func VNNormalizedRectForImageRectUsingRegionOfInterest(
    _ imageRect: CGRect, _ imageWidth: Int, _ imageHeight: Int, _ roi: CGRect
) -> CGRect {
    let rect = VNNormalizedRectForImageRect(imageRect, imageWidth, imageHeight)
    return CGRect(
        x: quotient(rect.origin.x - roi.origin.x, roi.size.width),
        y: quotient(rect.origin.y - roi.origin.y, roi.size.height),
        width: quotient(rect.size.width, roi.size.width), height: quotient(rect.size.height, roi.size.height))
}

/// A size of 0 gives 0 instead of an infinite coordinate.
private func quotient(_ value: CGFloat, _ size: CGFloat) -> CGFloat {
    size == 0 ? 0 : value / size
}
