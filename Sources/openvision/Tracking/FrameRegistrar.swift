import Vision
import VisionVideo

/// Registers each frame of a stream with the previous one.
final class FrameRegistrar {
    struct Shift {
        var x: Double
        var y: Double
        var confidence: Float
        /// The duration of `perform`.
        var milliseconds: Double
    }

    private let handler = VNSequenceRequestHandler()
    private var previous: CVPixelBuffer?
    private(set) var timings = Timings()

    /// Returns the shift from the previous frame; nil for the first frame.
    func register(_ frame: CVPixelBuffer) -> Result<Shift, any Error>? {
        defer { previous = frame }
        guard let previous else { return nil }
        let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: frame)
        return Result {
            let elapsed = try ContinuousClock().measure { try handler.perform([request], on: previous) }
            timings.add(elapsed.milliseconds)
            guard let result = request.results?.first else {
                throw VideoError(kind: .damaged, path: "frame", reason: "cannot be registered")
            }
            let transform = result.alignmentTransform
            return Shift(
                x: Double(transform.tx), y: Double(transform.ty), confidence: result.confidence,
                milliseconds: elapsed.milliseconds)
        }
    }
}
