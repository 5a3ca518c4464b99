package import Foundation
package import VisionImage

/// The path of an object that moves with constant acceleration.
package struct Trajectory: Sendable {
    /// A position of the object, in pixels of the analysed image as the last frame shows it, origin at the top left.
    package struct Point: Sendable {
        package var x: Double
        package var y: Double
        package var radius: Double
        /// The time of the frame, in the unit of the caller.
        package var time: Double
    }

    /// The same for a trajectory from frame to frame.
    package let id: UUID
    package let points: [Point]
    /// How well the points lie on a parabola, 0…1.
    package let confidence: Double
}

/// Finds objects that fly along parabolas in a video, several at once.
package struct TrajectoryFinder: Sendable {
    private var detector = MotionDetector()
    private var linker: TrajectoryLinker

    /// The greatest number of positions that may make a trajectory.
    package static var greatestLength: Int { TrajectoryLinker.pointLimit }

    /// - Parameter length: The number of positions that make a trajectory, from 5 to `greatestLength`.
    package init(length: Int) { linker = TrajectoryLinker(length: length) }

    /// Adds a frame.
    ///
    /// - Parameters:
    ///   - image: A grey byte image. One of another size begins anew.
    ///   - time: The time, in units of about a frame; later than that of the frame before.
    ///   - radii: The radii of objects, in pixels.
    /// - Returns: The trajectories that continue in this frame.
    package mutating func add(_ image: Raster, time: Double, radii: ClosedRange<Double>) throws -> [Trajectory] {
        let (findings, isRestart) = try detector.add(image, time: time, radii: radii)
        let size = Double(max(image.width, image.height))
        if isRestart { linker.restart() }
        for finding in findings { linker.add(finding.blobs, time: finding.time, size: size) }
        if isRestart { linker.endRestart() }
        let (right, down) = detector.position
        return linker.continuing(at: time).map { track in
            Trajectory(
                id: track.id,
                points: track.points.map {
                    Trajectory.Point(
                        x: $0.blob.x + right.rounded(), y: $0.blob.y + down.rounded(), radius: $0.blob.radius,
                        time: $0.time)
                }, confidence: track.confidence)
        }
    }
}
