import Foundation

/// Links the moving blobs of successive frames to tracks with constant acceleration.
struct TrajectoryLinker: Sendable {
    struct Position: Sendable {
        let blob: MovingBlob
        let time: Double
    }

    struct Track: Sendable {
        var id = UUID()
        var points: [Position]
        /// Whether the track is a trajectory: then its blobs are its own.
        var isConfirmed = false
        var misses = 0
        var confidence = 0.0

        var radius: Double { points.suffix(5).reduce(0) { $0 + $1.blob.radius } / Double(min(5, points.count)) }

        /// The length of the polyline through the positions.
        var length: Double { zip(points, points.dropFirst()).reduce(0) { $0 + TrajectoryLinker.distance($1.0, $1.1) } }
    }

    let length: Int
    private var tracks: [Track] = []
    /// The blobs of the last frame, and its time.
    private var last: [Position] = []
    /// The trajectories before a restart.
    private var earlier: [Track] = []

    private static let trackLimit = 400
    private static let (missLimit, confirmedMissLimit) = (1, 3)
    /// Older positions of a trajectory are forgotten.
    static let pointLimit = 600

    init(length: Int) { self.length = length }

    static func distance(_ a: Position, _ b: Position) -> Double { hypot(a.blob.x - b.blob.x, a.blob.y - b.blob.y) }

    /// Forgets the tracks, since the frames so far are about to be added again.
    mutating func restart() {
        earlier += tracks.filter(\.isConfirmed)
        (tracks, last) = ([], [])
    }

    /// Gives trajectories that were known before the restart their identifiers back.
    mutating func endRestart() {
        for index in tracks.indices where tracks[index].isConfirmed {
            let known = earlier.firstIndex { old in
                let shared = old.points.filter { point in
                    tracks[index].points.contains {
                        $0.time == point.time && Self.distance($0, point) < max(3, point.blob.radius)
                    }
                }
                return 2 * shared.count >= min(old.points.count, tracks[index].points.count)
            }
            if let known { tracks[index].id = earlier.remove(at: known).id }
        }
        earlier = []
    }

    /// Returns the trajectories that have a position at that time.
    func continuing(at time: Double) -> [Track] {
        tracks.filter { $0.isConfirmed && $0.points.last?.time == time }
    }

    /// Adds the blobs of a frame.
    mutating func add(_ blobs: [MovingBlob], time: Double, size: Double) {
        let positions = blobs.map { Position(blob: $0, time: time) }
        var isTaken = [Bool](repeating: false, count: positions.count)
        // Trajectories choose first, the longest before the others.
        tracks = tracks.enumerated().sorted {
            let (a, b) = ($0.element, $1.element)
            if a.isConfirmed != b.isConfirmed { return a.isConfirmed }
            return (b.points.count, $0.offset) < (a.points.count, $1.offset)
        }.map(\.element)
        for index in tracks.indices {
            guard let found = Self.continuation(of: tracks[index], in: positions, isTaken, size: size) else {
                tracks[index].misses += 1
                continue
            }
            tracks[index].points.append(positions[found])
            tracks[index].misses = 0
            if tracks[index].points.count > Self.pointLimit { tracks[index].points.removeFirst() }
            if tracks[index].isConfirmed || tracks[index].points.count >= length,
                let confidence = Self.confidence(of: tracks[index], size: size)
            {
                (tracks[index].isConfirmed, tracks[index].confidence) = (true, confidence)
            }
            if tracks[index].isConfirmed { isTaken[found] = true }
        }
        tracks.removeAll { $0.misses > ($0.isConfirmed ? Self.confirmedMissLimit : Self.missLimit) }
        removeDuplicates()
        begin(positions, isTaken, size: size)
        last = positions.enumerated().filter { !isTaken[$0.offset] }.map(\.element)
    }

