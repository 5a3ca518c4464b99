import ModelTestSupport
import VisionExtras
import XCTest

/// The public face of the model store; downloads and damage are tested in VisionModelsTests.
final class ModelStoreTests: XCTestCase {
    private let folder = Result { try TemporaryFolder() }
    private var url: URL { get throws { try folder.get().url } }

    func testAnEmptyStoreListsWhatCanBeInstalled() throws {
        let store = ModelStore(folder: try url.appendingPathComponent("store"))
        XCTAssertTrue(store.contents.contains { $0.id == "efficientnet-lite0" && $0.licence == "Apache-2.0" })
        XCTAssertTrue(store.contents.allSatisfy { $0.installation == .missing })
        XCTAssertFalse(FileManager.default.fileExists(atPath: store.folder.path), "reading makes no folder")
    }

    func testErrorsHaveCodesAndSayWhatHelps() async throws {
        let store = ModelStore(folder: try url.appendingPathComponent("store"))
        await assert(.unknownModel, "pose-detection") { try await store.install(["no-such-model"]) }
        await assert(.unavailablePackage, "mediapipe-") { [url = try url] in
            try await store.install(["iris-landmark"], from: .folder(url))
        }
        await assert(.unavailablePackage, "https://") {
            try await store.install(["iris-landmark"], from: .packageIndex(URL(fileURLWithPath: "/")))
        }
        let blocked = ModelStore(folder: URL(fileURLWithPath: "/dev/null/store"))
        await assert(.storage, "/dev/null/store") { [url = try url] in
            try await blocked.install(["iris-landmark"], from: .folder(url))
        }
    }

    func testACancelledTaskInstallsNothing() async throws {
        let store = ModelStore(folder: try url.appendingPathComponent("store"))
        let task = Task { [url = try url] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.install(["iris-landmark"], from: .folder(url))
        }
        await assert(.cancelled, "Stopped") { try await task.value }
        XCTAssertTrue(store.contents.allSatisfy { $0.installation == .missing })
    }

    func testInstalledModelsAreLeftAlone() async throws {
        let file = try requireModel {
            let model = try XCTUnwrap(ModelStore().contents.first { $0.id == "iris-landmark" })
            guard case .installed(let file) = model.installation else { throw Missing(model: model) }
            return file
        }
        XCTAssertTrue(FileManager.default.isReadableFile(atPath: file.path))
        let installed = try await ModelStore().install(["iris-landmark"], from: .folder(try url))
        XCTAssertEqual(installed, [])
    }

    private struct Missing: Error {
        let model: ModelStore.Model
    }

    private func assert(
        _ code: ModelStore.InstallationError.Code, _ text: String, line: UInt = #line,
        _ body: @escaping @Sendable () async throws -> [String]
    ) async {
        do {
            let installed = try await body()
            XCTFail("installed \(installed)", line: line)
        } catch let error as ModelStore.InstallationError {
            XCTAssertEqual(error.code, code, line: line)
            XCTAssertTrue(error.localizedDescription.contains(text), error.localizedDescription, line: line)
        } catch {
            XCTFail("\(error)", line: line)
        }
    }
}
