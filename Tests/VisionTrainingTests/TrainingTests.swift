import ModelTestSupport
import VisionImage
import VisionFiles
import VisionPhotos
import XCTest

@testable import VisionTraining
import VisionThreads

/// Features of plain images: the mean of each colour. Counts the processed images.
private struct ColourSource: FeatureSource {
    let runs = Locked(0)
    var identity = "colours"
    let featureCount = 3
    let side = 16
    let isOfOneScale = false

    func features(of image: ImageSource, threads: Int?) throws -> [Float] {
        let size = try image.uprightSize()
        let image = try image.derivative(
            Derivative(
                region: PixelRegion(width: size.width, height: size.height), width: side, height: side,
                format: .planarRGBFloat))
        runs.withLock { $0 += 1 }
        return image.withUnsafePixels { pixels in
            (0..<3).map { plane in
                var sum: Float = 0
                for row in 0..<side {
                    for column in 0..<side {
                        sum += pixels.load(
                            fromByteOffset: plane * image.planeBytes + row * image.rowBytes + column * 4,
                            as: Float.self)
                    }
                }
                return sum / Float(side * side)
            }
        }
    }
}

final class TrainingTests: XCTestCase {
    private let folder = try? TemporaryFolder()

    private func temporaryURL(_ name: String) throws -> URL { try XCTUnwrap(folder).url.appendingPathComponent(name) }

    /// Writes a small image of nearly one colour.
    @discardableResult
    private func photo(_ label: String, _ number: Int, shade: UInt8, channel: Int) throws -> LabelledPhoto {
        let url = try temporaryURL("photos/\(label)/\(number).png")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let raster = try Raster(width: 20, height: 12, format: .rgb8) { pixels, rowBytes in
            for row in 0..<12 {
                for column in 0..<20 {
                    for plane in 0..<3 {
                        let value = plane == channel ? shade : UInt8((number * 7 + row * 2 + column) % 60)
                        pixels.storeBytes(of: value, toByteOffset: row * rowBytes + column * 3 + plane, as: UInt8.self)
                    }
                }
            }
        }
        let target = try XCTUnwrap(CGImageDestinationCreateWithURL(url, "public.png", 1, nil))
        CGImageDestinationAddImage(target, CGImage(raster: raster), nil)
        XCTAssertTrue(CGImageDestinationFinalize(target))
        return LabelledPhoto(url: url, label: label)
    }

    private func photos(_ labels: [String] = ["red", "green", "blue"], each: Int = 12) throws -> [LabelledPhoto] {
        try labels.enumerated().flatMap { channel, label in
            try (0..<each).map { try photo(label, $0, shade: UInt8(130 + $0 * 5 % 100), channel: channel % 3) }
        }
    }

    private func training(_ source: ColourSource, cache: Bool = false, threads: Int = 2) throws -> ClassifierTraining {
        let cache = FeatureCache(
            folder: cache ? try temporaryURL("cache") : nil, identity: source.identity,
            featureCount: source.featureCount)
        return ClassifierTraining(extraction: FeatureExtraction(source: source, cache: cache, threads: threads))
    }

    private func wait() { usleep(80_000) }

    // MARK: - Training

    func testClassesAreSortedAndEveryPhotoHasItsUse() throws {
        var training = try training(ColourSource())
        training.validation = .split(ratio: 0.25, seed: 3, isFinal: true)
        let result = try training.run(try photos())
        XCTAssertEqual(result.labels, ["blue", "green", "red"])
        XCTAssertEqual(result.samples.count, 36)
        for label in result.labels {
            XCTAssertEqual(result.samples.count { $0.isValidation && $0.photo.label == label }, 3, label)
        }
        XCTAssertEqual(result.layer, result.validatedLayer)
    }

    func testTheSameSeedKeepsTheSamePhotosApart() throws {
        let photos = try photos()
        func apart(_ seed: UInt64) throws -> [URL] {
            var training = try training(ColourSource())
            training.validation = .split(ratio: 0.25, seed: seed, isFinal: true)
            return try training.run(photos).samples.filter(\.isValidation).map(\.photo.url)
        }
        XCTAssertEqual(try apart(1), try apart(1))
        XCTAssertNotEqual(try apart(1), try apart(2))
    }

