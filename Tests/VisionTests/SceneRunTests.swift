import VisionImage
import VisionModels
import XCTest

@testable import Vision
import VisionThreads

/// How requests share the runs of the scene network.
final class SceneRunTests: XCTestCase {
    override func setUpWithError() throws { try requireSceneNetwork() }

    private let runs = RunCounter()

    private func context(_ image: ImageSource, _ cancellation: Cancellation = Cancellation()) -> PerformContext {
        PerformContext(image: image, time: .none, cancellation: cancellation, networkRuns: runs)
    }

    private func image() -> ImageSource {
        let frame = GreyFrame(width: 320, height: 200) { x, y in UInt8((x * x / 64 + y * 3) % 256) }
        return ImageSource(pixelBuffer: frame.pixelBuffer())
    }

    func testTheNetworkRunsOnceForARevisionARegionAndAFit() throws {
        let context = context(image())
        let first = try context.backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill)
        XCTAssertEqual(try context.backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill), first)
        XCTAssertEqual(runs.current, 1)

        let cropped = try context.backboneFeatures(.efficientNetLite0, region: .whole, fit: .centerCrop)
        XCTAssertNotEqual(cropped, first)
        XCTAssertEqual(runs.current, 2)
        let half = try NormalizedRegion(CGRect(x: 0, y: 0, width: 0.5, height: 1))
        XCTAssertNotEqual(try context.backboneFeatures(.efficientNetLite0, region: half, fit: .fill), first)
        XCTAssertEqual(runs.current, 3)
        XCTAssertEqual(try context.backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill), first)
        XCTAssertEqual(runs.current, 3)
    }

    func testRequestsSideBySideShareOneRun() throws {
        let context = context(image())
        let found = Locked<[BackboneFeatures]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            guard let features = try? context.backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill) else {
                return
            }
            found.withLock { $0.append(features) }
        }
        XCTAssertEqual(found.current.count, 6)
        XCTAssertEqual(Set(found.current.map(\.pooled)).count, 1)
        XCTAssertEqual(runs.current, 1)
    }

    func testACancelledRequestLeavesItsFeaturesToOthers() throws {
        let image = image()
        let cancellation = Cancellation()
        cancellation.cancel()
        let cancelled = context(image, cancellation)
        XCTAssertThrowsError(try cancelled.backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill)) { error in
            XCTAssertEqual((error as NSError).code, VNErrorCode.requestCancelled.rawValue)
        }
        _ = try context(image).backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill)
        XCTAssertEqual(runs.current, 1)
    }

    func testMapsAreComputedOnRequest() throws {
        let context = context(image())
        XCTAssertNil(try context.backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill).map(.last))
        XCTAssertNotNil(
            try context.backboneFeatures(.efficientNetLite0, region: .whole, fit: .fill, maps: true).map(.last))
    }

    func testEveryRunOfACoreMLModelIsCounted() throws {
        let frame = GreyFrame(width: 32, height: 32) { x, _ in UInt8(x) }
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        let model = try VNCoreMLModel(for: fixedClassifier(["a", "b"], [0.25, 0.5]))
        XCTAssertEqual(handler.core.networkRunCount, 0)
        try handler.perform([VNCoreMLRequest(model: model), VNCoreMLRequest(model: model)])
        XCTAssertEqual(handler.core.networkRunCount, 2)
    }
}
