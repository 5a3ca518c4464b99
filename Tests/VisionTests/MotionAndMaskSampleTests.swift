import ModelTestSupport
import Vision
@testable import VisionModels
import XCTest

/// Programs written for Apple's samples of trajectories, masks, and poses give sensible results, on a drawn ball and on
/// a photograph.
final class MotionAndMaskSampleTests: XCTestCase {
    private func portrait() throws -> CIImage {
        try XCTUnwrap(CIImage(contentsOf: GuidePhotos.url("astronaut")))
    }

    private func pixelBuffer(_ image: CIImage) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(
            nil, Int(image.extent.width), Int(image.extent.height), kCVPixelFormatType_32BGRA, nil, &buffer)
        let filled = try XCTUnwrap(buffer)
        CIContext().render(image, to: filled)
        return filled
    }

    func testThrownBallsAreTrajectories() throws {
        let balls = BallTrajectories(smallestBall: 0.005, largestBall: 0.1)
        let height = { (time: Double) in 200 - 16 * time + 0.55 * time * time }
        for time in 0..<24 {
            let (x, y) = (30 + 9 * Double(time), height(Double(time)))
            let frame = GreyFrame(width: 320, height: 240) { column, row in
                let ground = 110 + 40 * sin(Double(column) / 9) * cos(Double(row) / 7)
                return hypot(Double(column) - x, Double(row) - y) < 7 ? 240 : UInt8(ground)
            }
            balls.captureOutput(CMSampleBuffer(imageBuffer: frame.pixelBuffer()))
        }
        XCTAssertEqual(balls.trajectories.count, 1)
        let points = try XCTUnwrap(balls.trajectories.values.first)
        XCTAssertGreaterThan(points.count, 15)
        for point in points {
            let time = (Double(point.x) * 320 - 30) / 9
            XCTAssertEqual(Double(point.y) * 240, height(time), accuracy: 3, "at \(time)")
        }
        XCTAssertLessThan(try XCTUnwrap(balls.lastCoefficients).x, 0, "the parabola opens downwards")
    }

    func testThePersonIsTheMatte() throws {
        _ = try requireModel {
            (try PersonMaskNetwork.shared(.people), try PersonMaskNetwork.shared(.body))
        }
        let matte = PersonMatte()
        matte.processVideoFrame(try pixelBuffer(portrait()))
        let mask = try XCTUnwrap(matte.maskImage)
        XCTAssertEqual(mask.extent.width, 384, accuracy: 1)
        XCTAssertEqual(mask.extent.height, 384, accuracy: 1)
        let values = try pixelBuffer(mask.cropped(to: CGRect(x: 0, y: 0, width: 384, height: 384)))
        // The face, the chest, and the flag and the model beside her.
        XCTAssertGreaterThan(red(values, 165, 85), 200)
        XCTAssertGreaterThan(red(values, 150, 250), 200)
        XCTAssertLessThan(red(values, 20, 60), 60)
        XCTAssertLessThan(red(values, 320, 100), 60)
    }

    func testTheSubjectIsLifted() throws {
        try requireSceneNetwork(revision: 2)
        let image = try portrait()
        let whole = try XCTUnwrap(try SubjectLifting.subject(of: image, at: nil))
        XCTAssertGreaterThan(CVPixelBufferGetWidth(whole), 150)
        let touched = try XCTUnwrap(try SubjectLifting.subject(of: image, at: CGPoint(x: 0.45, y: 0.7)))
        XCTAssertLessThanOrEqual(CVPixelBufferGetWidth(touched), CVPixelBufferGetWidth(whole))
        XCTAssertLessThanOrEqual(CVPixelBufferGetHeight(touched), CVPixelBufferGetHeight(whole))
        let plain = GreyFrame(width: 320, height: 240) { _, _ in 120 }
        XCTAssertNil(try SubjectLifting.subject(of: CIImage(cvPixelBuffer: plain.pixelBuffer()), at: nil))
    }

    func testTheShouldersAreThere() throws {
        _ = try requireModel { try KeypointFinder() }
        let points = BodyPoints(imageSize: CGSize(width: 384, height: 384))
        let image = try portrait()
        points.find(in: try XCTUnwrap(CIContext().createCGImage(image, from: image.extent)))
        XCTAssertGreaterThanOrEqual(points.imagePoints.count, 3)
        // The neck; Vision's pixels count from the bottom left.
        let neck = try XCTUnwrap(points.imagePoints.first)
        XCTAssertEqual(neck.x, 165, accuracy: 40)
        XCTAssertEqual(neck.y, 384 - 190, accuracy: 45)
    }

    /// The red of a pixel, counted from the top left.
    private func red(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) -> UInt8 {
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { return 0 }
        return base.load(fromByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x + 2, as: UInt8.self)
    }
}
