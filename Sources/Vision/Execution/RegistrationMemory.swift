import Foundation
import VisionAlgorithms
import VisionImage

/// The spectra of the two images that were registered last. In a video, the target of one call is the reference of the
/// next, so each frame needs only one forward and one inverse transform.
///
/// A spectrum is reused only if all pixels are equal. Comparing buffer identities would be faster but wrong: cameras
/// and decoders write new frames into old buffers.
final class RegistrationMemory: @unchecked Sendable {
    // Unchecked: registrations of one perform form a serial queue, and the handler's lock orders performs.
    private var correlator: PhaseCorrelator?
    private var spectra: [ImageSpectrum] = []

    /// Returns the translation that maps the floating image onto the reference. Both must have the same size.
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
        // The pixels may belong to a buffer that its owner will overwrite: store a copy with the spectrum.
        return try correlator.spectrum(of: pixels.copied())
    }
}

extension Raster {
    /// Returns whether size, format and all pixels are equal. For rasters of one plane.
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

    /// Returns a copy with its own memory: a raster may share memory with a buffer that its owner overwrites.
    func copied() throws -> Raster {
        try Raster(width: width, height: height, format: format) { pixels, newRowBytes in
            withUnsafePixels { mine in
                for row in 0..<height {
                    memcpy(pixels + row * newRowBytes, mine + row * rowBytes, width * format.bytesPerPixel)
                }
            }
        }
    }
}
