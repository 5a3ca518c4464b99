package import VisionImage

/// The map that moves the floating image onto the reference, in pixels, x to the right and y down, with the centre of
/// the first pixel at (0.5, 0.5).
package struct PlanarRegistration: Sendable {
    package var map: Homography
    /// From 0 (no common content, or no texture) to 1.
    package var confidence: Double

    package static let none = PlanarRegistration(map: .identity, confidence: 0)
}

/// Finds the homography between two images, which may have different sizes.
///
/// Small motion is found by direct alignment. If that has a low confidence, features are matched, first those of the
/// images themselves, then also those of simulated tilted views. Large images are reduced, which bounds the time.
package enum PlanarRegistrar {
    /// - Parameter check: Called repeatedly; an error that it throws cancels the registration.
    /// - Throws: `RegistrationError.unsupportedFormat`, `ImageError.outOfMemory`, errors of `check`.
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
        // A flat scene is refined to subpixel precision by direct alignment.
        guard found.confidence >= 0.3,
            let refined = try DirectRegistration.register(reference: reference, floating: floating, from: found.map),
            refined.confidence >= DirectRegistration.acceptedConfidence,
            isNear(refined.map, found.map, of: floating, in: reference)
        else { return found }
        return PlanarRegistration(map: refined.map, confidence: max(found.confidence, refined.confidence))
    }

    /// Returns whether two maps move the corners of the floating image to within 1/200 of the reference's longer side,
    /// so that one refines the other.
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
