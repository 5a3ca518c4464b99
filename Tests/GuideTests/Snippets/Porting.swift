// snippet: imports
#if canImport(CoreVideo)
    import CoreVideo
#endif
import Vision
// end
import VisionVideo

/// The snippet about code that stays as it is: an image that lies on its side, a completion handler, a downcast.
func findRectangles(in image: CGImage) throws -> [VNRectangleObservation] {
    nonisolated(unsafe) var found: [VNRectangleObservation] = []
    // snippet: classic
    let request = VNDetectRectanglesRequest { request, error in
        guard error == nil, let results = request.results as? [VNRectangleObservation] else { return }
        found = results
    }
    request.maximumObservations = 4
    request.minimumConfidence = 0.5
    let handler = VNImageRequestHandler(cgImage: image, orientation: .up, options: [:])
    try handler.perform([request])
    // end
    return found
}

/// The snippet about the camera. Returns the payloads of all frames.
func readCodes(in source: VideoSource) async throws -> [String] {
    var codes: [String] = []
    func show(_ code: String) { codes.append(code) }
    // snippet: camera
    let handler = VNSequenceRequestHandler()
    let request = VNDetectBarcodesRequest()
    for try await frame in try await VideoReader(source) {  // VideoReader(.device("/dev/video0"))
        try handler.perform([request], on: frame.sampleBuffer)
        for code in request.results ?? [] { show(code.payloadStringValue ?? "") }
    }
    // end
    return codes
}
