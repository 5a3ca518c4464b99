public import COpenVision
import Foundation
import Vision
import VisionAnalysis
import VisionImage
import VisionRecords
import VisionThreads

/// Objects that are followed from frame to frame, behind an opaque pointer. Calls of several threads come one after
/// another.
private final class OpenTracker: Sendable {
    private let track: Locked<Track>

    init(_ track: Track) { self.track = Locked(track) }

    static func at(_ pointer: OpaquePointer?) throws -> OpenTracker {
        guard let pointer else { throw CallInputs.mistake("The tracker is NULL.") }
        return Unmanaged<OpenTracker>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    func next(_ frame: CVPixelBuffer) throws -> TrackReport { try track.withLock { try $0.next(frame) } }
}

/// What to track, as JSON.
private struct TrackerOptions: Decodable {
    /// x, y, width and height in pixels, from the top left.
    let boxes: [[Double]]
    var level: String?
    var revision: Int?

    private static let names: Set<String> = ["boxes", "level", "revision"]

    init(_ text: UnsafePointer<CChar>?) throws {
        let data = Data(try CallInputs.text(text, "The options").utf8)
        let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        if let unknown = object?.keys.filter({ !Self.names.contains($0) }).min() {
            throw CallInputs.mistake("The options have no \(unknown); there are boxes, level and revision.")
        }
        guard let options = try? JSONDecoder().decode(Self.self, from: data) else {
            throw CallInputs.mistake(
                "The options are not valid; use {\"boxes\": [[x, y, width, height]], \"level\": \"fast\"}.")
        }
        self = options
    }

    func observations(_ width: Int, _ height: Int) throws -> [VNDetectedObjectObservation] {
        guard !boxes.isEmpty else { throw CallInputs.mistake("The list of boxes to track is empty.") }
        let (w, h) = (Double(width), Double(height))
        return try boxes.map { box in
            guard box.count == 4, box.allSatisfy({ $0.isFinite && abs($0) < 1e6 }), box[2] > 0, box[3] > 0 else {
                throw CallInputs.mistake("\(box) is not a valid box; use x, y, width and height in pixels.")
            }
            return VNDetectedObjectObservation(
                boundingBox: CGRect(
                    x: box[0] / w, y: 1 - (box[1] + box[3]) / h, width: box[2] / w, height: box[3] / h))
        }
    }

    var trackingLevel: VNRequestTrackingLevel {
        get throws {
            switch level {
            case "fast", nil: .fast
            case "accurate": .accurate
            case let level?: throw CallInputs.mistake("The level \(level) does not exist; use fast or accurate.")
            }
        }
    }

    /// - Throws: For a revision that does not exist.
    func checkRevision() throws {
        if let revision, !VNTrackObjectRequest.supportedRevisions.contains(revision) {
            throw CallInputs.mistake("The revision \(revision) does not exist; use 1 or 2.")
        }
        if level != nil, revision != VNTrackObjectRequestRevision1 {
            throw CallInputs.mistake("Only revision 1 has levels; set the revision to 1.")
        }
    }
}

/// Where the targets are in a frame.
private struct TrackReport: Encodable {
    struct Target: Encodable {
        let box: PixelRectangleRecord
        /// 0 once tracking has stopped.
        let confidence: Double?
    }

    let targets: [Target]
}

private struct Track {
    private let handler = VNSequenceRequestHandler()
    private let (width, height): (Int, Int)
    private let level: VNRequestTrackingLevel
    private let revision: Int?
    private var observations: [VNDetectedObjectObservation]
    /// Whether a target is tracked still.
    private var isAlive: [Bool]

    /// Begins to track in a first frame, where the targets are where the options say.
    init(_ options: TrackerOptions, in frame: CVPixelBuffer) throws {
        (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        try options.checkRevision()
        level = try options.trackingLevel
        revision = options.revision
        observations = try options.observations(width, height)
        isAlive = observations.map { _ in true }
        let requests = requests()
        try handler.perform(requests, on: frame)
        observations = try requests.map { request in
            guard let found = request.results?.first as? VNDetectedObjectObservation else {
                throw CallInputs.mistake("A target cannot be tracked.")
            }
            return found
        }
    }

    /// Tracks into the next frame. A target whose tracking fails keeps its last box at confidence 0.
    mutating func next(_ frame: CVPixelBuffer) throws -> TrackReport {
        let (frameWidth, frameHeight) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        guard (frameWidth, frameHeight) == (width, height) else {
            throw CallInputs.mistake(
                "The frame has \(frameWidth) × \(frameHeight) pixels, the first one \(width) × \(height).")
        }
        let requests = requests()
        // What fails has no result.
        try? handler.perform(requests.indices.filter { isAlive[$0] }.map { requests[$0] }, on: frame)
        for target in requests.indices where isAlive[target] {
            if let found = requests[target].results?.first as? VNDetectedObjectObservation {
                observations[target] = found
            } else {
                isAlive[target] = false
            }
        }
        return report
    }

    private func requests() -> [VNTrackObjectRequest] {
        observations.map { observation in
            let request = VNTrackObjectRequest(detectedObjectObservation: observation)
            request.trackingLevel = level
            if let revision { request.revision = revision }
            return request
        }
    }

    var report: TrackReport {
        let (w, h) = (Double(width), Double(height))
        return TrackReport(
            targets: zip(observations, isAlive).map { observation, isAlive in
                let box = observation.boundingBox
                return TrackReport.Target(
                    box: PixelRectangleRecord(
                        x: Double(box.minX) * w, y: (1 - Double(box.maxY)) * h, width: Double(box.width) * w,
                        height: Double(box.height) * h),
                    confidence: isAlive ? Double(observation.confidence).rounded(decimals: 4) : 0)
            })
    }
}

/// Begins to track objects.
@_cdecl("openvision_tracker_start")
public func trackerStart(
    _ pixels: UnsafePointer<openvision_pixels>?, _ options: UnsafePointer<CChar>?,
    _ tracker: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer {
    tracker?.pointee = nil
    return CallResult.of { _ in
        guard let tracker else { throw CallInputs.mistake("The place for the tracker is NULL.") }
        let options = try TrackerOptions(options)
        guard let pixels else { throw CallInputs.mistake("The pixels are NULL.") }
        let track = try Track(options, in: try CallInputs.buffer(pixels.pointee))
        tracker.pointee = OpaquePointer(Unmanaged.passRetained(OpenTracker(track)).toOpaque())
        return track.report
    }
}

/// Tracks into the next frame.
@_cdecl("openvision_tracker_next")
public func trackerNext(_ tracker: OpaquePointer?, _ pixels: UnsafePointer<openvision_pixels>?) -> OpaquePointer {
    CallResult.of { _ in
        let tracker = try OpenTracker.at(tracker)
        guard let pixels else { throw CallInputs.mistake("The pixels are NULL.") }
        return try tracker.next(try CallInputs.buffer(pixels.pointee))
    }
}

/// Frees a tracker.
@_cdecl("openvision_tracker_free")
public func trackerFree(_ tracker: OpaquePointer?) {
    if let tracker { Unmanaged<OpenTracker>.fromOpaque(UnsafeRawPointer(tracker)).release() }
}