    func testAnAutomaticSplitEndsInTrainingOnAllPhotos() throws {
        let result = try training(ColourSource()).run(try photos(each: 30))
        XCTAssertEqual(result.samples.count(where: \.isValidation), 9)
        XCTAssertNotEqual(result.layer, result.validatedLayer)
        let few = try training(ColourSource()).run(try photos(each: 5))
        XCTAssertEqual(few.samples.count(where: \.isValidation), 0)
    }

    func testResultsHaveTheSameBitsForAnyNumberOfThreads() throws {
        let photos = try photos(each: 25)
        let single = try training(ColourSource(), threads: 1).run(photos)
        for threads in [2, 5] {
            let result = try training(ColourSource(), threads: threads).run(photos)
            XCTAssertEqual(result.layer, single.layer)
            XCTAssertEqual(result.samples.map(\.features), single.samples.map(\.features))
        }
    }

    func testPhotosThatCannotBeReadAreListedAndTheRestIsUsed() throws {
        var photos = try photos()
        let whole = try Data(contentsOf: photos[3].url)
        try whole.prefix(whole.count / 2).write(to: photos[3].url)
        try Data("no photo".utf8).write(to: photos[17].url)
        try Data().write(to: photos[20].url)
        photos.append(LabelledPhoto(url: try temporaryURL("gone.jpg"), label: "red"))
        let result = try training(ColourSource()).run(photos)
        XCTAssertEqual(
            result.skipped.map(\.path), [3, 17, 20, 36].map { photos[$0].url.path })
        XCTAssertTrue(result.skipped.allSatisfy { !$0.reason.isEmpty })
        XCTAssertEqual(result.samples.count, 33)
    }

    func testNothingUsableAndOneClassAreErrors() throws {
        let training = try training(ColourSource())
        XCTAssertThrowsError(try training.run([])) {
            XCTAssertEqual($0 as? ClassifierTraining.Failure, .nothingUsable([]))
        }
        let gone = LabelledPhoto(url: try temporaryURL("gone.jpg"), label: "a")
        XCTAssertThrowsError(try training.run([gone])) { error in
            guard case ClassifierTraining.Failure.nothingUsable(let files) = error else { return XCTFail("\(error)") }
            XCTAssertEqual(files.map(\.path), [gone.url.path])
        }
        XCTAssertThrowsError(try training.run(try photos(["red"]))) { error in
            XCTAssertEqual(error as? ClassifierTraining.Failure, .oneClass("red", []))
        }
    }

    func testTrainingEndsWhenItsCallerThrows() throws {
        struct Stop: Error {}
        let photos = try photos()
        let seen = Locked(0)
        XCTAssertThrowsError(
            try training(ColourSource()).run(photos) { event in
                guard case .photos(let done, _) = event else { return }
                seen.withLock { $0 = done }
                if done == 5 { throw Stop() }
            }
        ) { XCTAssertTrue($0 is Stop) }
        XCTAssertLessThan(seen.withLock { $0 }, photos.count)
    }

    // MARK: - The cache

    func testOnlyNewPhotosAreReadAgain() throws {
        let source = ColourSource()
        var photos = try photos()
        wait()
        let first = try training(source, cache: true).run(photos)
        XCTAssertEqual(first.counts.read, 36)
        XCTAssertEqual(first.counts.networkRuns, 36)
        photos += try (100..<112).map { try photo("violet", $0, shade: 240, channel: 1) }
        let second = try training(source, cache: true).run(photos)
        XCTAssertEqual(second.counts.read, 12)
        XCTAssertEqual(second.counts.networkRuns, 12)
        XCTAssertEqual(second.counts.cached, 36)
        XCTAssertEqual(source.runs.withLock { $0 }, 48)
        let plain = try training(ColourSource()).run(photos)
        XCTAssertEqual(second.layer, plain.layer)
    }

    func testAPhotoUnderAnotherNameIsReadButNotSeenAgain() throws {
        let source = ColourSource()
        let photos = try photos()
        _ = try training(source, cache: true).run(photos)
        let copies = try photos.map { photo in
            let url = photo.url.deletingPathExtension().appendingPathExtension("copy.png")
            try FileManager.default.copyItem(at: photo.url, to: url)
            return LabelledPhoto(url: url, label: photo.label)
        }
        let again = try training(source, cache: true).run(copies)
        XCTAssertEqual(again.counts.read, 36)
        XCTAssertEqual(again.counts.networkRuns, 0)
    }

