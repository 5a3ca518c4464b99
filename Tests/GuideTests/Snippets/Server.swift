import Foundation
import Vision
import VisionExtras

/// The snippet about limits, which a server sets once when it starts.
func setLimits() {
    // snippet: limits
    VisionSettings.maximumPixelCount = 50_000_000  // larger images fail before memory is allocated
    VisionSettings.maximumPixelsInFlight = 200_000_000  // of all performs; others wait in a queue
    VisionSettings.threadCount = 2  // of one perform
    // end
}

/// The snippet about uploads: what a handler of requests does with untrusted bytes.
func answer(toUpload bytes: Data) async -> String {
    // snippet: upload
    let request = VNClassifyImageRequest()
    do {
        // Waits without blocking a thread; cancelling the task cancels the request.
        try await VNImageRequestHandler(data: bytes).performAsync([request])
        let best = request.results?.first
        return "\(best?.identifier ?? "nothing") \(best?.confidence ?? 0)"
    } catch let error as NSError where error.code == VNErrorCode.invalidImage.rawValue {
        return "not an image: \(error.localizedDescription)"
    } catch {
        return "failed: \(error.localizedDescription)"
    }
    // end
}

/// The snippet about networks: what a service does when it starts, where its image came without them.
func installNetworks() async throws -> [String] {
    // snippet: networks
    let installed = try await ModelStore().install { progress in
        if case .downloading(let project, _, _, let bytes, let size) = progress {
            print("\(project): \(100 * bytes / size) %")
        }
    }
    // end
    return installed
}
