package import VisionImage

/// A frame as the rectangle trackers read it. Implementations may cache what the trackers of a frame share.
package protocol PlanarFrame {
    /// Returns the frame as `grey8`, with its pyramid.
    func pyramid() throws -> PlanarPyramid

    /// Returns the corner features of the pyramid.
    func features() throws -> PlanarFeatures

    /// Returns the frame in colour; nil if there is none.
    func colour() throws -> Raster?
}

/// A frame that caches nothing.
struct UncachedPlanarFrame: PlanarFrame {
    let grey: Raster
    let coloured: (() throws -> Raster)?

    /// - Throws: `TrackingError.unsupportedFrame` where `grey` is not `grey8`.
    init(grey: Raster, coloured: (() throws -> Raster)?) throws {
        guard grey.format == .grey8 else {
            throw TrackingError.unsupportedFrame("Tracking needs grey frames of 8 bits, not \(grey.format)")
        }
        self.grey = grey
        self.coloured = coloured
    }

    func pyramid() throws -> PlanarPyramid { try PlanarPyramid(grey) }

    func features() throws -> PlanarFeatures { try PlanarFeatures(of: pyramid()) }

    func colour() throws -> Raster? { try coloured?() }
}