    func testAChangedPhotoIsSeenAgain() throws {
        let source = ColourSource()
        let photos = try photos()
        wait()
        _ = try training(source, cache: true).run(photos)
        try photo("red", 0, shade: 250, channel: 0)
        let again = try training(source, cache: true).run(photos)
        XCTAssertEqual(again.counts.networkRuns, 1)
    }

    func testADamagedCacheIsNotBelieved() throws {
        let source = ColourSource()
        let photos = try photos()
        wait()
        let first = try training(source, cache: true).run(photos)
        for name in try FileManager.default.contentsOfDirectory(atPath: temporaryURL("cache").path) {
            let url = try temporaryURL("cache").appendingPathComponent(name)
            var bytes = try Data(contentsOf: url)
            for index in stride(from: 30, to: bytes.count, by: 97) { bytes[index] ^= 0x55 }
            try bytes.dropLast(5).write(to: url)
        }
        let again = try training(source, cache: true).run(photos)
        XCTAssertEqual(again.layer, first.layer)
        XCTAssertGreaterThan(again.counts.networkRuns, 0)
        // What was written after it counts again.
        wait()
        let third = try training(source, cache: true).run(photos)
        XCTAssertEqual(third.counts.networkRuns, 0)
        XCTAssertEqual(third.layer, first.layer)
    }

    func testFilesOfAnEarlierCacheAreRemovedAndReported() throws {
        let folder = try temporaryURL("cache")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = ["photos-1.rows", "features-1-00112233445566778899aabbccddeeff.rows", "notes.txt"]
        for name in names { try Data([1, 2, 3]).write(to: folder.appendingPathComponent(name)) }
        let cache = FeatureCache(folder: folder, identity: "a", featureCount: 2)
        XCTAssertTrue(cache.notice?.contains(folder.path) ?? false, "\(cache.notice ?? "nil")")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        XCTAssertEqual(Set(left), ["notes.txt", FeatureCache.fileName])
        XCTAssertNil(FeatureCache(folder: folder, identity: "a", featureCount: 2).notice)
    }

    func testTwoCachesOfOneFolderSeeEachOthersFeatures() throws {
        let folder = try temporaryURL("cache"), content = try ContentDigest(of: Data([7]))
        let first = FeatureCache(folder: folder, identity: "a", featureCount: 2)
        let second = FeatureCache(folder: folder, identity: "a", featureCount: 2)
        first.store([1, 2], of: content)
        first.store([3, 4], of: content, variant: "1")
        XCTAssertEqual(first.features(of: content), [1, 2], "before it is written")
        first.flush()
        XCTAssertEqual(second.features(of: content), [1, 2])
        XCTAssertEqual(second.features(of: content, variant: "1"), [3, 4])
        XCTAssertNil(FeatureCache(folder: folder, identity: "b", featureCount: 2).features(of: content))
        second.store([5, .nan], of: content, variant: "2")
        second.store([5], of: content, variant: "3")
        second.flush()
        XCTAssertNil(first.features(of: content, variant: "2"), "not a number")
        XCTAssertNil(first.features(of: content, variant: "3"), "another count")
    }

    func testFeaturesOfAnotherSourceAreOthers() throws {
        let photos = try photos()
        _ = try training(ColourSource(), cache: true).run(photos)
        let other = ColourSource(identity: "other colours")
        XCTAssertEqual(try training(other, cache: true).run(photos).counts.networkRuns, 36)
    }

    // MARK: - Advice

    func testFewPhotosAndImbalanceAreSaid() throws {
        var photos = try photos(["red"], each: 4)
        photos += try self.photos(["green", "blue"], each: 45).filter { $0.label == "blue" }
        let advice = try training(ColourSource()).run(photos).advice
        XCTAssertTrue(advice.contains(.fewPhotos(label: "red", count: 4)))
        XCTAssertTrue(advice.contains(.imbalance(most: "blue", mostCount: 45, least: "red", leastCount: 4)))
        XCTAssertTrue(advice.allSatisfy { !$0.description.isEmpty })
    }

