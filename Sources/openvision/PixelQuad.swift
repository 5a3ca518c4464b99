import Vision
import VisionVideo

/// Four corners in pixels, clockwise from the top left one: origin at the top left corner of the image, x to the right,
/// y down.
struct PixelQuad: Equatable {
    var corners: [CGPoint]

    /// Reads "x1,y1,x2,y2,x3,y3,x4,y4".
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard parts.count == 8, numbers.count == 8, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else {
            return nil
        }
        corners = stride(from: 0, to: 8, by: 2).map { CGPoint(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    /// Converts the corners of an observation in a frame of a video.
    init(_ observation: VNRectangleObservation, in format: VideoFormat) {
        self.init(observation, width: format.width, height: format.height)
    }

    /// Converts the corners of an observation in an image of that size.
    init(_ observation: VNRectangleObservation, width: Int, height: Int) {
        let points = [observation.topLeft, observation.topRight, observation.bottomRight, observation.bottomLeft]
        corners = points.map { CGPoint(x: $0.x * CGFloat(width), y: (1 - $0.y) * CGFloat(height)) }
    }

    /// Returns an observation that a tracker can start from.
    ///
    /// - Parameter normalised: Whether the corners are fractions of the image, y up, already.
    func observation(in format: VideoFormat, normalised: Bool) -> VNRectangleObservation {
        let points =
            normalised
            ? corners
            : corners.map { corner in
                CGPoint(x: corner.x / CGFloat(format.width), y: 1 - corner.y / CGFloat(format.height))
            }
        return VNRectangleObservation(
            requestRevision: VNTrackRectangleRequestRevision1, topLeft: points[0], topRight: points[1],
            bottomRight: points[2], bottomLeft: points[3])
    }

    /// x and y of each corner.
    var numbers: [Double] { corners.flatMap { [Double($0.x), Double($0.y)] } }
}
