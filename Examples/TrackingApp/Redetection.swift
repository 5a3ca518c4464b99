import Foundation
import Vision

/// Tracks one object through a long video in short runs, so that a tracker does not drift for long: detect it, track it
/// for some frames, detect it again. The caller sees one continuous track.
struct Redetection {
    /// The number of frames after which the object is detected again.
    var runLength: Int
    /// Detects the object in a frame, near its last box; nil where it is not found, and tracking continues.
    var find: (CVPixelBuffer, VNDetectedObjectObservation?) throws -> VNDetectedObjectObservation?

    init(
        runLength: Int = 50,
        find: @escaping (CVPixelBuffer, VNDetectedObjectObservation?) throws -> VNDetectedObjectObservation?
    ) {
        self.runLength = runLength
        self.find = find
    }

    /// Returns the box of each frame from the first on in which the object was found; nil before.
    func track(_ frames: some Sequence<CVPixelBuffer>, level: VNRequestTrackingLevel) throws -> [CGRect?] {
        let handler = VNSequenceRequestHandler()
        var track: [CGRect?] = []
        var last: VNDetectedObjectObservation?
        for (index, frame) in frames.enumerated() {
            // As soon as there is something to follow, then at the start of each run.
            if last == nil || index % runLength == 0, let found = try find(frame, last) {
                if let last { try release(last, handler, frame, level) }
                last = VNDetectedObjectObservation(boundingBox: found.boundingBox)
            }
            guard let input = last else {
                track.append(nil)
                continue
            }
            let request = request(input, level)
            try handler.perform([request], on: frame)
            last = request.results?.first ?? input
            track.append(last?.boundingBox)
        }
        return track
    }

    /// Ends the run of a tracker, which the next one replaces.
    private func release(
        _ observation: VNDetectedObjectObservation, _ handler: VNSequenceRequestHandler, _ frame: CVPixelBuffer,
        _ level: VNRequestTrackingLevel
    ) throws {
        let request = request(observation, level)
        request.isLastFrame = true
        try handler.perform([request], on: frame)
    }

    /// Revision 1: the level has no effect on later ones.
    private func request(
        _ observation: VNDetectedObjectObservation, _ level: VNRequestTrackingLevel
    ) -> VNTrackObjectRequest {
        let request = VNTrackObjectRequest(detectedObjectObservation: observation)
        request.revision = VNTrackObjectRequestRevision1
        request.trackingLevel = level
        return request
    }
}

extension Redetection {
    /// Returns the face in a frame that is nearest to its last box; at first the largest one.
    static func face(in frame: CVPixelBuffer, last: VNDetectedObjectObservation?) throws -> VNDetectedObjectObservation?
    {
        let request = VNDetectFaceRectanglesRequest()
        try VNImageRequestHandler(cvPixelBuffer: frame).perform([request])
        let faces = request.results ?? []
        guard let last = last?.boundingBox else {
            return faces.max { $0.boundingBox.width < $1.boundingBox.width }
        }
        func distance(_ face: VNFaceObservation) -> CGFloat {
            let (x, y) = (face.boundingBox.midX - last.midX, face.boundingBox.midY - last.midY)
            return x * x + y * y
        }
        return faces.min { distance($0) < distance($1) }
    }
}
