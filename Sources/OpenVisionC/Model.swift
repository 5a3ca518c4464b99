import NetworkMetadata
public import COpenVision
import CoreML
import Foundation
import VisionAnalysis
import VisionImage

/// A model behind an opaque pointer.
private final class OpenModel: Sendable {
    let model: MLModel

    init(_ model: MLModel) { self.model = model }

    static func at(_ pointer: OpaquePointer?) throws -> MLModel {
        guard let pointer else { throw CallInputs.mistake("The model is NULL.") }
        return Unmanaged<OpenModel>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue().model
    }
}

/// Opens a model.
@_cdecl("openvision_model_open")
public func modelOpen(
    _ path: UnsafePointer<CChar>?, _ model: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer {
    model?.pointee = nil
    return CallResult.of { _ in
        guard let model else { throw CallInputs.mistake("The place for the model is NULL.") }
        let opened = try MLModel(contentsOf: URL(fileURLWithPath: try CallInputs.text(path, "The path")))
        let description = ModelDescriptionRecord(opened.modelDescription)
        model.pointee = OpaquePointer(Unmanaged.passRetained(OpenModel(opened)).toOpaque())
        return description
    }
}

/// Frees a model.
@_cdecl("openvision_model_free")
public func modelFree(_ model: OpaquePointer?) {
    if let model { Unmanaged<OpenModel>.fromOpaque(UnsafeRawPointer(model)).release() }
}

/// Runs a model.
@_cdecl("openvision_model_predict")
public func modelPredict(
    _ model: OpaquePointer?, _ inputs: UnsafePointer<openvision_input>?, _ count: Int
) -> OpaquePointer {
    CallResult.of { result in
        let model = try OpenModel.at(model)
        let given = UnsafeBufferPointer(start: inputs, count: inputs == nil ? 0 : max(0, count))
        var values: [String: Any] = [:]
        for input in given {
            let name = try CallInputs.text(input.name, "The name of an input")
            guard values.updateValue(try value(of: input, name), forKey: name) == nil else {
                throw CallInputs.mistake("The input \(name) is given twice.")
            }
        }
        let outputs = try model.prediction(from: try MLDictionaryFeatureProvider(dictionary: values))
        return ["outputs": try result.adding(outputs)]
    }
}

private func value(of input: openvision_input, _ name: String) throws -> MLFeatureValue {
    switch input.kind {
    case Int32(OPENVISION_INPUT_ARRAY): MLFeatureValue(multiArray: try CallInputs.array(input.array, name))
    case Int32(OPENVISION_INPUT_PIXELS): MLFeatureValue(pixelBuffer: try CallInputs.buffer(input.pixels))
    case Int32(OPENVISION_INPUT_INTEGER): MLFeatureValue(int64: input.integer)
    case Int32(OPENVISION_INPUT_NUMBER): MLFeatureValue(double: input.number)
    case Int32(OPENVISION_INPUT_TEXT): MLFeatureValue(string: try CallInputs.text(input.text, "The input \(name)"))
    default: throw CallInputs.mistake("The input \(name) has the kind \(input.kind); use OPENVISION_INPUT_…")
    }
}

/// An output that is not an array, as JSON.
private struct OutputRecord: Encodable {
    let type: String
    var value: JSONValue?
    /// The keys of a dictionary are labels or numbers; in JSON they are texts.
    var hasIntegerKeys: Bool?
}

extension CallResult {
    /// Adds the arrays and images of a prediction as arrays, and returns what each output is.
    fileprivate func adding(_ outputs: any MLFeatureProvider) throws -> [String: OutputRecord] {
        var records: [String: OutputRecord] = [:]
        for name in outputs.featureNames.sorted() {
            guard let value = outputs.featureValue(for: name) else { continue }
            records[name] = try adding(value, name)
        }
        return records
    }

    private func adding(_ value: MLFeatureValue, _ name: String) throws -> OutputRecord {
        if let array = value.multiArrayValue {
            add(array, name)
            return OutputRecord(type: "multiArray")
        }
        if let image = value.imageBufferValue {
            try add(image, name)
            return OutputRecord(type: "image")
        }
        if let sequence = value.sequenceValue {
            let elements =
                sequence.type == .string
                ? sequence.stringValues.map { JSONValue.string($0) }
                : sequence.int64Values.map { JSONValue.integer($0.intValue) }
            return OutputRecord(type: "sequence", value: .array(elements))
        }
        switch value.type {
        case .int64: return OutputRecord(type: "int64", value: .integer(Int(value.int64Value)))
        case .double: return OutputRecord(type: "double", value: Self.json(value.doubleValue))
        case .string: return OutputRecord(type: "string", value: .string(value.stringValue))
        case .dictionary:
            let values = value.dictionaryValue
            let entries = values.map { key, number in ("\(key.base)", Self.json(number.doubleValue)) }
            return OutputRecord(
                type: "dictionary", value: .object(Dictionary(entries) { first, _ in first }),
                hasIntegerKeys: values.keys.allSatisfy { !($0.base is String) })
        default: throw CallInputs.mistake("The output \(name) is of a type that C programs cannot read.")
        }
    }

    /// A number, or null for one that JSON does not have.
    private static func json(_ number: Double) -> JSONValue { number.isFinite ? .number(number) : .null }

    private func add(_ array: MLMultiArray, _ name: String) {
        let type: Int
        switch array.dataType {
        case .int32: type = OPENVISION_INT32
        case .float16: type = OPENVISION_FLOAT16
        case .float32: type = OPENVISION_FLOAT32
        case .double: type = OPENVISION_FLOAT64
        }
        // Without gaps between rows, which a single number has not.
        let packed =
            array.shape.isEmpty ? array : MLMultiArray(concatenating: [array], axis: 0, dataType: array.dataType)
        packed.withUnsafeBytes { bytes in
            add(
                name, shape: array.shape.map(\.intValue), type: Int32(type),
                elementSize: bytes.count / max(1, array.count)
            ) { $0.copyMemory(from: bytes) }
        }
    }

    private func add(_ image: CVPixelBuffer, _ name: String) throws {
        let isGrey = CVPixelBufferGetPixelFormatType(image) == kCVPixelFormatType_OneComponent8
        let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        let raster = try ImageSource(pixelBuffer: image, orientation: nil).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height,
                format: isGrey ? .grey8 : .rgb8))
        let channels = isGrey ? 1 : 3
        let shape = [raster.height, raster.width] + (channels == 1 ? [] : [3])
        add(name, shape: shape, type: Int32(OPENVISION_UINT8), elementSize: 1) { target in
            raster.withUnsafePixels { pixels in
                for y in 0..<raster.height {
                    let row = UnsafeRawBufferPointer(
                        start: pixels + y * raster.rowBytes, count: raster.width * channels)
                    UnsafeMutableRawBufferPointer(rebasing: target[(y * row.count)..<((y + 1) * row.count)])
                        .copyMemory(from: row)
                }
            }
        }
    }
}
