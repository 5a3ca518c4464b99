import NetworkMetadata
import COpenVision
import CoreML
import Foundation
import VisionAnalysis
import VisionImage

/// Reads what C programs give.
enum CallInputs {
    static func mistake(_ text: String) -> AnalysisError { AnalysisError(text) }

    /// Returns a text that must be there.
    static func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
        guard let pointer else { throw mistake("\(name) is NULL.") }
        guard let text = String(validatingCString: pointer) else { throw mistake("\(name) is not valid UTF-8.") }
        return text
    }

    /// Returns the requests.
    static func plan(_ pointer: UnsafePointer<CChar>?) throws -> AnalysisPlan {
        let text = try text(pointer, "requests")
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
            throw mistake("requests is not valid JSON.")
        }
        return try AnalysisPlan(value)
    }

    /// Returns a buffer over the caller's pixels, which are not copied.
    static func buffer(_ pixels: openvision_pixels) throws -> CVPixelBuffer {
        let formats: [Int32: (type: OSType, bytes: Int64)] = [
            Int32(OPENVISION_GREY): (kCVPixelFormatType_OneComponent8, 1),
            Int32(OPENVISION_RGB): (kCVPixelFormatType_24RGB, 3), Int32(OPENVISION_BGR): (kCVPixelFormatType_24BGR, 3),
            Int32(OPENVISION_RGBA): (kCVPixelFormatType_32RGBA, 4),
            Int32(OPENVISION_BGRA): (kCVPixelFormatType_32BGRA, 4),
        ]
        guard let format = formats[pixels.format] else {
            throw mistake("\(pixels.format) is not a format of pixels; use OPENVISION_GREY to OPENVISION_BGRA.")
        }
        guard let data = pixels.data else { throw mistake("The pixels are NULL.") }
        guard (1...Int64(Int32.max)).contains(pixels.width), (1...Int64(Int32.max)).contains(pixels.height),
            pixels.row_bytes >= pixels.width * format.bytes, pixels.row_bytes < 1 << 32
        else {
            throw mistake(
                "Pixels of \(pixels.width) × \(pixels.height) with \(pixels.row_bytes) bytes a row are not valid.")
        }
        var made: CVPixelBuffer?
        let status = CVPixelBufferCreateWithBytes(
            nil, Int(pixels.width), Int(pixels.height), format.type, UnsafeMutableRawPointer(mutating: data),
            Int(pixels.row_bytes), nil, nil, nil, &made)
        guard status == kCVReturnSuccess, let made else {
            throw mistake("Pixels of \(pixels.width) × \(pixels.height) cannot be read (error \(status)).")
        }
        return made
    }

    /// Returns an array over the caller's numbers, which are not copied.
    static func array(_ array: openvision_array, _ name: String) throws -> MLMultiArray {
        let types: [Int32: MLMultiArrayDataType] = [
            Int32(OPENVISION_INT32): .int32, Int32(OPENVISION_FLOAT16): .float16,
            Int32(OPENVISION_FLOAT32): .float32, Int32(OPENVISION_FLOAT64): .double,
        ]
        guard let type = types[array.type] else {
            throw mistake("The input \(name) has elements of the type \(array.type); use INT32 or a FLOAT type.")
        }
        guard let data = array.data, (1...16).contains(array.rank), let shape = array.shape else {
            throw mistake("The input \(name) has no data, no shape, or a rank of \(array.rank).")
        }
        let lengths = (0..<Int(array.rank)).map { shape[$0] }
        // The product is checked, since the caller's memory is as large as it says.
        var count: Int64 = 1
        for length in lengths {
            let (product, overflow) = count.multipliedReportingOverflow(by: length)
            guard length >= 1, !overflow, product < 1 << 40 else {
                throw mistake("The input \(name) cannot have the shape \(lengths).")
            }
            count = product
        }
        var strides = [Int](repeating: 1, count: lengths.count)
        for axis in stride(from: lengths.count - 2, through: 0, by: -1) {
            strides[axis] = strides[axis + 1] * Int(lengths[axis + 1])
        }
        return try MLMultiArray(
            dataPointer: UnsafeMutableRawPointer(mutating: data), shape: lengths.map { NSNumber(value: $0) },
            dataType: type, strides: strides.map { NSNumber(value: $0) })
    }
}
