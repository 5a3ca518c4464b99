import Foundation
import VisionExtras
import XCTest

@testable import Vision

final class TrajectoriesRequestTests: XCTestCase {
    private struct Ball {
        var x: (Double) -> Double
        var y: (Double) -> Double
        var radius = 7.0
        var grey: UInt8 = 240
    }

    /// A frame of a scene with texture, with the balls of that time, seen by a camera that is so far to the left and
    /// up.
    private func frame(
        _ time: Double, _ balls: [Ball], width: Int = 320, height: Int = 240, shake: (Int, Int) = (0, 0)
    ) -> GreyFrame {
        GreyFrame(width: width, height: height) { column, row in
            let (x, y) = (Double(column - shake.0), Double(row - shake.1))
            for ball in balls where hypot(x - ball.x(time), y - ball.y(time)) < ball.radius { return ball.grey }
            var hash =
                UInt64(bitPattern: Int64(column &* 7919 ^ row &* 104_729 ^ Int(time) &* 31)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 31
            let noise = Double(hash & 7) - 3.5
            return UInt8(110 + 30 * sin(x / 19) * cos(y / 13) + 22 * sin((x + 2 * y) / 5) + noise)
        }
    }

    private func throwing(_ left: Double = 30, _ speed: Double = 9) -> Ball {
        Ball(x: { left + speed * $0 }, y: { 200 - 16 * $0 + 0.55 * $0 * $0 })
    }

    private func request(length: Int = 5) -> VNDetectTrajectoriesRequest {
        VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: length)
    }

    func testAThrownBallIsAParabola() throws {
        let (request, handler, ball) = (request(), VNSequenceRequestHandler(), throwing())
        var ids: Set<UUID> = []
        var last: VNTrajectoryObservation?
        for time in 0..<28 {
            try handler.perform([request], on: frame(Double(time), [ball]).greyPixelBuffer())
            let found = try XCTUnwrap(request.results)
            XCTAssertLessThanOrEqual(found.count, 1)
            ids.formUnion(found.map(\.uuid))
            last = found.first ?? last
            if time > 12 { XCTAssertEqual(found.count, 1, "frame \(time)") }
        }
        XCTAssertEqual(ids.count, 1)
        let found = try XCTUnwrap(last)
        XCTAssertGreaterThanOrEqual(found.detectedPoints.count, 26)
        XCTAssertEqual(found.projectedPoints.count, 5)
        XCTAssertGreaterThan(found.confidence, 0.6)
        XCTAssertEqual(Double(found.movingAverageRadius), 7 / 320, accuracy: 0.004)
        // y = 200 - 16 t + 0.55 t² with t = (x - 30) / 9, in pixels with y down.
        let coefficients = found.equationCoefficients
        for x in stride(from: 60.0, to: 260, by: 40) {
            let time = (x - 30) / 9
            let wanted = 1 - (200 - 16 * time + 0.55 * time * time) / 240
            let u = Float(x / 320)
            XCTAssertEqual(
                Double((coefficients.x * u + coefficients.y) * u + coefficients.z), wanted, accuracy: 0.008)
        }
        for (index, point) in found.detectedPoints.suffix(5).enumerated() {
            let time = Double(23 + index)
            XCTAssertEqual(point.x * 320, ball.x(time) + 0.5, accuracy: 1.2)
            XCTAssertEqual((1 - point.y) * 240, ball.y(time) + 0.5, accuracy: 1.2)
        }
    }

    func testSeveralBallsHaveTrajectoriesOfTheirOwn() throws {
        let balls = [throwing(), Ball(x: { 300 - 8 * $0 }, y: { 120 - 9 * $0 + 0.5 * $0 * $0 }, radius: 5, grey: 10)]
        let (request, handler) = (request(), VNSequenceRequestHandler())
        for time in 0..<20 { try handler.perform([request], on: frame(Double(time), balls).greyPixelBuffer()) }
        let found = try XCTUnwrap(request.results)
        XCTAssertEqual(found.count, 2)
        XCTAssertEqual(Set(found.map { $0.detectedPoints.last.map { $0.x < 0.55 } }), [true, false])
        XCTAssertTrue(found.allSatisfy { $0.equationCoefficients.x < 0 })
    }

    func testTheRadiusLimitsSelectObjects() throws {
        let balls = [throwing(), Ball(x: { 300 - 8 * $0 }, y: { 150 - 8 * $0 + 0.5 * $0 * $0 }, radius: 14, grey: 10)]
        let (small, large) = (request(), request())
        small.objectMaximumNormalizedRadius = 0.03
        large.objectMinimumNormalizedRadius = 0.03
        let handler = VNSequenceRequestHandler()
        for time in 0..<18 { try handler.perform([small, large], on: frame(Double(time), balls).greyPixelBuffer()) }
        XCTAssertEqual(small.results?.map { $0.movingAverageRadius < 0.03 }, [true])
        XCTAssertEqual(large.results?.map { $0.movingAverageRadius > 0.03 }, [true])
    }

