import Vision
import XCTest

/// Asserts that the closure throws an error of Vision's domain with that code and a message.
func assertThrows(
    _ code: VNErrorCode, file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
) {
    XCTAssertThrowsError(try body(), file: file, line: line) { assert($0, is: code, file: file, line: line) }
}

func assert(
    _ error: (any Error)?, is code: VNErrorCode, file: StaticString = #filePath, line: UInt = #line
) {
    guard let error = error as NSError? else {
        return XCTFail("no error was thrown", file: file, line: line)
    }
    XCTAssertEqual(error.domain, VNErrorDomain, "\(error)", file: file, line: line)
    XCTAssertEqual(error.code, code.rawValue, "\(error)", file: file, line: line)
    let message = error.userInfo[NSLocalizedDescriptionKey] as? String
    XCTAssertFalse((message ?? "").isEmpty, "the error has no message", file: file, line: line)
}

/// Asserts that two rectangles agree to `accuracy` in all edges.
func assertEqual(
    _ left: CGRect, _ right: CGRect, accuracy: CGFloat, file: StaticString = #filePath, line: UInt = #line
) {
    XCTAssertEqual(left.minX, right.minX, accuracy: accuracy, "x of \(left), \(right)", file: file, line: line)
    XCTAssertEqual(left.minY, right.minY, accuracy: accuracy, "y of \(left), \(right)", file: file, line: line)
    XCTAssertEqual(left.width, right.width, accuracy: accuracy, "width of \(left), \(right)", file: file, line: line)
    XCTAssertEqual(
        left.height, right.height, accuracy: accuracy, "height of \(left), \(right)", file: file, line: line)
}
