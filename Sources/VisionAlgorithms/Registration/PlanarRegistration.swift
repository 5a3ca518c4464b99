package import VisionImage

/// The map that moves the floating image onto the reference, in pixels, x to the right and y down, the middle of the first
/// pixel being (0.5, 0.5).
package struct PlanarRegistration: Sendable {
    package var map: Homography
    /// From 0 (the images have nothing in common, or nothing to go by) to 1.
    package var confidence: Double

    package static let none = PlanarRegistration(map: .identity, confidence: 0)
}

/// Finds the homography between two images, which may have different sizes.
///
/// Small motion is found by aligning the images directly; where that does not confirm itself, by features, at first those of the
/// images as they are, then also those of views from the side. The work is bounded: large images are looked at in a smaller
/// size.
package enum PlanarRegistrar {
    /// - Parameter check: Called now and then; what it throws ends the work.
    /// - Throws: `RegistrationError.unsupportedFormat`, `ImageError.outOfMemory`, what `check` throws.
    package static func register(
        reference: Raster, floating: Raster, check: () throws -> Void = {}
    ) throws -> PlanarRegistration {
        for raster in [reference, floating] where raster.format != .grey8 {
            throw RegistrationError.unsupportedFormat(raster.format)
        }
        if let direct = try DirectRegistration.register(reference: reference, floating: floating),
            direct.confidence >= 0.6
        {
            return direct
        }
        try check()
        let found = try FeatureRegistration.register(reference: reference, floating: floating, check: check)
        // What is flat as a whole is aligned to parts of a pixel from there.
        guard found.confidence >= 0.3,
            let refined = try DirectRegistration.register(reference: reference, floating: floating, from: found.map),
            refined.confidence >= DirectRegistration.sure,
            isNear(refined.map, found.map, of: floating, in: reference)
        else { return found }
        return PlanarRegistration(map: refined.map, confidence: max(found.confidence, refined.confidence))
    }

    /// Whether two maps take the corners of the floating image to within a two-hundredth of the longer side of the reference:
    /// whether one refines the other.
    private static func isNear(
        _ one: Homography, _ other: Homography, of floating: Raster, in reference: Raster
    ) -> Bool {
        let (w, h) = (Double(floating.width), Double(floating.height))
        let limit = Double(max(reference.width, reference.height)) / 200
        return [(0, 0), (w, 0), (w, h), (0, h)].allSatisfy { x, y in
            one.apply(x, y).distance(to: other.apply(x, y)) < limit
        }
    }
}
