import Foundation
import VisionAlgorithms
import VisionImage

/// The spectra of the two images that were registered last: in a video the target of one call is the reference of the
/// next, which leaves one forward transform and one inverse for each frame.
///
/// A spectrum is used again only for pixels that are equal to those it was made of, every one of them. Going by the
/// identity of a buffer would be faster by the comparison, but cameras and decoders write new frames into old buffers,
/// and nothing makes them say so.
final class RegistrationMemory: @unchecked Sendable {
    // Unchecked: registrations of one perform form a serial queue, and the handler's lock orders performs.
    private var correlator: PhaseCorrelator?
    private var spectra: [ImageSpectrum] = []

    /// The shift that moves the floating image onto the reference. Both have the same size.
    func translation(of floating: Raster, onto reference: Raster) throws -> Translation {
        let correlator = try correlator(width: reference.width, height: reference.height)
        let first = try spectrum(of: reference, correlator)
        let second = try spectrum(of: floating, correlator)
        spectra = [second, first]
        return try correlator.translation(reference: first, floating: second)
    }

    private func correlator(width: Int, height: Int) throws -> PhaseCorrelator {
        if let correlator, correlator.width == width, correlator.height == height { return correlator }
        spectra = []
        let new = try PhaseCorrelator(width: width, height: height)
        correlator = new
        return new
    }

    private func spectrum(of pixels: Raster, _ correlator: PhaseCorrelator) throws -> ImageSpectrum {
        if let known = spectra.first(where: { $0.raster.hasSamePixels(as: pixels) }) { return known }
        // A spectrum keeps its pixels. These may be those of a buffer that its owner will write to: keep a copy.
        return try correlator.spectrum(of: pixels.copied())
    }
}

extension Raster {
    /// Whether both have the same size and format and all pixels are equal. Rasters of one plane only.
    fileprivate func hasSamePixels(as other: Raster) -> Bool {
        guard width == other.width, height == other.height, format == other.format else { return false }
        let rowLength = width * format.bytesPerPixel
        return withUnsafePixels { mine in
            other.withUnsafePixels { theirs in
                (0..<height).allSatisfy { row in
                    memcmp(mine + row * rowBytes, theirs + row * other.rowBytes, rowLength) == 0
                }
            }
        }
    }

    /// The same pixels in memory of their own: a raster may share that of a buffer which its owner writes to.
    fileprivate func copied() throws -> Raster {
        try Raster(width: width, height: height, format: format) { pixels, newRowBytes in
            withUnsafePixels { mine in
                for row in 0..<height {
                    memcpy(pixels + row * newRowBytes, mine + row * rowBytes, width * format.bytesPerPixel)
                }
            }
        }
    }
}
