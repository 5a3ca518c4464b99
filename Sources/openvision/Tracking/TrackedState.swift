import Vision
import VisionVideo

/// The state of a tracked target in one frame, and how the tool prints and draws it.
protocol TrackedState {
    associatedtype Observation: VNDetectedObjectObservation

    /// 0 once tracking has stopped.
    var confidence: Float { get set }

    init(_ observation: Observation, in format: VideoFormat)

    /// Returns the request that tracks the target into the next frame.
    static func request(_ observation: Observation) -> VNTrackingRequest

    /// The header of the table.
    static var header: String { get }

    /// Returns the row of the table.
    func line(milliseconds: Double) -> String

    /// Draws the targets, in the order of their numbers.
    static func draw(_ states: [Self], on canvas: Canvas)
}

/// The box of an object.
struct BoxState: TrackedState {
    var box: PixelRegion
    var boundingBox: CGRect
    var confidence: Float

    static func request(_ observation: VNDetectedObjectObservation) -> VNTrackingRequest {
        VNTrackObjectRequest(detectedObjectObservation: observation)
    }

    static var header: String { TrackCSV.boxHeader }

    func line(milliseconds: Double) -> String {
        TrackCSV.line([box.x, box.y, box.width, box.height], decimals: 2, confidence, milliseconds: milliseconds)
    }

    static func draw(_ states: [BoxState], on canvas: Canvas) {
        BoxPainter().draw(
            states.enumerated().map { target, state in
                BoxPainter.Box(
                    region: state.box, confidence: state.confidence, name: "\(target + 1)", colour: .forTarget(target))
            }, on: canvas)
    }
}

extension BoxState {
    init(_ observation: VNDetectedObjectObservation, in format: VideoFormat) {
        self.init(
            box: PixelRegion(normalised: observation.boundingBox, in: format), boundingBox: observation.boundingBox,
            confidence: observation.confidence)
    }
}

/// The corners of a rectangle.
struct QuadState: TrackedState {
    var quad: PixelQuad
    var confidence: Float

    init(_ observation: VNRectangleObservation, in format: VideoFormat) {
        quad = PixelQuad(observation, in: format)
        confidence = observation.confidence
    }

    static func request(_ observation: VNRectangleObservation) -> VNTrackingRequest {
        VNTrackRectangleRequest(rectangleObservation: observation)
    }

    static var header: String { TrackCSV.quadHeader }

    func line(milliseconds: Double) -> String {
        TrackCSV.line(quad.numbers, decimals: 3, confidence, milliseconds: milliseconds)
    }

    static func draw(_ states: [QuadState], on canvas: Canvas) {
        QuadPainter().draw(
            states.enumerated().map { target, state in
                QuadPainter.Quad(
                    quad: state.quad, confidence: state.confidence,
                    label: "\(target + 1) \(BoxPainter.percent(state.confidence))", colour: .forTarget(target))
            }, on: canvas)
    }
}
