import VisionModels
import XCTest

@testable import Vision

final class ModelStoreErrorTests: XCTestCase {
    func testAModelThatIsMissingIsUnavailableDataAndTheTextNamesTheCommand() {
        let error = visionError(from: ModelStoreError.notInstalled("efficientnet-lite0", searched: ["/nowhere"]))
        XCTAssertEqual(error.domain, VNErrorDomain)
        XCTAssertEqual(error.code, VNErrorCode.dataUnavailable.rawValue)
        XCTAssertTrue(error.localizedDescription.contains("openvision models install efficientnet-lite0"))
    }

    func testAModelThatChangedOnTheDiskIsUnavailableToo() {
        let error = visionError(from: ModelStoreError.damaged("iris-landmark", reason: "its checksum differs"))
        XCTAssertEqual(error.code, VNErrorCode.dataUnavailable.rawValue)
    }

    func testAModelThatCannotBeReadIsAnErrorOfTheFile() {
        let error = visionError(from: ModelStoreError.unreadable("iris-landmark", reason: "permission denied"))
        XCTAssertEqual(error.code, VNErrorCode.ioError.rawValue)
        XCTAssertFalse(error.localizedDescription.contains("not installed"))
    }
}
