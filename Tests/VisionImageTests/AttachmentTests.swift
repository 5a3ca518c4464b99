import VisionImage
import XCTest

final class AttachmentTests: XCTestCase {
    private func buffer(_ format: OSType = kCVPixelFormatType_32BGRA) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        XCTAssertEqual(CVPixelBufferCreate(nil, 6, 4, format, nil, &buffer), kCVReturnSuccess)
        return try XCTUnwrap(buffer)
    }

    func testAttachmentsOfBuffersKeepTheirMode() throws {
        let (first, second) = (try buffer(), try buffer())
        CVBufferSetAttachment(first, "stays", 1, .shouldNotPropagate)
        CVBufferSetAttachments(first, ["goes": "text", 7: "no string"] as CFDictionary, .shouldPropagate)
        var mode = CVAttachmentMode.shouldPropagate
        XCTAssertEqual(CVBufferCopyAttachment(first, "stays", &mode) as? Int, 1)
        XCTAssertEqual(mode, .shouldNotPropagate)
        XCTAssertEqual(CVBufferCopyAttachments(first, .shouldPropagate) as? [String: String], ["goes": "text"])
        CVBufferPropagateAttachments(first, second)
        XCTAssertFalse(CVBufferHasAttachment(second, "stays"))
        XCTAssertEqual(CVBufferCopyAttachment(second, "goes", &mode) as? String, "text")
        XCTAssertEqual(mode, .shouldPropagate)
        CVBufferRemoveAttachment(first, "goes")
        XCTAssertNil(CVBufferGetAttachments(first, .shouldPropagate))
        CVBufferRemoveAllAttachments(first)
        XCTAssertNil(CVBufferCopyAttachment(first, "stays", nil))
    }

    func testAttachmentsOfSamplesAndOtherObjects() throws {
        let sample = CMSampleBuffer(imageBuffer: try buffer())
        let key = kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix
        XCTAssertNil(CMGetAttachment(sample, key: key, attachmentModeOut: nil))
        CMSetAttachment(sample, key: key, value: Data([1, 2]), attachmentMode: kCMAttachmentMode_ShouldPropagate)
        var mode: CMAttachmentMode = 9
        XCTAssertEqual(CMGetAttachment(sample, key: key, attachmentModeOut: &mode) as? Data, Data([1, 2]))
        XCTAssertEqual(mode, kCMAttachmentMode_ShouldPropagate)
        let pixels = try buffer()
        CMPropagateAttachments(sample, destination: pixels)
        XCTAssertEqual(CVBufferCopyAttachment(pixels, key, nil) as? Data, Data([1, 2]))
        CMSetAttachment(sample, key: key, value: nil, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        XCTAssertNil(CMGetAttachment(sample, key: key, attachmentModeOut: nil))
        CMSetAttachment(pixels, key: "other", value: 3, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
        CMRemoveAttachment(pixels, key: key)
        XCTAssertNil(
            CMCopyDictionaryOfAttachments(
                allocator: nil, target: pixels, attachmentMode: kCMAttachmentMode_ShouldPropagate))
        CMRemoveAllAttachments(pixels)
        XCTAssertFalse(CVBufferHasAttachment(pixels, "other"))
        CMSetAttachment(self, key: key, value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        XCTAssertNil(CMGetAttachment(self, key: key, attachmentModeOut: nil))
    }

    func testDescriptionsAndTimesOfSamples() throws {
        let pixels = try buffer(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        var description: CMVideoFormatDescription?
        CMVideoFormatDescriptionCreateForImageBuffer(
            allocator: nil, imageBuffer: pixels, formatDescriptionOut: &description)
        let made = try XCTUnwrap(description)
        XCTAssertEqual(CMVideoFormatDescriptionGetDimensions(made), CMVideoDimensions(width: 6, height: 4))
        XCTAssertEqual(CMFormatDescriptionGetMediaType(made), kCMMediaType_Video)
        XCTAssertEqual(CMFormatDescriptionGetMediaSubType(made), kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        var timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: 5, timescale: 30),
            decodeTimeStamp: .invalid)
        var sample: CMSampleBuffer?
        XCTAssertEqual(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: nil, imageBuffer: pixels, formatDescription: made, sampleTiming: &timing,
                sampleBufferOut: &sample), noErr)
        let frame = try XCTUnwrap(sample)
        XCTAssertEqual(CMSampleBufferGetPresentationTimeStamp(frame).value, 5)
        var times = CMSampleTimingInfo()
        XCTAssertEqual(CMSampleBufferGetSampleTimingInfo(frame, at: 0, timingInfoOut: &times), noErr)
        XCTAssertEqual(times, timing)
        XCTAssertEqual(
            CMSampleBufferGetSampleTimingInfo(frame, at: 1, timingInfoOut: &times),
            kCMSampleBufferError_SampleIndexOutOfRange)
        XCTAssertTrue(CMSampleBufferIsValid(frame))
        CMSampleBufferInvalidate(frame)
        XCTAssertFalse(frame.isValid)
        // The description of another format.
        XCTAssertEqual(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: nil, imageBuffer: try buffer(), formatDescription: made, sampleTiming: &timing,
                sampleBufferOut: &sample), kCMSampleBufferError_InvalidMediaFormat)
        XCTAssertEqual(
            CMVideoFormatDescriptionCreate(
                allocator: nil, codecType: 1, width: -1, height: 4, extensions: nil,
                formatDescriptionOut: &description), kCMFormatDescriptionError_InvalidParameter)
    }

    func testColoursOfSpacesAndTooFewComponents() {
        let rgb = CGColorSpaceCreateDeviceRGB()
        XCTAssertEqual(CGColor(colorSpace: rgb, components: [0.5, 0, 1, 0.25])?.alpha, 0.25)
        XCTAssertNil(CGColor(colorSpace: rgb, components: [1, 1]))
        XCTAssertEqual(CGColor(colorSpace: CGColorSpaceCreateDeviceGray(), components: [0, 1]), CGColor.black)
        let components: [CGFloat] = [1, 0.5]
        components.withUnsafeBufferPointer { pointer in
            guard let base = pointer.baseAddress else { return XCTFail("no components") }
            XCTAssertEqual(
                CGColor(colorSpace: CGColorSpaceCreateDeviceGray(), components: base), CGColor(gray: 1, alpha: 0.5))
        }
        XCTAssertEqual(CGColor.white.copy(alpha: 0)?.components, [1, 0])
        XCTAssertNotEqual(CGColor.clear, CGColor.black)
    }
}
