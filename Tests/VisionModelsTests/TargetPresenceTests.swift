import VisionAlgorithms
import VisionImage
import XCTest

@testable import VisionModels

/// With features that are made up: no network is needed.
final class TargetPresenceTests: XCTestCase {
    private static let cells = TrackerGraphs.searchCells
    private static let channels = TrackerGraphs.channels

    /// A window of 256 pixels, of 16 for each position, whose positions in `target` have features of their own.
    private func window(
        _ target: PixelRegion, kind: Int = 1, noise seed: UInt64 = 7
    ) -> SearchWindow {
        let patch = ImagePatch(centre: SIMD2(128, 128), side: 256, size: TrackerGraphs.searchSide)
        var state = seed
        func random() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24) - 0.5
        }
        var features: [Float] = []
        for row in 0..<Self.cells {
            for column in 0..<Self.cells {
                let (x, y) = (Double(column) * 16 + 8, Double(row) * 16 + 8)
                let isTarget =
                    x > target.x && x < target.x + target.width && y > target.y && y < target.y + target.height
                for channel in 0..<Self.channels {
                    features.append(random() + (isTarget && channel % 4 == kind ? 1.5 : 0))
                }
            }
        }
        return SearchWindow(requested: patch, window: patch, features: features)
    }

    private let target = PixelRegion(x: 96, y: 96, width: 64, height: 64)
    private let elsewhere = PixelRegion(x: 176, y: 32, width: 64, height: 64)

    func testPresenceIsHighInTheTargetAndLowElsewhere() {
        let classifier = TargetClassifier(windows: [window(target), window(target, noise: 8)], target: target)
        let later = window(elsewhere, noise: 9)
        XCTAssertGreaterThan(classifier.presence(of: elsewhere, in: later), 0.5)
        XCTAssertLessThan(classifier.presence(of: target, in: later), 0.25)
    }

    func testAnObjectOfAnotherKindIsNotPresent() {
        let classifier = TargetClassifier(windows: [window(target), window(target, noise: 8)], target: target)
        XCTAssertLessThan(classifier.presence(of: target, in: window(target, kind: 2, noise: 9)), 0.3)
    }

    func testTheClassifierLearnsAChangeOfTheTarget() {
        var classifier = TargetClassifier(windows: [window(target)], target: target)
        let changed = window(target, kind: 2, noise: 9)
        let before = classifier.presence(of: target, in: changed)
        for seed in UInt64(10)..<60 { classifier.learn(window(target, kind: 2, noise: seed), target: target) }
        XCTAssertGreaterThan(classifier.presence(of: target, in: changed), before + 0.2)
    }

    func testAMapHasTheMeanOfEachBox() {
        let classifier = TargetClassifier(windows: [window(target)], target: target)
        let map = classifier.presence(in: window(elsewhere, noise: 9))
        XCTAssertGreaterThan(map.mean(x: 13, y: 4, width: 4, height: 4), 0.5)
        XCTAssertLessThan(map.mean(x: 8, y: 8, width: 4, height: 4), 0.25)
        XCTAssertTrue(map.mean(x: -40, y: 90, width: 1e-6, height: 1e9).isFinite)
    }

    func testAHighScoreWithoutPresenceIsNoConfidence() {
        var presence = TargetPresence(windows: [window(target), window(target, noise: 8)], target: target)
        let later = window(elsewhere, noise: 9)
        let there = presence.evidence(of: elsewhere, score: 0.9, in: later)
        XCTAssertGreaterThan(there.confidence, 0.5)
        let background = presence.evidence(of: target, score: 0.9, in: later)
        XCTAssertLessThan(background.confidence, 0.2)
    }

    func testALowScoreLowersTheConfidenceOfThisFrameAndOfTheNextOnes() {
        var presence = TargetPresence(windows: [window(target)], target: target)
        let first = presence.evidence(of: target, score: 0.9, in: window(target)).confidence
        let faint = presence.evidence(of: target, score: 0.01, in: window(target)).confidence
        let next = presence.evidence(of: target, score: 0.9, in: window(target)).confidence
        XCTAssertLessThan(faint, next)
        XCTAssertLessThan(next, first)
    }

    func testFeaturesThatAreNotNumbersGiveNoConfidenceAndAreNotLearnt() {
        var presence = TargetPresence(windows: [window(target)], target: target)
        let patch = window(target).window
        let broken = SearchWindow(
            requested: patch, window: patch,
            features: Array(repeating: .nan, count: Self.cells * Self.cells * Self.channels))
        let odd = presence.evidence(of: target, score: .nan, in: broken)
        XCTAssertLessThan(odd.confidence, 0.5)
        presence.learn(broken, target: target)
        XCTAssertGreaterThan(presence.evidence(of: target, score: 0.9, in: window(target)).presence, 0.5)
    }
}
