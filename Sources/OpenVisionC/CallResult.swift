public import COpenVision
import Foundation
import VisionAnalysis

/// What a call from C returns: an object behind an opaque pointer that the caller frees.
final class CallResult {
    /// An array of the result, with memory of its own.
    struct Array {
        let name: CText
        let shape: UnsafeMutableBufferPointer<Int64>
        let data: UnsafeMutableRawBufferPointer
        let type: Int32
    }

    /// A text in memory that C can read.
    typealias CText = UnsafeMutablePointer<CChar>

    private(set) var error: CText?
    private(set) var json: CText?
    private(set) var arrays: [Array] = []

    deinit {
        free(error)
        free(json)
        for array in arrays {
            free(array.name)
            array.shape.deallocate()
            array.data.deallocate()
        }
    }

    /// Runs a call; what it throws becomes the error of the result.
    ///
    /// - Returns: The pointer that C gets, which owns the result.
    static func of(_ call: (CallResult) throws -> any Encodable) -> OpaquePointer {
        let result = CallResult()
        do {
            result.json = strdup(try AnalysisJSON.text(try call(result)))
        } catch {
            result.error = strdup(error.localizedDescription)
        }
        return OpaquePointer(Unmanaged.passRetained(result).toOpaque())
    }

    /// Returns the result of a pointer; nil for NULL.
    static func at(_ pointer: OpaquePointer?) -> CallResult? {
        pointer.map { Unmanaged<CallResult>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
    }

    /// Adds an array.
    ///
    /// - Parameter write: Writes all of its bytes.
    func add(
        _ name: String, shape: [Int], type: Int32, elementSize: Int,
        write: (UnsafeMutableRawBufferPointer) throws -> Void
    ) rethrows {
        let data = UnsafeMutableRawBufferPointer.allocate(
            byteCount: shape.reduce(elementSize, *), alignment: MemoryLayout<Double>.alignment)
        let lengths = UnsafeMutableBufferPointer<Int64>.allocate(capacity: shape.count)
        for (index, length) in shape.enumerated() { lengths[index] = Int64(length) }
        guard let text = strdup(name) else { preconditionFailure("no memory for a name") }
        arrays.append(Array(name: text, shape: lengths, data: data, type: type))
        try write(data)
    }
}

/// Why the call failed; nil if it did not. See `openvision.h`, as for all functions here.
@_cdecl("openvision_result_error")
public func resultError(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
    CallResult.at(result)?.error.map { UnsafePointer($0) }
}

/// The JSON of a call that did not fail.
@_cdecl("openvision_result_json")
public func resultJSON(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
    CallResult.at(result)?.json.map { UnsafePointer($0) }
}

/// Frees a result and all that it has given.
@_cdecl("openvision_result_free")
public func resultFree(_ result: OpaquePointer?) {
    if let result { Unmanaged<CallResult>.fromOpaque(UnsafeRawPointer(result)).release() }
}

/// The number of arrays of a result.
@_cdecl("openvision_result_array_count")
public func resultArrayCount(_ result: OpaquePointer?) -> Int { CallResult.at(result)?.arrays.count ?? 0 }

/// Gives an array of a result; returns 0 if there is no array of that index.
@_cdecl("openvision_result_array")
public func resultArray(
    _ result: OpaquePointer?, _ index: Int, _ array: UnsafeMutablePointer<openvision_array>?
) -> Int32 {
    guard let arrays = CallResult.at(result)?.arrays, arrays.indices.contains(index), let array else { return 0 }
    let found = arrays[index]
    array.pointee = openvision_array(
        name: found.name, data: UnsafeRawPointer(found.data.baseAddress),
        shape: UnsafePointer(found.shape.baseAddress), rank: Int32(found.shape.count), type: found.type)
    return 1
}
