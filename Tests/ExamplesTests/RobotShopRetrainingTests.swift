import ModelTestSupport
import Vision
import XCTest

@testable import RobotShop

/// A new part of the shop: it is photographed, the classifier is retrained, and the part is recognised.
final class RobotShopRetrainingTests: XCTestCase {
    private let folder = Result { try TemporaryFolder() }

    private final class Parts: @unchecked Sendable {
        private let lock = NSLock()
        private var told: [String?] = []

        func add(_ part: String?) { lock.withLock { told.append(part) } }
        func take() -> Set<String?> {
            lock.withLock {
                defer { told = [] }; return Set(told)
            }
        }
    }

    private func draw(_ label: String, _ number: Int, in folderName: String = "photos") throws -> URL {
        let folder = try folder.get().url.appendingPathComponent("\(folderName)/\(label)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let drawing = try XCTUnwrap(Drawing())
        let style = CGFloat(number) / 10
        switch label {
        case "tree": drawing.tree(style: style, isFilled: number % 2 == 0)
        case "face": drawing.face(style: style, isFilled: number % 2 == 0)
        default:
            // A house: walls and a roof.
            let (left, right, eaves) = (0.2 + 0.1 * style, 0.8 - 0.1 * style, 0.5 + 0.1 * style)
            drawing.line(
                [(left, 0.1), (left, eaves), (0.5, 0.9), (right, eaves), (right, 0.1), (left, 0.1)].map {
                    CGPoint(x: $0.0, y: $0.1)
                }, .red, width: 0.02)
            drawing.line([CGPoint(x: left, y: eaves), CGPoint(x: right, y: eaves)], .red, width: 0.02)
        }
        let url = folder.appendingPathComponent("\(number).png")
        XCTAssertTrue(drawing.write(to: url))
        return url
    }

    func testAPartWhosePhotosCameLaterIsRecognisedAfterRetraining() throws {
        let probe = try draw("probe", 0, in: "probe")
        try requireModel { try VNImageRequestHandler(url: probe).perform([VNGenerateImageFeaturePrintRequest()]) }
        for label in ["tree", "face"] {
            for number in 0..<10 { _ = try draw(label, number) }
        }
        let root = try folder.get().url
        let retraining = Retraining(
            photos: root.appendingPathComponent("photos"), model: root.appendingPathComponent("Parts.mlmodel"))
        let parts = Parts()
        let shop = Shop(model: try retraining.run(), minimumConfidence: 0.6) { parts.add($0.part) }
        func hold(_ label: String, _ number: Int) throws -> Set<String?> {
            let frame = try XCTUnwrap(RobotShop.pixels(of: draw(label, number, in: "camera")))
            shop.reset()
            for _ in 0..<18 {
                shop.captured(frame, orientation: .up)
                shop.finish()
            }
            return parts.take()
        }
        XCTAssertEqual(try hold("tree", 5), ["tree"])
        XCTAssertFalse(try hold("house", 12).contains("house"))
        for number in 0..<10 { _ = try draw("house", number) }
        shop.use(try retraining.run())
        XCTAssertEqual(try hold("house", 12), ["house"])
        XCTAssertEqual(try hold("face", 5), ["face"])
    }
}
