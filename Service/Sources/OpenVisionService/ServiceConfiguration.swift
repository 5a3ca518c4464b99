public import Vision
public import VisionPhotos
import Foundation

/// What the service offers, and its limits.
public struct ServiceConfiguration: Sendable {
    /// The limits.
    public var limits = ServiceLimits()
    /// The models of `/v1/models/NAME` by name. Names have letters, digits, points, dashes and underscores.
    public var models: [String: VNCoreMLModel] = [:]
    /// The index that `/v1/search` looks into; nil for none.
    public var index: PhotoSearch?
    /// What requests must have as bearer token; nil for none. Health, the page and the OpenAPI document need no
    /// token.
    public var token: BearerToken?

    /// Creates the configuration of a service with the default limits, without models, index and token.
    public init() {}
}

/// Limits that keep the service alive under any input.
public struct ServiceLimits: Sendable {
    /// The most bytes of a body: 32 MiB. Larger ones are refused with 413.
    public var bodyBytes = 32 << 20
    /// The most bytes of all bodies that are in memory: an eighth of the memory, at most 256 MiB. Requests beyond are
    /// refused with 429.
    public var bodyBytesInFlight: Int
    /// The most pixels of an image: as many as all workers can process in a fifth of the memory, at most 64 · 2²⁰.
    /// Larger ones are refused with 422.
    public var pixels: Int
    /// The time that a body may take to arrive: 30 seconds. Slower ones are refused with 408.
    public var bodyTime = Duration.seconds(30)
    /// The time that a request may take in the queue and on a worker: 60 seconds. Slower ones are cancelled, with 503.
    public var time = Duration.seconds(60)
    /// The images that are analysed at the same time: one for each processor.
    public var workers: Int
    /// The requests that wait for a worker: 16 for each worker. Further ones are refused with 429.
    public var queue: Int

    /// The most images that can be analysed at the same time.
    public static let maximumWorkers = 64

    /// Creates the default limits for the memory of this computer.
    ///
    /// - Parameter workers: The images that are analysed at the same time, at most `maximumWorkers`; nil for one for
    ///   each processor.
    public init(workers: Int? = nil) {
        let process = ProcessInfo.processInfo
        self.init(workers: workers ?? process.activeProcessorCount, memory: Int(clamping: process.physicalMemory))
    }

    /// Creates the default limits for a number of workers and bytes of memory.
    init(workers: Int, memory: Int) {
        // OpenVision's thread pool has no more threads.
        self.workers = max(1, min(workers, Self.maximumWorkers))
        queue = 16 * self.workers
        bodyBytesInFlight = max(bodyBytes, min(256 << 20, memory / 8))
        // Decoding and the forms that networks need take up to 24 bytes a pixel: a fifth of the memory for all workers.
        pixels = max(4 << 20, min(64 << 20, memory / 128 / self.workers))
    }
}

/// An error in a configuration.
public struct ConfigurationError: Error, CustomStringConvertible, LocalizedError {
    /// What is wrong, as a sentence.
    public let description: String

    /// What is wrong, as a sentence.
    public var errorDescription: String? { description }
}

extension ServiceConfiguration {
    /// - Throws: `ConfigurationError` for a text that cannot be the name of a model in a path.
    static func check(modelName name: String) throws {
        guard !isModelName(name) else { return }
        throw ConfigurationError(
            description: "\"\(name.prefix(120))\" cannot be the name of a model: names have 1 to 100 letters, digits, "
                + "points, dashes and underscores, and begin with no point.")
    }

    /// Whether a text may be the name of a model in a path.
    static func isModelName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.first != "."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}
