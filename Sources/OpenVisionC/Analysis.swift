public import COpenVision
import Foundation
import Vision
import VisionAnalysis
import VisionExtras

/// Sets the most threads that one call uses; 0 for all processors.
@_cdecl("openvision_set_thread_count")
public func setThreadCount(_ count: Int32) {
    if count > 0 { VisionSettings.threadCount = Int(count) } else { VisionSettings.resetThreadCount() }
}

/// Analyses the bytes of an image file.
@_cdecl("openvision_analyze_file")
public func analyzeFile(
    _ bytes: UnsafeRawPointer?, _ count: Int, _ requests: UnsafePointer<CChar>?
) -> OpaquePointer {
    CallResult.of { result in
        let plan = try CallInputs.plan(requests)
        guard let bytes, count > 0 else { throw CallInputs.mistake("The image is empty.") }
        // The bytes are read during the call only.
        let data = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: count, deallocator: .none)
        return result.adding(plan.report(of: data))
    }
}

/// Analyses pixels.
@_cdecl("openvision_analyze_pixels")
public func analyzePixels(
    _ pixels: UnsafePointer<openvision_pixels>?, _ requests: UnsafePointer<CChar>?
) -> OpaquePointer {
    CallResult.of { result in
        let plan = try CallInputs.plan(requests)
        guard let pixels else { throw CallInputs.mistake("The pixels are NULL.") }
        let buffer = try CallInputs.buffer(pixels.pointee)
        return result.adding(plan.report(on: VNImageRequestHandler(cvPixelBuffer: buffer)))
    }
}

extension CallResult {
    /// Adds the feature print of a report as an array, and returns the report.
    fileprivate func adding(_ report: AnalysisReport) -> AnalysisReport {
        if let print = report.featurePrint {
            add(
                "print", shape: [print.count / MemoryLayout<Float>.stride], type: Int32(OPENVISION_FLOAT32),
                elementSize: MemoryLayout<Float>.stride
            ) { _ = print.copyBytes(to: $0) }
        }
        return report
    }
}