    func testAShakingCameraIsNoTrajectory() throws {
        let (request, handler) = (request(), VNSequenceRequestHandler())
        let shakes = [(0, 0), (3, 1), (-2, 2), (1, -3), (4, 0), (-3, -1), (0, 2)]
        for time in 0..<24 {
            let image = frame(Double(time), [throwing()], shake: shakes[time % shakes.count])
            try handler.perform([request], on: image.greyPixelBuffer())
        }
        let found = try XCTUnwrap(request.results)
        XCTAssertEqual(found.count, 1)
        XCTAssertGreaterThanOrEqual(try XCTUnwrap(found.first).detectedPoints.count, 5)
        let still = self.request()
        for time in 0..<20 {
            let image = frame(Double(time), [], shake: shakes[time % shakes.count])
            try handler.perform([still], on: image.greyPixelBuffer())
            XCTAssertEqual(still.results, [])
        }
    }

    func testTimesDecideWhatIsAnalysed() throws {
        let request = VNDetectTrajectoriesRequest(
            frameAnalysisSpacing: CMTime(value: 1, timescale: 30), trajectoryLength: 6)
        XCTAssertEqual(request.minimumLatencyFrameCount, 6)
        let handler = VNSequenceRequestHandler()
        var last: VNTrajectoryObservation?
        for time in 0..<48 {
            // Twice as many frames as are to be analysed.
            let sample = CMSampleBuffer(
                imageBuffer: frame(Double(time) / 2, [throwing()]).greyPixelBuffer(),
                presentationTimeStamp: CMTime(value: Int64(time), timescale: 60))
            try handler.perform([request], on: sample)
            if time % 2 == 1 { XCTAssertEqual(request.results, []) }
            last = request.results?.first ?? last
        }
        let found = try XCTUnwrap(last)
        XCTAssertEqual(found.timeRange.end, CMTime(value: 46, timescale: 60))
        XCTAssertEqual(found.timeRange.duration.seconds, Double(found.detectedPoints.count - 1) / 30, accuracy: 0.04)
    }

    func testOddInput() throws {
        let handler = VNSequenceRequestHandler()
        let odd = request()
        for size in [(1, 1), (1, 1), (3, 200), (3, 200), (3, 200), (16, 16), (320, 1), (320, 1)] {
            try handler.perform([odd], on: GreyFrame(width: size.0, height: size.1) { _, _ in 99 }.greyPixelBuffer())
            XCTAssertEqual(odd.results, [])
        }
        let noisy = request()
        var state: UInt64 = 1
        for _ in 0..<14 {
            let image = GreyFrame(width: 160, height: 120) { _, _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            try handler.perform([noisy], on: image.greyPixelBuffer())
            XCTAssertEqual(noisy.results, [], "noise is no trajectory")
        }
        for length in [4, 601, .max, .min] {
            let wrong = VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: length)
            XCTAssertThrowsError(try handler.perform([wrong], on: frame(0, []).greyPixelBuffer()), "\(length)")
        }
        let reversed = request()
        (reversed.objectMinimumNormalizedRadius, reversed.objectMaximumNormalizedRadius) = (0.5, 0.1)
        XCTAssertThrowsError(try handler.perform([reversed], on: frame(0, []).greyPixelBuffer()))
    }

    func testArchivesGiveEqualObservations() throws {
        let found = VNTrajectoryObservation(
            uuid: UUID(), confidence: 0.75, detectedPoints: [VNPoint(x: 0.1, y: 0.5), VNPoint(x: 0.25, y: 0.625)],
            projectedPoints: (0..<5).map { VNPoint(x: Double($0) / 8, y: 0.5) },
            equationCoefficients: [-0.5, 1.25, 0.125], movingAverageRadius: 0.0625, requestRevision: 1,
            timeRange: CMTimeRange(start: CMTime(value: 1, timescale: 30), duration: CMTime(value: 9, timescale: 30)))
        let data = try JSONEncoder().encode(CodableObservation(found))
        XCTAssertEqual(try JSONDecoder().decode(CodableObservation.self, from: data).observation, found)
        var values = try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
        values["detectedPointCount"] = 3
        let json = try JSONSerialization.data(withJSONObject: values)
        XCTAssertThrowsError(try JSONDecoder().decode(CodableObservation.self, from: json))
    }
}
