import VisionImage

extension LearnedTracker {
    /// What a tracker goes back to when it yields.
    struct Apart {
        var target: Target
        var state: State
        var presence: TargetPresence
    }

    private enum Claims {
        /// The overlap below which two trackers hold different places, and from which they claim the same one.
        static let apart = 0.3
        static let same = 0.6
        /// The confidence from which a tracker holds its place against others.
        static let held: Float = 0.5
    }

    /// Settles the claims of the trackers of one video, before their updates: one place holds one target.
    ///
    /// Where the boxes of two trackers have come together that were apart before, the worse one yields: the one with
    /// the lower confidence, unless it comes from nearer by. It goes back to what it was when they were apart, as if
    /// its target were hidden since, and until it is found again it does not search where a better one is. Trackers
    /// that started at the same place may stay together.
    ///
    /// - Parameter trackers: The order decides between equal claims.
    package static func settleClaims(of trackers: [LearnedTracker]) {
        for tracker in trackers { tracker.excluded = [] }
        for (index, one) in trackers.enumerated() {
            for other in trackers[(index + 1)...] {
                let overlap = one.target.box.intersectionOverUnion(with: other.target.box)
                if overlap < Claims.apart {
                    one.separate.insert(other.number)
                    other.separate.insert(one.number)
                }
                guard one.separate.contains(other.number) else { continue }
                let (better, worse) = one.claim(to: other) >= other.claim(to: one) ? (one, other) : (other, one)
                guard better.confidence >= Claims.held else { continue }
                if overlap > Claims.same {
                    worse.yield()
                    worse.excluded.append(better.target.box)
                } else if worse.confidence < Claims.held {
                    worse.excluded.append(better.target.box)
                }
            }
        }
        for tracker in trackers where tracker.isApart(from: trackers) {
            tracker.apart = Apart(target: tracker.target, state: tracker.state, presence: tracker.presence)
        }
        let numbers = Set(trackers.map(\.number))
        for tracker in trackers { tracker.separate.formIntersection(numbers) }
    }

    /// How good the claim to the place is that another tracker holds as well.
    private func claim(to other: LearnedTracker) -> Double {
        let before = apart?.target.box ?? target.box
        return Double(confidence) + before.intersectionOverUnion(with: other.target.box)
    }

    private func isApart(from trackers: [LearnedTracker]) -> Bool {
        trackers.allSatisfy {
            $0 === self || $0.target.box.intersectionOverUnion(with: target.box) < Claims.apart
        }
    }

    private func yield() {
        if let apart {
            (target, state, presence) = (apart.target, apart.state, apart.presence)
        }
        state.framesSinceFound = max(state.framesSinceFound, 1)
        state.doubtfulFrames = max(state.doubtfulFrames, 1)
        confidence = 0
    }
}
