import Vision

/// A small image, with which a request is tried before it is performed on photos: what would fail for every photo is
/// not blamed on one.
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
