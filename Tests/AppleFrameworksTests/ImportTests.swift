import CoreGraphics
import CoreImage.CIFilterBuiltins
import CoreMedia
import CoreVideo
import ImageIO
import UniformTypeIdentifiers
import Vision
import XCTest
import simd

/// The imports of a file for Apple's systems, with names of each module.
final class ImportTests: XCTestCase {
    func testTheNamesOfTheModulesAreThere() throws {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, 4, 3, kCVPixelFormatType_32BGRA, nil, &buffer)
        let frame = CMSampleBuffer(imageBuffer: try XCTUnwrap(buffer))
        XCTAssertNil(
            CMGetAttachment(
                frame, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix, attachmentModeOut: nil))
        XCTAssertEqual(CIVector(x: 1).x, 1)
        XCTAssertEqual(simd_float3(1, 2, 3).sum(), 6)
        XCTAssertEqual(CGRect(x: 0, y: 0, width: 2, height: 1).applying(.identity).width, 2)
        let data = NSMutableData()
        XCTAssertNotNil(CGImageDestinationCreateWithData(data, UTType.png.identifier as CFString, 1, nil))
        XCTAssertNotNil(VNImageRequestHandler(cmSampleBuffer: frame))
    }

    func testTypesOfFiles() {
        XCTAssertEqual(UTType(filenameExtension: "JPG"), .jpeg)
        XCTAssertEqual(UTType(mimeType: "image/png")?.preferredFilenameExtension, "png")
        XCTAssertTrue(UTType.jpeg.conforms(to: .image))
        XCTAssertTrue(UTType.jpeg.conforms(to: .item))
        XCTAssertFalse(UTType.movie.conforms(to: .image))
        XCTAssertNil(UTType(filenameExtension: "mp4", conformingTo: .image))
        XCTAssertNil(UTType("org.example.unknown"))
        XCTAssertFalse(UTType(importedAs: "org.example.unknown").conforms(to: .data))
        XCTAssertEqual(UTType("public.jpeg"), .jpeg)
    }
}
