import Foundation
import Vision

/// The snippet of README.md; returns what it prints.
func readFirstResults(of photo: URL) async throws -> [String] {
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    // snippet: five-lines
    let handler = ImageRequestHandler(photo)  // or Data, CGImage, CIImage, CVPixelBuffer, CMSampleBuffer
    let (faces, texts) = try await handler.perform(DetectFaceRectanglesRequest(), RecognizeTextRequest())
    for face in faces { print("a face at \(face.boundingBox)") }
    for text in texts { print(text.topCandidates(1).first?.string ?? "") }
    // end
    return lines
}