    /// Starts a track with each pair of similar blobs of the last two frames that no track has.
    private mutating func begin(_ positions: [Position], _ isTaken: [Bool], size: Double) {
        for (index, position) in positions.enumerated() where !isTaken[index] && tracks.count < Self.trackLimit {
            let before = last.filter { Self.areSimilar($0.blob, position.blob) }
                .map { (position: $0, distance: Self.distance($0, position)) }
                .filter { $0.distance > 0.4 && $0.distance < max(0.1 * size, 3 * position.blob.radius) }
                .sorted { $0.distance < $1.distance }
            for (other, _) in before.prefix(4) where tracks.count < Self.trackLimit {
                let isKnown = tracks.contains { track in
                    track.points.suffix(2).elementsEqual([other, position]) { $0.blob == $1.blob && $0.time == $1.time }
                }
                if !isKnown { tracks.append(Track(points: [other, position])) }
            }
        }
    }

    /// Of tracks with the same last two positions only the longest stays; of those with the same last position a
    /// trajectory.
    private mutating func removeDuplicates() {
        var kept: [Track] = []
        for track in tracks {
            let ends = track.points.suffix(2)
            let isDuplicate = kept.contains { other in
                guard let a = other.points.last, let b = track.points.last, a.time == b.time, a.blob == b.blob else {
                    return false
                }
                return other.isConfirmed
                    || other.points.suffix(2).elementsEqual(ends) { $0.blob == $1.blob && $0.time == $1.time }
            }
            if !isDuplicate { kept.append(track) }
        }
        tracks = kept
    }

    private static func areSimilar(_ a: MovingBlob, _ b: MovingBlob) -> Bool {
        let ratio = (a.radius + 0.5) / (b.radius + 0.5)
        return ratio > 0.55 && ratio < 1.8
    }

    /// Returns the position that continues a track with about the same acceleration.
    private static func continuation(
        of track: Track, in positions: [Position], _ isTaken: [Bool], size: Double
    ) -> Int? {
        guard let time = positions.first?.time, let end = track.points.last else { return nil }
        let recent = Array(track.points.suffix(6))
        let (x, y): (Double, Double)
        if recent.count >= 4 {
            x = QuadraticFit(recent.map { ($0.time - time, $0.blob.x) }).c
            y = QuadraticFit(recent.map { ($0.time - time, $0.blob.y) }).c
        } else {
            let before = recent[recent.count - 2], share = (time - end.time) / max(end.time - before.time, 1e-6)
            x = end.blob.x + share * (end.blob.x - before.blob.x)
            y = end.blob.y + share * (end.blob.y - before.blob.y)
        }
        let step = distance(recent[recent.count - 2], end)
        // The more is known of the motion, the less it may deviate.
        let slack = recent.count >= 4 ? 0.3 : 0.5
        let reach = max(2, 0.004 * size) + slack * step + 0.3 * track.radius
        var (found, best): (Int?, Double) = (nil, reach)
        for (index, position) in positions.enumerated() where !isTaken[index] {
            guard areSimilar(position.blob, end.blob) else { continue }
            let distance = hypot(position.blob.x - x, position.blob.y - y)
            if distance < best { (found, best) = (index, distance) }
        }
        return found
    }

    /// Returns how well a track fits constant acceleration, 0…1; nil if it is no trajectory.
    private static func confidence(of track: Track, size: Double) -> Double? {
        let points = track.points
        guard let first = points.first, let last = points.last else { return nil }
        let farthest = points.reduce(0) { max($0, distance(first, $1)) }
        guard farthest > max(1.2 * track.radius, 0.012 * size) else { return nil }
        let time = first.time
        let across = QuadraticFit(points.map { ($0.time - time, $0.blob.x) })
        let down = QuadraticFit(points.map { ($0.time - time, $0.blob.y) })
        let limit = max(1.2, 0.12 * track.radius, 0.02 * track.length)
        let error = hypot(across.error, down.error)
        guard error < limit, last.time > time else { return nil }
        // What wanders to and fro within its own size is no flight.
        guard farthest > 0.35 * track.length else { return nil }
        let seen = Double(points.count) / (Double(points.count) + 2)
        return seen * (1 - 0.5 * error / limit)
    }
}
