import ArgumentParser
import CoreML
import Foundation

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a network to a Core ML package.",
        discussion: """
            Writes an ML program for iOS 16, macOS 13 and later from an .onnx or .tflite file. Image inputs, labels \
            and descriptions come from the network's metadata file. An operator that ML programs do not have is named.

            Examples:
              openvision convert net.onnx net.mlpackage
              openvision convert net.onnx net.mlpackage --half --size 640x480
              openvision convert encoder.onnx encoder.mlpackage --shape tokens=1x77
            """)

    @OptionGroup var model: ModelArgument

    @Argument(help: ArgumentHelp("The package to write (.mlpackage).", valueName: "package"))
    var output: String

    @Flag(help: "Write weights and computations in half precision.")
    var half = false

    @Option(help: ArgumentHelp("The size of images, where the network takes any.", valueName: "width>x<height"))
    var size: String?

    @OptionGroup var openShapes: ShapeOptions

    @Flag(name: .shortAndLong, help: "Print nothing.")
    var quiet = false

    private func imageSize() throws -> (width: Int, height: Int)? {
        guard let size else { return nil }
        let sides = size.split(separator: "x").map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...65536).contains(width),
            (1...65536).contains(height)
        else { throw ValidationError("--size is '\(size)'; it must be like 640x480.") }
        return (width, height)
    }

    func validate() throws {
        guard output.lowercased().hasSuffix(".mlpackage") else {
            throw ValidationError("The package is '\(output)'; its name must end in .mlpackage.")
        }
        _ = try imageSize()
    }

    func run() throws {
        var conversion = CoreMLConversion()
        conversion.usesHalf = half
        conversion.imageSize = try imageSize()
        conversion.shapes = Dictionary(openShapes.shapes.map { ($0.name, $0.sizes) }) { $1 }
        let url = try model.url()
        let result: CoreMLConversion.Result
        do {
            result = try conversion.convert(url, to: URL(fileURLWithPath: output))
        } catch let error as MLModelError {
            throw ModelArgument.Failure(description: error.localizedDescription)
        }
        guard !quiet else { return }
        for input in result.inputs { print("input  \(input)") }
        for output in result.outputs { print("output \(output)") }
        for (name, new) in result.renamed.sorted(by: { $0.key < $1.key }) { print("\(name) is called \(new)") }
        print("Wrote \(output)")
    }
}
