import Foundation
import Vision

/// Where something that is followed through a video is in one of its frames, and how the tool shows it.
protocol TrackedState {
    associatedtype Observation: VNDetectedObjectObservation

    /// 0 once its tracker has given up.
    var confidence: Float { get set }

    init(_ observation: Observation, in format: VideoFormat)

    /// The request that follows it into the next frame.
    static func request(_ observation: Observation) -> VNTrackingRequest

    /// The names of the table's columns.
    static var header: String { get }

    /// Its line of the table.
    func line(milliseconds: Double) -> String

    func draw(target: Int, on canvas: Canvas)
}

/// The box of an object.
struct BoxState: TrackedState {
    var box: PixelBox
    var boundingBox: CGRect
    var confidence: Float

    init(box: PixelBox, boundingBox: CGRect, confidence: Float) {
        self.box = box
        self.boundingBox = boundingBox
        self.confidence = confidence
    }

    init(_ observation: VNDetectedObjectObservation, in format: VideoFormat) {
        self.init(
            box: PixelBox(normalised: observation.boundingBox, in: format), boundingBox: observation.boundingBox,
            confidence: observation.confidence)
    }

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
