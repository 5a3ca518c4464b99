import Vision

/// A small image on which a request is performed before photos, so that an error that affects every photo is not
/// reported for one of them.
enum ProbeImage {
    static func make() throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(nil, 32, 32, kCVPixelFormatType_32BGRA, nil, &buffer)
        guard status == kCVReturnSuccess, let buffer else {
            throw PhotoFile.Failure(description: "there is no memory for an image of 32 × 32 pixels")
        }
        return buffer
    }
}