    func testGoodPhotosGetNoSuchAdvice() throws {
        let advice = try training(ColourSource()).run(try photos()).advice
        for one in advice {
            switch one {
            case .fewPhotos, .imbalance, .emptyClass: XCTFail("\(one)")
            case .duplicates, .moreDuplicates, .notCompared: break
            }
        }
    }

    func testTheSamePhotoInTwoClassesIsSaid() throws {
        var photos = try photos()
        let copy = try temporaryURL("photos/green/copy.png")
        try FileManager.default.copyItem(at: photos[2].url, to: copy)
        photos.append(LabelledPhoto(url: copy, label: "green"))
        let advice = try training(ColourSource()).run(photos).advice
        XCTAssertTrue(advice.contains(.duplicates(first: photos[2], second: photos[36], isExact: true)), "\(advice)")
    }

    /// Halves of two greys, one above or beside the other: the same mean colours, and so the same features.
    func testDrawingsWithTheSameFeaturesAreNotTheSamePhoto() throws {
        func drawing(_ label: String, _ name: String, isAbove: Bool, width: Int = 64) throws -> LabelledPhoto {
            let raster = try Raster(width: width, height: width, format: .grey8) { pixels, rowBytes in
                for row in 0..<width {
                    for column in 0..<width {
                        let isDark = (isAbove ? row : column) < width / 2
                        pixels.storeBytes(
                            of: isDark ? 60 : 200, toByteOffset: row * rowBytes + column, as: UInt8.self)
                    }
                }
            }
            let url = try temporaryURL("photos/\(label)/\(name).jpg")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try raster.encodedJPEG().write(to: url)
            return LabelledPhoto(url: url, label: label)
        }
        let photos = [
            try drawing("red", "above", isAbove: true), try drawing("green", "beside", isAbove: false),
            try drawing("blue", "small", isAbove: true, width: 32),
        ]
        let rows = try photos.map { photo in
            (
                photo: photo, features: [1, 2, 3] as [Float],
                content: try ContentDigest(of: [UInt8](Data(contentsOf: photo.url)))
            )
        }
        XCTAssertEqual(
            NearDuplicates.pairs(rows, threads: 1), [NearDuplicates.Pair(first: 0, second: 2, isExact: false)])
    }

    // MARK: - Augmentation

    func testOptionsMultiplyInOrderUpToAHundred() {
        let counts: [([Augmentation.Option], Int)] = [
            ([], 1), ([.crop], 2), ([.rotation], 5), ([.flip], 4), ([.rotation, .flip], 20),
            ([.crop, .rotation, .blur, .exposure], 40), ([.crop, .rotation, .blur, .exposure, .noise], 80),
            ([.rotation, .blur, .exposure, .flip], 80), (Augmentation.Option.allCases, 80),
        ]
        for (options, count) in counts {
            let augmentation = Augmentation(Set(options))
            XCTAssertEqual(augmentation.count, count, "\(options)")
            XCTAssertEqual(augmentation.recipes(seed: 1).count, count, "\(options)")
            XCTAssertEqual(augmentation.recipes(seed: 1).first, Augmentation.Recipe.none)
            XCTAssertEqual(Set(augmentation.recipes(seed: 1)).count, count, "no copy is another's")
        }
        // Beyond the hundred the option changes each copy once.
        let all = Augmentation(Set(Augmentation.Option.allCases)).recipes(seed: 4)
        XCTAssertEqual(all.count { $0.flip != nil }, 79)
        XCTAssertEqual(Augmentation([.rotation]).recipes(seed: 2), Augmentation([.rotation]).recipes(seed: 2))
        XCTAssertNotEqual(Augmentation([.rotation]).recipes(seed: 2), Augmentation([.rotation]).recipes(seed: 3))
    }

    /// Dark with one bright corner, at the top left.
    private func corner() throws -> Raster {
        try Raster(width: 40, height: 40, format: .rgb8) { pixels, rowBytes in
            for row in 0..<40 {
                for column in 0..<120 {
                    let value: UInt8 = row < 10 && column < 30 ? 200 : 50
                    pixels.storeBytes(of: value, toByteOffset: row * rowBytes + column, as: UInt8.self)
                }
            }
        }
    }

