import NetworkMetadata
import CoreML
import Foundation
import XCTest

@testable import VisionAnalysis

/// What can be asked for, and what is said about what cannot.
final class AnalysisPlanTests: XCTestCase {
    private func plan(_ json: String) throws -> AnalysisPlan {
        try AnalysisPlan(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)))
    }

    func testEveryKindIsThereWithItsDefaults() throws {
        for kind in AnalysisKind.allCases {
            XCTAssertEqual(try AnalysisPlan(names: kind.rawValue).parts.map(\.name), [kind.rawValue])
            XCTAssertFalse(try XCTUnwrap(plan("\"\(kind.rawValue)\"").parts.first).analysis.makeRequests().isEmpty)
        }
        let all = AnalysisKind.allCases.map(\.rawValue).joined(separator: ", ")
        XCTAssertEqual(try AnalysisPlan(names: all).parts.count, AnalysisKind.allCases.count)
    }

    func testParametersAreReadAndChecked() throws {
        let good = [
            #"{"name": "classify", "top": 3, "minConfidence": 0.5, "ancestors": true, "revision": 4}"#,
            #"[{"name": "faces", "landmarks": true, "quality": false, "minConfidence": null}, "text"]"#,
            #"{"name": "text", "level": "fast", "languages": ["en-US"], "customWords": ["x"]}"#,
            #"{"name": "barcodes", "symbologies": ["qr", "EAN13"]}"#, #"{"name": "saliency", "kind": "objectness"}"#,
            #"{"name": "hands", "maximumCount": 100}"#, #"{"name": "rectangles", "minSize": 0, "maximumCount": 0}"#,
        ]
        for json in good { XCTAssertNoThrow(try plan(json), json) }
        let wrong = [
            ("[]", "No request"), ("7", "must be a name"), (#"{"top": 3}"#, "no \"name\""),
            (#""smell""#, "There is no request \"smell\""), (#"["text", "text"]"#, "twice"),
            (#"{"name": "classify", "top": 0}"#, "top of classify is 0"),
            (#"{"name": "classify", "revision": 5}"#, "revision of classify is 5"),
            (#"{"name": "classify", "top": 2.5}"#, "2.5"), (#"{"name": "classify", "most": 3}"#, "\"most\""),
            (#"{"name": "faces", "landmarks": 1}"#, "true or false"),
            (#"{"name": "people", "minConfidence": 1.01}"#, "from 0 to 1"),
            (#"{"name": "text", "level": "slow"}"#, "accurate or fast"),
            (#"{"name": "text", "languages": "en-US"}"#, "a list of texts"),
            (#"{"name": "text", "languages": ["tlh"]}"#, "tlh"),
            (#"{"name": "barcodes", "symbologies": ["qrs"]}"#, "qrs"),
        ]
        for (json, text) in wrong {
            XCTAssertThrowsError(try plan(json), json) {
                XCTAssertTrue(($0 as? AnalysisError)?.description.contains(text) == true, "\(json): \($0)")
            }
        }
    }

    func testValuesOfJSONAreWrittenAsTheyWereRead() throws {
        let json = #"[null,true,7,-2.5,"a/b",{"x":[],"y":{}}]"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        XCTAssertEqual(try AnalysisJSON.text(value), json)
    }
}
