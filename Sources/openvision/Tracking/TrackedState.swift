import Vision

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

    func draw(target: Int, on canvas: Canvas)
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

    func draw(target: Int, on canvas: Canvas) {
        BoxPainter(videoHeight: canvas.height).draw(box, confidence: confidence, target: target, on: canvas)
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

    func draw(target: Int, on canvas: Canvas) {
        QuadPainter(videoHeight: canvas.height).draw(quad, confidence: confidence, target: target, on: canvas)
    }
}
