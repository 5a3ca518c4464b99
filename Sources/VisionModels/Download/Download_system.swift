import CVisionDownload
import Foundation

/// A download that did not work.
struct DownloadError: Error, Equatable {
    enum Kind {
        /// The system has no libcurl.
        case noLibrary
        /// Another try may succeed.
        case transient
        case permanent
        case tooLarge
        case cancelled
    }

    let kind: Kind
    /// A phrase without the URL.
    let reason: String
}

/// A transfer of what a URL names, with the system's libcurl, which uses the proxies that the environment names.
struct Download {
    let url: URL
    /// Whether http is allowed beside https.
    let allowsHTTP: Bool
    /// The largest number of bytes; the transfer stops at the first one above it.
    let limit: Int

    /// Runs the transfer.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked about once a second, and whenever bytes arrive.
    ///   - receive: Takes the next bytes, in order.
    /// - Returns: The URL after redirects.
    /// - Throws: `DownloadError`, or what `receive` throws.
    func run(isCancelled: () -> Bool, receive: (UnsafeRawBufferPointer) throws -> Void) throws -> URL {
        try withoutActuallyEscaping(isCancelled) { isCancelled in
            try withoutActuallyEscaping(receive) { receive in
                try run(Receiver(limit: limit, isCancelled: isCancelled, receive: receive))
            }
        }
    }

    private func run(_ receiver: Receiver) throws -> URL {
        var message = [CChar](repeating: 0, count: Int(CVD_MESSAGE_SIZE))
        var finalURL = [CChar](repeating: 0, count: 8192)
        let callbacks = cvd_receiver(
            context: Unmanaged.passUnretained(receiver).toOpaque(),
            receive: { context, bytes, count in
                Receiver.of(context).take(UnsafeRawBufferPointer(start: bytes, count: count))
            },
            proceed: { context in !Receiver.of(context).isCancelled() })
        let status = withExtendedLifetime(receiver) {
            cvd_download(url.absoluteString, allowsHTTP, callbacks, &finalURL, finalURL.count, &message)
        }
        if let error = receiver.error { throw error }
        let reason = Self.text(message)
        switch status {
        case CVD_OK: return URL(string: Self.text(finalURL)) ?? url
        case CVD_NO_LIBRARY: throw DownloadError(kind: .noLibrary, reason: reason)
        case CVD_STOPPED: throw DownloadError(kind: .cancelled, reason: reason)
        case CVD_FAILED_FOR_NOW: throw DownloadError(kind: .transient, reason: reason)
        default: throw DownloadError(kind: .permanent, reason: reason)
        }
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// What the callbacks of a transfer work on.
private final class Receiver {
    let isCancelled: () -> Bool
    private let receive: (UnsafeRawBufferPointer) throws -> Void
    private var remaining: Int
    private(set) var error: (any Error)?

    init(limit: Int, isCancelled: @escaping () -> Bool, receive: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        remaining = limit
        self.isCancelled = isCancelled
        self.receive = receive
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Receiver {
        guard let context else { preconditionFailure("libcurl lost the context of a transfer") }
        return Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
    }

    /// - Returns: Whether the transfer goes on.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= remaining else {
            error = DownloadError(kind: .tooLarge, reason: "the server sends more than was expected")
            return false
        }
        remaining -= bytes.count
        do {
            try receive(bytes)
        } catch {
            self.error = error
            return false
        }
        return true
    }
}
