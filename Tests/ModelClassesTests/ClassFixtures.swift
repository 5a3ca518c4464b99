import ModelFixtures
import ModelTestSupport
import XCTest

/// The Core ML files whose classes are in `Generated`.
enum ClassFixtures {
    private typealias Builder = CoreMLFileBuilder

    /// The mean colour of a photo, as scores of three labels.
    static var colourNames: [UInt8] {
        var builder = Builder()
        builder.inputs = [Builder.image("image", width: 4, height: 2)]
        builder.outputs = [Builder.dictionary("classLabelProbs"), Builder.string("classLabel")]
        (builder.predictedFeature, builder.predictedProbabilities) = ("classLabel", "classLabelProbs")
        let labels: ProtoFields = [1: .repeated([.string("red"), .string("green"), .string("blue")])]
        return builder.file(
            403,
            [
                1: .repeated([
                    Builder.layer("mean", ["image"], ["m"], 120, [1: .int(1), 60: .int(1)]),
                    Builder.layer("soft", ["m"], ["p"], 175),
                ]), 2: .repeated([.message([1: .string("image"), 10: .message([10: .float(0.1)])])]),
                100: .message(labels),
            ])
    }

    /// Sums and differences of arrays, under names that Swift does not allow or that mean something to it.
    static var oddNames: [UInt8] {
        var builder = Builder()
        builder.inputs = [
            Builder.array("in", [2]), Builder.array("1st value", [2], type: 65600, isOptional: true),
            Builder.array("self", [2], type: 131104),
        ]
        builder.outputs = [
            Builder.array("a.b", [2]), Builder.array("a_b", [2], type: 65600), Builder.array("provider", [2]),
        ]
        return builder.file(
            500,
            [
                1: .repeated([
                    Builder.layer("s", ["in", "self"], ["a.b"], 880), Builder.layer("d", ["in", "self"], ["a_b"], 905),
                    Builder.layer("p", ["in", "1st value"], ["provider"], 880),
                ]), 5: .int(1),
            ])
    }

    /// Features of every kind. No such model exists; only its description is read.
    static var everyKind: [UInt8] {
        var builder = Builder()
        builder.inputs = [
            Builder.image("photo", width: 8, height: 8), Builder.image("mask", width: 8, height: 8, colours: 10),
            Builder.double("threshold", isOptional: true), Builder.int64("count"), Builder.string("title"),
            Builder.dictionary("weights"), Builder.array("cells", [1, 2, 3]),
            .message([1: .string("words"), 3: .message([7: .message([3: .message([:])])])]),
            .message([1: .string("numbers"), 3: .message([6: .message([1: .message([:])]), 1000: .int(1)])]),
        ]
        builder.outputs = [
            Builder.image("drawing", width: 8, height: 8), Builder.double("score"), Builder.int64("number"),
            .message([1: .string("tokens"), 3: .message([7: .message([3: .message([:])])])]),
            .message([
                1: .string("byNumber"), 2: .string("Line one\n*/ line \"two\" \u{2028}\\(three)"),
                3: .message([6: .message([1: .message([:])])]),
            ]),
        ]
        return builder.file(2003, [:])
    }
}

extension XCTestCase {
    /// A file that is there until the test ends.
    func write(_ bytes: [UInt8], _ name: String) throws -> URL {
        let folder = try TemporaryFolder()
        addTeardownBlock { withExtendedLifetime(folder) {} }
        return try folder.write(Data(bytes), name)
    }
}
