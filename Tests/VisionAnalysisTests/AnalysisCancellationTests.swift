import BarcodeTestSupport
import Foundation
import ModelTestSupport
import Vision
import VisionImage
import XCTest

@testable import VisionAnalysis

/// Analyses that are cancelled before, while and after their requests begin.
final class AnalysisCancellationTests: XCTestCase {
    private func png() throws -> Data {
        let drawn = try DrawnCode(.qr, "cancelled")
        let (width, height) = (5 * drawn.width + 40, 5 * drawn.height + 40)
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_OneComponent8, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for (x, y) in (0..<height).flatMap({ y in (0..<width).map { ($0, y) } }) {
            let (column, row) = ((x - 20) / 5, (y - 20) / 5)
            let isInside = x >= 20 && y >= 20 && column < drawn.width && row < drawn.height
            let grey: UInt8 = isInside && drawn.modules[row * drawn.width + column] ? 20 : 240
            base.storeBytes(of: grey, toByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + x, as: UInt8.self)
        }
        return try XCTUnwrap(
            CIContext().pngRepresentation(
                of: CIImage(cvPixelBuffer: buffer), format: .RGBA8, colorSpace: CGColorSpaceCreateDeviceRGB()))
    }

    private func image(_ cancellation: AnalysisCancellation) throws -> AnalysedImage {
        AnalysedImage(
            cancellation: cancellation, handler: VNImageRequestHandler(data: try png()),
            coordinates: RecordCoordinates(width: 100, height: 100))
    }

    func testACancelledAnalysisComputesNothing() throws {
        let cancellation = AnalysisCancellation()
        cancellation.cancel()
        let report = try AnalysisPlan(names: "barcodes").report(
            on: VNImageRequestHandler(data: try png()), cancellation: cancellation)
        guard case .cancelled? = report.failure else { return XCTFail("\(String(describing: report.failure))") }
        XCTAssertTrue(report.results.isEmpty)
    }

    func testRequestsThatBeginAfterTheCancellationAreCancelled() throws {
        let cancellation = AnalysisCancellation()
        let image = try image(cancellation)
        // Between the check of the analysis and the begin of its requests.
        cancellation.cancel()
        let request = VNDetectBarcodesRequest()
        XCTAssertThrowsError(try image.perform(request)) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.requestCancelled.rawValue)
        }
        XCTAssertNil(request.results)
    }

    func testRequestsAreCancelledOnceTheyHaveBegun() throws {
        let request = VNDetectBarcodesRequest()
        let outcomes = VNImageRequestHandler(data: try png()).outcomes(of: [request]) { request.cancel() }
        XCTAssertThrowsError(try outcomes[0].get()) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.requestCancelled.rawValue)
        }
        XCTAssertNoThrow(try image(AnalysisCancellation()).perform(request))
        XCTAssertEqual((request.results?.first)?.payloadStringValue, "cancelled")
    }

    func testATaskIsCancelledWhileItsAnalysisWaits() async throws {
        // The budget is held, so that the analysis has begun and cannot end.
        let limit = PixelBudget.shared.limit
        PixelBudget.shared.limit = 1
        let (held, released, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread {
            PixelBudget.shared.spend(pixels: 1) {
                held.signal()
                released.wait()
            }
            done.signal()
        }.start()
        await wait(for: held)
        let data = try png()
        let task = Task { try await AnalysisPlan(names: "barcodes").analyze(data) }
        while PixelBudget.shared.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("no error")
        } catch is CancellationError {}
        released.signal()
        await wait(for: done)
        PixelBudget.shared.limit = limit
        // The plan can be used again.
        let report = try await AnalysisPlan(names: "barcodes").analyze(data)
        XCTAssertTrue(report.isComplete)
    }

    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread {
                semaphore.wait()
                continuation.resume()
            }.start()
        }
    }
}
