import Dispatch
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionThreads

/// Feature prints of many photos, several side by side on a thread each, as `openvision index` makes them.
enum IndexRate {
    static var benchmarks: [Benchmark] {
        [(500, 375), (1600, 1200), (4000, 3000)].flatMap { width, height in
            [1, 2].map { benchmark(width, height, threads: $0) }
        }
    }

    /// A call is a batch; what counts is the counter "photos a second".
    private static func benchmark(_ width: Int, _ height: Int, threads: Int) -> Benchmark {
        let clients = threads == 1 ? "1-thread" : "\(threads)-threads"
        return Benchmark(name: "index/jpeg-\(width)x\(height)/\(clients)") { inputs in
            let photos = try (1...8).map { seed in
                try inputs.image(width, height, seed: seed).raster(.rgb8).encodedJPEG(quality: 0.9)
            }
            let total = Locked((photos: 0, seconds: 0.0))
            let rate = { total.withLock { $0.seconds > 0 ? Double($0.photos) / $0.seconds : 0 } }
            return .init(counters: { ["photos a second": rate()] }) {
                let threadsBefore = VisionSettings.threadCount
                VisionSettings.threadCount = 1
                defer { VisionSettings.threadCount = threadsBefore }
                let (next, failure) = (Locked(0), Locked<(any Error)?>(nil))
                let start = nanoseconds()
                DispatchQueue.concurrentPerform(iterations: threads) { _ in
                    while let photo = next.withLock({ next -> Data? in
                        defer { next += 1 }
                        return next < photos.count ? photos[next] : nil
                    }) {
                        do {
                            try VNImageRequestHandler(data: photo).perform([VNGenerateImageFeaturePrintRequest()])
                        } catch {
                            failure.withLock { $0 = error }
                        }
                    }
                }
                if let error = failure.withLock({ $0 }) { throw error }
                let seconds = Double(nanoseconds() - start) * 1e-9
                total.withLock { $0 = ($0.photos + photos.count, $0.seconds + seconds) }
            }
        }
    }
}
