package import VisionImage

/// What the trackers of rectangles see of a frame. They may share what is made of it.
package protocol PlanarFrame {
    /// The frame as `grey8`, halved again and again.
    func pyramid() throws -> PlanarPyramid

    /// The corners of that.
    func features() throws -> PlanarFeatures

    /// The frame in colour; nil where there is none.
    func colour() throws -> Raster?
}

/// A frame that keeps nothing.
struct PlanarPicture: PlanarFrame {
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
