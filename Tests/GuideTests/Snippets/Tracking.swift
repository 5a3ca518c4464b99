import Foundation
import Vision

/// The snippet of the guide about tracking: the box in each frame, until the object is lost.
func track(_ start: CGRect, through frames: [CVPixelBuffer]) throws -> [CGRect] {
    var boxes: [CGRect] = []
    // snippet: tracking
    let handler = VNSequenceRequestHandler()
    var observation = VNDetectedObjectObservation(boundingBox: start)

    for frame in frames {
        let request = VNTrackObjectRequest(detectedObjectObservation: observation)
        request.trackingLevel = .accurate
        try handler.perform([request], on: frame)
        guard let result = request.results?.first as? VNDetectedObjectObservation, result.confidence >= 0.3 else {
            break  // lost: detect the object again, or ask the user
        }
        boxes.append(result.boundingBox)
        observation = result
    }
    // end
    return boxes
}

/// A frame of bytes in the order blue, green, red, alpha, as FFmpeg's `-pix_fmt bgra` and most cameras' libraries give.
func makeFrame(from pixels: [UInt8], width: Int, height: Int) -> CVPixelBuffer? {
    // snippet: frame
    var created: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &created)
    guard let frame = created else { return nil }

    CVPixelBufferLockBaseAddress(frame, [])
    if let base = CVPixelBufferGetBaseAddress(frame) {
        // Rows of a pixel buffer may be longer than their pixels.
        let bytesPerRow = CVPixelBufferGetBytesPerRow(frame)
        for row in 0..<height {
            let line = pixels[row * width * 4..<(row + 1) * width * 4]
            UnsafeMutableRawBufferPointer(start: base + row * bytesPerRow, count: width * 4).copyBytes(from: line)
        }
    }
    CVPixelBufferUnlockBaseAddress(frame, [])
    // end
    return frame
}
