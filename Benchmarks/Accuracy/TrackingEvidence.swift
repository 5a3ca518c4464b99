import Foundation
import VisionAlgorithms
import VisionImage
import VisionModels

extension TrackingAccuracyCommand {
    /// Tracks each video forwards and backwards, at full and at half the frame rate, and writes for each frame: video,
    /// pass, overlap with the truth (-1 where the target is hidden), confidence, evidence.
    func writeEvidence(of videos: [Video], to path: String) throws {
        let names =
            switch (revision, accurate) {
            case (1, false): CorrelationTracker.evidenceNames
            case (1, true): AccurateTracker.evidenceNames
            default: LearnedTracker.evidenceNames
            }
        var lines = [(["video", "pass", "overlap", "confidence"] + names).joined(separator: ",")]
        for video in videos {
            let last = min(video.frames.count, video.truth.count)
            for (pass, indices) in [
                ("forwards", Array(0..<last)), ("backwards", Array((0..<last).reversed())),
                ("second half", Array(last / 2..<last)), ("every second", Array(stride(from: 0, to: last, by: 2))),
            ] {
                let frames = Array(indices.drop { !video.truth[$0].isFinite })
                guard let first = frames.first else { continue }
                let tracker = try tracker(frame: Self.raster(video.frames[first]), box: video.truth[first])
                for index in frames.dropFirst() {
                    let found = try tracker.update(frame: Self.raster(video.frames[index]))
                    let truth = video.truth[index]
                    let overlap = truth.isFinite ? found.box.intersectionOverUnion(with: truth) : -1
                    let numbers = [overlap, Double(found.confidence)] + tracker.evidence.map(Double.init)
                    lines.append(
                        "\(video.name),\(pass)," + numbers.map { String(format: "%.5g", $0) }.joined(separator: ","))
                }
            }
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func tracker(frame: Raster, box: PixelRegion) throws -> any ObjectTracker {
        switch (revision, accurate) {
        case (1, false): try CorrelationTracker(frame: frame, box: box)
        case (1, true): try AccurateTracker(frame: frame, box: box)
        default: try LearnedTracker(frame: frame, box: box, networks: .shared())
        }
    }

    private static func raster(_ file: URL) throws -> Raster { try RGBImage(contentsOf: file).raster(.bgra8) }
}
