public import Vision

extension CGPoint {
    /// Converts this normalised point (origin at the lower left) to pixels.
    ///
    /// - Parameters:
    ///   - imageSize: The size of the upright image in pixels.
    ///   - origin: The origin of the result.
    ///   - regionOfInterest: The region that the point is normalised to, itself normalised to the image.
    public func toImageCoordinates(
        _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft,
        regionOfInterest: CGRect = VNNormalizedIdentityRect
    ) -> CGPoint {
        let point = CGPoint(
            x: (regionOfInterest.origin.x + x * regionOfInterest.size.width) * imageSize.width,
            y: (regionOfInterest.origin.y + y * regionOfInterest.size.height) * imageSize.height)
        return origin.convert(point, in: imageSize.height)
    }
}

extension CGRect {
    /// Converts this normalised rectangle (origin at the lower left) to pixels.
    ///
    /// - Parameters:
    ///   - imageSize: The size of the upright image in pixels.
    ///   - origin: The origin of the result.
    ///   - regionOfInterest: The region that the rectangle is normalised to, itself normalised to the image.
    public func toImageCoordinates(
        _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft,
        regionOfInterest: CGRect = VNNormalizedIdentityRect
    ) -> CGRect {
        let region = regionOfInterest
        let rect = CGRect(
            x: (region.origin.x + self.origin.x * region.size.width) * imageSize.width,
            y: (region.origin.y + self.origin.y * region.size.height) * imageSize.height,
            width: size.width * region.size.width * imageSize.width,
            height: size.height * region.size.height * imageSize.height)
        return origin.convert(rect, in: imageSize.height)
    }

    /// Converts this rectangle in pixels to a normalised one (origin at the lower left).
    ///
    /// - Parameters:
    ///   - imageSize: The size of the upright image in pixels; both sides must be above 0.
    ///   - origin: The origin of this rectangle's coordinates.
    ///   - regionOfInterest: The region that the result is normalised to, itself normalised to the image.
    public func toNormalizedCoordinates(
        _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft,
        regionOfInterest: CGRect = VNNormalizedIdentityRect
    ) -> CGRect {
        let rect = origin.convert(self, in: imageSize.height)
        let region = regionOfInterest
        return CGRect(
            x: (rect.origin.x / imageSize.width - region.origin.x) / region.size.width,
            y: (rect.origin.y / imageSize.height - region.origin.y) / region.size.height,
            width: rect.size.width / imageSize.width / region.size.width,
            height: rect.size.height / imageSize.height / region.size.height)
    }
}

extension VNDetectedObjectObservation {
    /// Creates an observation from a box in pixels, to start a tracker with.
    ///
    /// - Parameters:
    ///   - imageRect: The box in pixels of the upright image.
    ///   - imageSize: The size of that image; both sides must be above 0.
    ///   - origin: The origin of the box's coordinates.
    ///   - regionOfInterest: The region of interest of the requests that the observation is for.
    public convenience init(
        imageRect: CGRect, imageSize: CGSize, origin: CoordinateOrigin,
        regionOfInterest: CGRect = VNNormalizedIdentityRect
    ) {
        self.init(
            boundingBox: imageRect.toNormalizedCoordinates(
                imageSize, origin: origin, regionOfInterest: regionOfInterest))
    }

    /// Returns the box in pixels.
    ///
    /// - Parameters:
    ///   - imageSize: The size of the upright image in pixels.
    ///   - origin: The origin of the result.
    ///   - regionOfInterest: The region of interest of the request that made the observation.
    public func imageRect(
        in imageSize: CGSize, origin: CoordinateOrigin, regionOfInterest: CGRect = VNNormalizedIdentityRect
    ) -> CGRect {
        boundingBox.toImageCoordinates(imageSize, origin: origin, regionOfInterest: regionOfInterest)
    }
}

extension VNImageTranslationAlignmentObservation {
    /// Returns the translation in pixels that moves the floating image onto the reference.
    ///
    /// - Parameter origin: Whether y points up (`lowerLeft`) or down (`upperLeft`).
    public func shift(origin: CoordinateOrigin) -> CGVector {
        CGVector(
            dx: alignmentTransform.tx, dy: origin == .lowerLeft ? alignmentTransform.ty : -alignmentTransform.ty)
    }
}
