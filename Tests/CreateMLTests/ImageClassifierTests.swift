import CreateML
import ModelTestSupport
import Vision
import VisionExtras
import VisionInference
import VisionModels
import VisionTraining
import XCTest

final class ImageClassifierTests: XCTestCase {
    private static let kinds: [DrawnPhotos.Kind] = [.disc, .stripes, .checks]

    /// Trained once for all tests: photos 0 to 11 of each kind; 100 to 105 are to test with.
    private struct Trained {
        let folder: TemporaryFolder
        let classifier: MLImageClassifier

        var training: URL { folder.url.appendingPathComponent("training") }
        var testing: URL { folder.url.appendingPathComponent("testing") }
        func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }
    }

    private static let trained = Result { () throws -> Trained in
        let folder = try TemporaryFolder()
        let training = folder.url.appendingPathComponent("training")
        try DrawnPhotos.folders(at: training, kinds: kinds, numbers: 0..<12)
        try DrawnPhotos.folders(at: folder.url.appendingPathComponent("testing"), kinds: kinds, numbers: 100..<106)
        let classifier = try MLImageClassifier(
            trainingData: .labeledDirectories(at: training), parameters: .init(validationData: nil), settings: quiet)
        return Trained(folder: folder, classifier: classifier)
    }

    private static var quiet: TrainingSettings {
        var settings = TrainingSettings()
        settings.isQuiet = true
        settings.cacheFolder = nil
        return settings
    }

    private func trained() throws -> Trained {
        try requireSceneNetwork()
        return try Self.trained.get()
    }

    private func assertThrows(
        _ expected: (MLCreateError) -> Bool, _ body: () throws -> Void, line: UInt = #line
    ) {
        XCTAssertThrowsError(try body(), line: line) { error in
            guard let error = error as? MLCreateError else { return XCTFail("\(error)", line: line) }
            XCTAssertTrue(expected(error), "\(error)", line: line)
            XCTAssertFalse(error.reason.isEmpty, line: line)
        }
    }

    // MARK: - Training

    func testKindsOfDrawingsAreLearnt() throws {
        let trained = try trained()
        XCTAssertEqual(
            trained.classifier.model.modelDescription.classLabels as? [String], ["checks", "disc", "stripes"])
        let metrics = trained.classifier.evaluation(on: .labeledDirectories(at: trained.testing))
        XCTAssertTrue(metrics.isValid)
        XCTAssertLessThanOrEqual(metrics.classificationError, 0.12)
        XCTAssertEqual(trained.classifier.trainingMetrics.classificationError, 0, accuracy: 0.06)
        XCTAssertTrue(trained.classifier.description.contains("Classes: 3"))
    }

    func testFewPhotosAreNotSplitAndTheValidationIsSaidToBeMissing() throws {
        let metrics = try trained().classifier.validationMetrics
        XCTAssertFalse(metrics.isValid)
        XCTAssertTrue(metrics.classificationError.isNaN)
        XCTAssertTrue(metrics.error is MLCreateError)
    }

    func testPhotosByLabelGiveTheSameClassifierAsTheirFolders() throws {
        let trained = try trained()
        let source = MLImageClassifier.DataSource.labeledDirectories(at: trained.training)
        let files = try source.labeledImages()
        XCTAssertEqual(files.mapValues(\.count), ["disc": 12, "stripes": 12, "checks": 12])
        let other = try MLImageClassifier(
            trainingData: .filesByLabel(files), parameters: .init(validationData: nil), settings: Self.quiet)
        XCTAssertEqual(try other.data(metadata: nil), try trained.classifier.data(metadata: nil))
    }

    func testLabelledFilesAreReadUpToTheFirstPoint() throws {
        try requireSceneNetwork()
        let folder = try TemporaryFolder()
        for number in 0..<10 {
            try DrawnPhotos.write(.disc, number: number, to: folder.url.appendingPathComponent("round.\(number).png"))
            try DrawnPhotos.write(
                .cross, number: number, to: folder.url.appendingPathComponent("cross.\(number).x.png"))
        }
        let classifier = try MLImageClassifier(
            trainingData: .labeledFiles(at: folder.url), parameters: .init(validation: .none), settings: Self.quiet)
        XCTAssertEqual(classifier.report.labels, ["cross", "round"])
    }

    func testAFixedSplitIsValidatedWithPhotosThatWereNotTrainedWith() throws {
        let trained = try trained()
        let classifier = try MLImageClassifier(
            trainingData: .labeledDirectories(at: trained.training),
            parameters: .init(validation: .split(strategy: .fixed(ratio: 0.25, seed: 1))), settings: Self.quiet)
        let count = { (metrics: MLClassifierMetrics) in
            metrics.confusion.rows.compactMap { $0["Count"]?.intValue }.reduce(0, +)
        }
        XCTAssertEqual(count(classifier.validationMetrics), 9)
        XCTAssertEqual(count(classifier.trainingMetrics), 27)
    }

    func testOtherPhotosValidateTheClassifier() throws {
        let trained = try trained()
        for parameters in [
            MLImageClassifier.ModelParameters(validationData: .labeledDirectories(at: trained.testing)),
            MLImageClassifier.ModelParameters(
                validationData: try MLImageClassifier.DataSource.labeledDirectories(at: trained.testing).labeledImages()
            ),
        ] {
            let classifier = try MLImageClassifier(
                trainingData: .labeledDirectories(at: trained.training), parameters: parameters, settings: Self.quiet)
            XCTAssertEqual(
                classifier.validationMetrics.confusion.rows.compactMap { $0["Count"]?.intValue }.reduce(0, +), 18)
        }
    }

    func testParametersHaveTheirFormsAndDefaults() {
        let first = MLImageClassifier.ModelParameters(validationData: nil)
        XCTAssertEqual(first.maxIterations, 25)
        XCTAssertEqual(first.augmentationOptions, [])
        guard case .scenePrint(revision: 1) = first.featureExtractor else { return XCTFail() }
        guard case .split(strategy: .automatic) = first.validation else { return XCTFail() }
        let second = MLImageClassifier.ModelParameters(
            featureExtractor: .scenePrint(revision: 2), validation: .none, maxIterations: 40,
            augmentationOptions: [.crop, .flip])
        XCTAssertEqual(second.augmentation, [.crop, .flip])
        let third = MLImageClassifier.ModelParameters(
            validation: .split(strategy: .fixed(ratio: 0.2, seed: 5)), maxIterations: 10, augmentation: [.noise],
            algorithm: .transferLearning(featureExtractor: .scenePrint(revision: nil), classifier: .logisticRegressor))
        guard case .scenePrint(revision: nil) = third.featureExtractor else { return XCTFail() }
        XCTAssertEqual(MLImageClassifier.ModelParameters().maxIterations, 25)
        XCTAssertFalse("\(third)".isEmpty)
    }

    // MARK: - What goes wrong

    func testNothingUsableIsATypedError() throws {
        try requireSceneNetwork()
        let folder = try TemporaryFolder()
        assertThrows {
            if case .type = $0 { true } else { false }
        } _: {
            _ = try MLImageClassifier(trainingData: .labeledDirectories(at: folder.url))
        }
        assertThrows {
            if case .io = $0 { true } else { false }
        } _: {
            _ = try MLImageClassifier(
                trainingData: .labeledDirectories(at: folder.url.appendingPathComponent("none")))
        }
        let broken = try folder.write("no photo", "broken.jpg")
        assertThrows {
            $0.reason.contains("broken.jpg")
        } _: {
            _ = try MLImageClassifier(
                trainingData: .filesByLabel(["a": [broken], "b": [broken]]), parameters: .init(validationData: nil),
                settings: Self.quiet)
        }
        assertThrows {
            if case .type = $0 { true } else { false }
        } _: {
            _ = try MLImageClassifier(
                trainingData: .filesByLabel(["a": [broken]]), parameters: .init(validation: .none, maxIterations: 0),
                settings: Self.quiet)
        }
    }

    func testARevisionThatDoesNotExistIsSaidSo() throws {
        let trained = try trained()
        assertThrows {
            if case .generic(let reason) = $0 { reason.contains("revision 9") } else { false }
        } _: {
            _ = try MLImageClassifier(
                trainingData: .labeledDirectories(at: trained.training),
                parameters: .init(featureExtractor: .scenePrint(revision: 9), validationData: nil), settings: Self.quiet
            )
        }
    }

    func testPhotosThatCannotBeReadAreListed() throws {
        let trained = try trained()
        var files = try MLImageClassifier.DataSource.labeledDirectories(at: trained.training).labeledImages()
        let whole = try Data(contentsOf: XCTUnwrap(files["disc"]?.first))
        let folder = try TemporaryFolder()
        files["disc", default: []].append(try folder.write(whole.prefix(whole.count / 2), "cut.png"))
        let classifier = try MLImageClassifier(
            trainingData: .filesByLabel(files), parameters: .init(validationData: nil), settings: Self.quiet)
        XCTAssertEqual(classifier.report.skipped.map { URL(fileURLWithPath: $0.path).lastPathComponent }, ["cut.png"])
        XCTAssertEqual(try classifier.data(metadata: nil), try trained.classifier.data(metadata: nil))
    }

    // MARK: - Predictions

    func testPredictionsOfPhotosAndImagesAgree() throws {
        let trained = try trained()
        let urls = try MLImageClassifier.DataSource.labeledDirectories(at: trained.testing).labeledImages()
            .sorted { $0.key < $1.key }.flatMap(\.value)
        let labels = try trained.classifier.predictions(from: urls)
        XCTAssertEqual(labels.count, 18)
        XCTAssertEqual(try urls.map { try trained.classifier.prediction(from: $0) }, labels)
        for number in 100..<106 {
            let image = try XCTUnwrap(DrawnPhotos.image(.disc, number: number))
            let url = trained.testing.appendingPathComponent("disc/\(number).png")
            XCTAssertEqual(try trained.classifier.prediction(from: image), try trained.classifier.prediction(from: url))
        }
    }

    func testAPhotoThatCannotBeReadIsAnError() throws {
        let trained = try trained()
        assertThrows {
            if case .io = $0 { true } else { false }
        } _: {
            _ = try trained.classifier.prediction(from: URL(fileURLWithPath: "/nowhere.jpg"))
        }
        assertThrows {
            if case .io = $0 { true } else { false }
        } _: {
            _ = try trained.classifier.predictions(from: [URL(fileURLWithPath: "/nowhere.jpg")])
        }
    }

    func testMetricsAddUp() throws {
        let trained = try trained()
        let metrics = trained.classifier.evaluation(
            on: [
                "disc": [trained.testing.appendingPathComponent("disc/100.png")],
                "moon": [trained.testing.appendingPathComponent("stripes/101.png")],
            ])
        XCTAssertEqual(metrics.classificationError, 0.5, accuracy: 0.01)
        XCTAssertEqual(metrics.confusion.columnNames, ["True Label", "Predicted", "Count"])
        XCTAssertEqual(metrics.precisionRecall.columnNames, ["class", "precision", "recall"])
        XCTAssertEqual(
            metrics.precisionRecall["class"]?.compactMap(\.stringValue), ["checks", "disc", "moon", "stripes"])
        let moon = try XCTUnwrap(metrics.precisionRecall.rows.first { $0["class"]?.stringValue == "moon" })
        XCTAssertEqual(moon["recall"]?.doubleValue, 0)
        XCTAssertEqual(moon["precision"]?.doubleValue?.isNaN, true)
        XCTAssertFalse(trained.classifier.evaluation(on: [:]).isValid)
        XCTAssertFalse(metrics.description.isEmpty)
    }

    // MARK: - The file

    func testAFileGivesEqualConfidencesWhateverItIsCalled() throws {
        let trained = try trained()
        for name in ["Parts.mlmodel", "parts.onnx", "parts", "parts.classifier"] {
            let url = trained.file(name)
            try trained.classifier.write(to: url)
            XCTAssertEqual(try NetworkFile(contentsOf: url).kind.isCoreML, name.hasSuffix("mlmodel"), name)
            let model = try MLModel(contentsOf: url)
            for number in 100..<103 {
                let image = try XCTUnwrap(DrawnPhotos.image(.stripes, number: number))
                XCTAssertEqual(
                    try confidences(model, image), try confidences(trained.classifier.model, image), name)
            }
        }
    }

    private func confidences(_ model: MLModel, _ image: CGImage) throws -> [String: Float] {
        let request = VNCoreMLRequest(model: try VNCoreMLModel(for: model))
        try VNImageRequestHandler(cgImage: image).perform([request])
        let results = try XCTUnwrap(request.results as? [VNClassificationObservation])
        return Dictionary(uniqueKeysWithValues: results.map { ($0.identifier, $0.confidence) })
    }

    func testAModelPredictsWithoutVisionAsWell() throws {
        let trained = try trained()
        let model = trained.classifier.model
        XCTAssertEqual(model.modelDescription.predictedFeatureName, "classLabel")
        XCTAssertEqual(model.modelDescription.predictedProbabilitiesName, "classLabelProbs")
        let constraint = try XCTUnwrap(model.modelDescription.inputDescriptionsByName["image"]?.imageConstraint)
        XCTAssertEqual([constraint.pixelsWide, constraint.pixelsHigh], [299, 299])
        let image = try XCTUnwrap(DrawnPhotos.image(.checks, number: 104))
        let value = try MLFeatureValue(
            cgImage: image, pixelsWide: image.width, pixelsHigh: image.height,
            pixelFormatType: kCVPixelFormatType_32BGRA)
        let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["image": value]))
        let probabilities = try XCTUnwrap(output.featureValue(for: "classLabelProbs")?.dictionaryValue)
        XCTAssertEqual(probabilities.values.reduce(0) { $0 + $1.doubleValue }, 1, accuracy: 1e-5)
        let best = try XCTUnwrap(probabilities.max { $0.value.doubleValue < $1.value.doubleValue })
        XCTAssertEqual(output.featureValue(for: "classLabel")?.stringValue, best.key as? String)
        let shared = try confidences(model, image)
        for (label, probability) in probabilities {
            XCTAssertEqual(probability.floatValue, shared[(label as? String) ?? ""] ?? -1, accuracy: 1e-6)
        }
        XCTAssertThrowsError(try model.prediction(from: MLDictionaryFeatureProvider(dictionary: [:])))
        XCTAssertThrowsError(try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["image": 3])))
    }

    func testOneRunOfTheNetworkServesAllRequests() throws {
        let trained = try trained()
        let image = try XCTUnwrap(DrawnPhotos.image(.disc, number: 101))
        let handler = VNImageRequestHandler(cgImage: image)
        let (classify, print) = (VNClassifyImageRequest(), VNGenerateImageFeaturePrintRequest())
        classify.revision = 1
        print.revision = 1
        let custom = VNCoreMLRequest(model: try VNCoreMLModel(for: trained.classifier.model))
        XCTAssertEqual(custom.imageCropAndScaleOption, .scaleFill)
        try handler.perform([classify, print, custom])
        XCTAssertEqual(handler.networkRuns, 1)
        XCTAssertEqual((custom.results?.first as? VNClassificationObservation)?.identifier, "disc")
        try handler.perform([custom])
        XCTAssertEqual(handler.networkRuns, 1)
        custom.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
        try handler.perform([custom])
        XCTAssertEqual(handler.networkRuns, 2)
    }

    func testMetadataIsInTheFile() throws {
        let trained = try trained()
        let url = trained.file("metadata.mlmodel")
        try trained.classifier.write(
            to: url,
            metadata: MLModelMetadata(
                author: "Ada", shortDescription: "Shapes", license: "MIT", version: "7", additional: ["shop": "robots"])
        )
        let metadata = try MLModel(contentsOf: url).modelDescription.metadata
        XCTAssertEqual(metadata[.author] as? String, "Ada")
        XCTAssertEqual(metadata[.description] as? String, "Shapes")
        XCTAssertEqual(metadata[.license] as? String, "MIT")
        XCTAssertEqual(metadata[.versionString] as? String, "7")
        XCTAssertEqual((metadata[.creatorDefinedKey] as? [String: String])?["shop"], "robots")
    }

    func testACompiledClassifierPredictsTheSame() throws {
        let trained = try trained()
        let url = trained.file("compiled.mlmodel")
        try trained.classifier.write(to: url)
        let folder = try MLModel.compileModel(at: url)
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        let image = try XCTUnwrap(DrawnPhotos.image(.disc, number: 103))
        XCTAssertEqual(
            try confidences(try MLModel(contentsOf: folder), image), try confidences(trained.classifier.model, image))
    }

    func testAFileThatCannotBeWrittenIsAnError() throws {
        let trained = try trained()
        assertThrows {
            if case .io = $0 { true } else { false }
        } _: {
            try trained.classifier.write(toFile: "/nowhere/at/all.mlmodel")
        }
    }
}
