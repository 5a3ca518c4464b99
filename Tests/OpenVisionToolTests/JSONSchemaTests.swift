import Foundation
import VisionRecords
import XCTest

@testable import openvision

final class JSONSchemaTests: XCTestCase {
    private func problems(_ json: String) throws -> [String] {
        let schema = try XCTUnwrap(JSONSchema.ofTheTool)
        return schema.problems(try JSONSerialization.jsonObject(with: Data(json.utf8)))
    }

    func testRecordsMatchTheSchemaAndAreReadBack() throws {
        let record = ImageRecord(
            kind: "rectangles", image: MediaReference(path: "a.jpg", width: 40, height: 30),
            results: [
                RectangleResult(
                    confidence: .nan.rounded(decimals: 2),
                    corners: (0..<4).map { PixelPoint(x: Double($0), y: $0 == 0 ? .infinity : 2.005) })
            ])
        let text = try JSONLines.text(record)
        XCTAssertEqual(try problems(text), [])
        XCTAssertTrue(text.contains("\"confidence\":null"), text)
        XCTAssertTrue(text.contains("[0,null]"), text)
        XCTAssertTrue(text.contains("\"error\":null"), text)
        XCTAssertEqual(
            try JSONDecoder().decode(ImageRecord<RectangleResult>.self, from: Data(text.utf8)), record)
    }

    func testMismatchesAreReported() throws {
        let image = #""image":{"path":"a","width":null,"height":null,"page":null}"#
        for (json, part) in [
            (#"{"schema":2,"kind":"text",\#(image),"results":[],"error":null}"#, "/schema"),
            (#"{"schema":1,"kind":"text",\#(image),"results":[]}"#, "/error is missing"),
            (#"{"schema":1,"kind":"text",\#(image),"results":[],"error":null,"more":1}"#, "/more is not known"),
            (#"{"schema":1,"kind":"text",\#(image),"results":{},"error":null}"#, "is not array"),
            (#"{"schema":1,"kind":"text","image":"a","results":[],"error":null}"#, "is not object"),
            (#"{"schema":1,"kind":"nothing"}"#, "0 of"),
        ] {
            let problems = try problems(json).joined(separator: "; ")
            XCTAssertTrue(problems.contains(part), "\(json): \(problems)")
        }
        XCTAssertEqual(try problems(#"{"schema":1,"kind":"text",\#(image),"results":[],"error":"no"}"#), [])
    }

    func testMatricesAreConvertedToTopLeftOrigins() {
        // 5 to the right and 3 up, between images of different heights.
        let rows = RecordMatrix.fromTopLeft([[1, 0, 5], [0, 1, 3], [0, 0, 1]], height: 100, resultHeight: 80)
        // (10, 20) from the top left is (10, 80) from the lower left, which goes to (15, 83): 3 above the top.
        XCTAssertEqual(rows[0][0] * 10 + rows[0][1] * 20 + rows[0][2], 15, accuracy: 1e-9)
        XCTAssertEqual(rows[1][0] * 10 + rows[1][1] * 20 + rows[1][2], -3, accuracy: 1e-9)
    }
}