    private func value(_ raster: Raster, _ column: Int, _ row: Int) -> Int {
        raster.withUnsafePixels { Int($0.load(fromByteOffset: row * raster.rowBytes + column * 3, as: UInt8.self)) }
    }

    func testFlipsMoveTheCorner() throws {
        for (flip, position) in [
            (Augmentation.Recipe.Flip.leftRight, (30, 1)), (.upDown, (1, 30)), (.both, (30, 30)),
        ] {
            var recipe = Augmentation.Recipe.none
            recipe.flip = flip
            let image = try recipe.image(of: corner(), side: 32)
            XCTAssertEqual(value(image, position.0, position.1), 200, "\(flip)")
            XCTAssertEqual(value(image, 1, 1), flip == .both ? 50 : 50)
        }
    }

    func testRotationsTurnAboutTheMiddle() throws {
        var recipe = Augmentation.Recipe.none
        recipe.angle = .pi / 2
        let image = try recipe.image(of: corner(), side: 40)
        XCTAssertEqual(value(image, 20, 20), 50)
        // A rotation by 90° maps corners to corners.
        let corners = [(1, 1), (38, 1), (1, 38), (38, 38)].map { value(image, $0.0, $0.1) }
        XCTAssertEqual(corners.sorted(), [50, 50, 50, 200])
        XCTAssertEqual(corners[0], 50)
    }

    func testCropsShowTheirPart() throws {
        var recipe = Augmentation.Recipe.none
        recipe.crop = Augmentation.Recipe.Part(x: 0.3, y: 0.3, width: 0.7, height: 0.7)
        let image = try recipe.image(of: corner(), side: 24)
        XCTAssertTrue((0..<24).allSatisfy { value(image, $0, $0) == 50 })
        recipe.crop = Augmentation.Recipe.Part(x: 0, y: 0, width: 0.2, height: 0.2)
        let bright = try recipe.image(of: corner(), side: 24)
        XCTAssertTrue((0..<20).allSatisfy { value(bright, $0, $0) == 200 })
    }

    func testExposureBlurAndNoiseDoWhatTheySay() throws {
        var brighter = Augmentation.Recipe.none
        brighter.stops = 1
        XCTAssertEqual(value(try brighter.image(of: corner(), side: 40), 30, 30), 69)
        var darker = Augmentation.Recipe.none
        darker.stops = -1
        XCTAssertEqual(value(try darker.image(of: corner(), side: 40), 1, 1), 146)
        var blurred = Augmentation.Recipe.none
        blurred.blur = 3
        let soft = try blurred.image(of: corner(), side: 40)
        XCTAssertTrue((60...190).contains(value(soft, 9, 5)), "\(value(soft, 9, 5)): the edge is soft")
        XCTAssertEqual(value(soft, 30, 30), 50)
        var noisy = Augmentation.Recipe.none
        noisy.noise = Augmentation.Recipe.Noise(strength: 10, seed: 5)
        let image = try noisy.image(of: corner(), side: 40)
        let differences = (12..<40).flatMap { row in (0..<40).map { Double(value(image, $0, row) - 50) } }
        let mean = differences.reduce(0, +) / Double(differences.count)
        let deviation = (differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(differences.count))
            .squareRoot()
        XCTAssertEqual(mean, 0, accuracy: 1.5)
        XCTAssertEqual(deviation, 10, accuracy: 1)
    }

    func testCopiesAreTrainedWithAndCached() throws {
        let source = ColourSource()
        let photos = try photos()
        wait()
        var training = try training(source, cache: true)
        var extraction = training.extraction
        extraction.augmentation = Augmentation([.exposure, .flip])
        training = ClassifierTraining(extraction: extraction)
        training.validation = .none
        let first = try training.run(photos)
        XCTAssertEqual(first.counts.networkRuns, 36 * 8)
        let again = try training.run(photos)
        XCTAssertEqual(again.counts.networkRuns, 0)
        XCTAssertEqual(again.counts.read, 0)
        XCTAssertEqual(again.layer, first.layer)
        var plain = try self.training(source)
        plain.validation = .none
        XCTAssertNotEqual(try plain.run(photos).layer, first.layer)
    }
}
