import CreateML
import ModelTestSupport
import VisionModels
import XCTest

final class JobTests: XCTestCase {
    private var folder: TemporaryFolder?

    private func photos(_ count: Int) throws -> MLImageClassifier.DataSource {
        try requireSceneNetwork()
        let folder = try TemporaryFolder()
        self.folder = folder
        try DrawnPhotos.folders(
            at: folder.url.appendingPathComponent("photos"), kinds: [.disc, .cross], numbers: 0..<count)
        return .labeledDirectories(at: folder.url.appendingPathComponent("photos"))
    }

    private func session() -> MLTrainingSessionParameters {
        MLTrainingSessionParameters(sessionDirectory: folder?.url.appendingPathComponent("session"))
    }

    func testAJobGivesTheClassifierThatTrainingAtOnceGives() async throws {
        let photos = try photos(10)
        let job = try MLImageClassifier.train(trainingData: photos, sessionParameters: session())
        let classifier = try await job.result.value
        XCTAssertEqual(job.progress.fractionCompleted, 1)
        XCTAssertEqual(job.phase, .evaluating)
        XCTAssertFalse(job.isCancelled)
        XCTAssertGreaterThan(job.elapsedTime, 0)
        var settings = TrainingSettings()
        settings.isQuiet = true
        settings.cacheFolder = nil
        let other = try MLImageClassifier(trainingData: photos, parameters: .init(), settings: settings)
        XCTAssertEqual(try classifier.data(metadata: nil), try other.data(metadata: nil))
        // Whoever asks later gets the same.
        let again = try await job.result.value
        XCTAssertEqual(try again.data(metadata: nil), try classifier.data(metadata: nil))
    }

    func testACancelledJobEndsWithThatAndItsWorkIsNotLost() async throws {
        let photos = try photos(60)
        let job = try MLImageClassifier.train(trainingData: photos, sessionParameters: session())
        while job.progress.fractionCompleted < 0.1 { try await Task.sleep(nanoseconds: 2_000_000) }
        job.cancel()
        do {
            _ = try await job.result.value
            XCTFail("the job was not cancelled")
        } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
        XCTAssertTrue(job.isCancelled)
        XCTAssertLessThan(job.progress.fractionCompleted, 1)
        let classifier = try await MLImageClassifier.train(trainingData: photos, sessionParameters: session()).result
            .value
        XCTAssertLessThan(classifier.report.counts.networkRuns, 120)
        XCTAssertGreaterThan(classifier.report.counts.cached, 0)
    }

    func testErrorsComeAsTheResult() async throws {
        let job = try MLImageClassifier.train(trainingData: .labeledDirectories(at: URL(fileURLWithPath: "/nowhere")))
        do {
            _ = try await job.result.value
            XCTFail("there was a result")
        } catch let error as MLCreateError {
            guard case .io = error else { return XCTFail("\(error)") }
        }
    }

    func testSubscribersGetTheValueAndThenTheEnd() throws {
        let photos = try photos(10)
        let job = try MLImageClassifier.train(trainingData: photos, sessionParameters: session())
        let (value, end) = (expectation(description: "value"), expectation(description: "end"))
        var subscriptions: Set<MLJobSubscription> = []
        job.result.sink { completion in
            if case .finished = completion { end.fulfill() }
        } receiveValue: { classifier in
            if classifier.model.modelDescription.classLabels?.count == 2 { value.fulfill() }
        }.store(in: &subscriptions)
        job.result.sink(receiveCompletion: { _ in XCTFail("was cancelled") }, receiveValue: { _ in }).cancel()
        wait(for: [value, end], timeout: 120, enforceOrder: true)
        XCTAssertEqual(subscriptions.count, 1)
    }
}
