import Foundation
import VisionVideo

/// The files that a tracking run writes: a table for each target, and the video with the targets drawn on it.
final class TrackOutputs {
    private let tables: [TextFile]
    private let video: VideoWriter?
    private var firstTime: Double?
    private var hasHeaders = false

    /// - Throws: `VideoError` when a file cannot be created, or would replace the input.
    init(csv: String?, render: String?, targets: Int, source: any FrameSource) throws {
        let tablePaths = csv.map { path in
            (0..<targets).map { TrackCSV.path(path, target: $0, of: targets) }
        }
        let outputs = (tablePaths ?? []) + [render].compactMap { $0 }
        // "-" as an output is not the input of that name.
        for path in outputs where path != "-" && Self.isSame(path, source.path) {
            throw VideoError(kind: .io, path: path, reason: "is the input video; choose another name")
        }
        tables = try (tablePaths ?? []).map { try TextFile(path: $0) }
        video = try render.map { try VideoWriter(path: $0, format: source.format) }
    }

    /// The paths of the written files.
    var written: [String] { (video.map { [$0.path] } ?? []) + tables.map(\.path) }

    /// Adds the current frame of `source`.
    func add<State: TrackedState>(_ states: [State], milliseconds: Double, source: any FrameSource) throws {
        for (table, state) in zip(tables, states) {
            if !hasHeaders { try table.add(line: type(of: state).header) }
            try table.add(line: state.line(milliseconds: milliseconds))
        }
        hasHeaders = true
        guard let video else { return }
        let frame = try source.currentFrameForDrawing()
        try Canvas.paint(on: frame) { State.draw(states, on: $0) }
        let start = firstTime ?? source.currentTime
        firstTime = start
        try video.add(frame, time: source.currentTime - start)
    }

    func finish() throws {
        for table in tables { try table.close() }
        try video?.finish()
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        func resolved(_ path: String) -> String {
            URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
        }
        return resolved(left) == resolved(right)
    }
}
