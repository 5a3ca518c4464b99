import Vision
import VisionPhotos
import VisionVideo

/// The comparison of one image with another.
enum ImageRegistration {
    /// Returns the bytes of an image file, or of the standard input for "-".
    ///
    /// - Throws: `VideoError`.
    static func data(_ path: String) throws -> Data {
        do {
            return try PhotoFile.read(FilePath(path)).data
        } catch {
            throw VideoError(kind: .io, path: path, reason: error.description)
        }
    }

    /// Performs a request on the reference image.
    ///
    /// - Parameter result: Returns the result of the request.
    /// - Returns: The result, and the duration of the perform.
    /// - Throws: `VideoError` for a missing file and without a result; `RequestFailure`.
    static func result<Request: VNTargetedImageRequest, Result>(
        of request: Request, _ reference: String, _ floating: String, _ result: (Request) -> Result?
    ) throws -> (result: Result, elapsed: Duration) {
        for path in [reference, floating] { try ImageFile.checkReadable(path) }
        let handler = VNImageRequestHandler(data: try data(reference))
        let start = ContinuousClock.now
        do {
            try handler.perform([request])
        } catch {
            // Which of the two images cannot be decoded is found by decoding each.
            for path in [reference, floating] {
                do { _ = try Photo(FilePath(path)).image() } catch { throw RequestFailure(path: path, error) }
            }
            throw RequestFailure(path: "\(reference), \(floating)", error)
        }
        let elapsed = ContinuousClock.now - start
        guard let found = result(request) else {
            throw VideoError(kind: .damaged, path: floating, reason: "cannot be compared with \(reference)")
        }
        return (found, elapsed)
    }
}
