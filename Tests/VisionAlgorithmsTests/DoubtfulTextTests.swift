import VisionAlgorithms
import XCTest

final class DoubtfulTextTests: XCTestCase {
    func testShortDoubtfulLinesAreLeftOut() {
        XCTAssertEqual(
            DoubtfulText.kept(lengths: [1, 1, 4, 4, 5, 12], confidences: [0.1, 0.9, 0.19, 0.2, 0.01, 0]), [1, 3, 4, 5])
        XCTAssertEqual(DoubtfulText.kept(lengths: [], confidences: []), [])
    }

    func testTheyStayWhereThereIsTextInPlenty() {
        let page: [Float] = [0.9, 0.5, 0.7, 0.99]
        XCTAssertEqual(DoubtfulText.kept(lengths: [20, 9, 30, 8, 2], confidences: page + [0.1]), [0, 1, 2, 3])
        XCTAssertEqual(
            DoubtfulText.kept(lengths: [20, 9, 30, 8, 2, 2], confidences: page + [0.1, 0.6]), [0, 1, 2, 3, 4, 5])
    }
}
