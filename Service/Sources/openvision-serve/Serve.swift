import ArgumentParser
import CServiceMemory
import Foundation
import Hummingbird
import Logging
import OpenVisionService
import ServiceLifecycle
import VisionExtras
import VisionPhotos

@main
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openvision-serve",
        abstract: "Analyse images over HTTP.",
        discussion: """
            Serves the analyses of 'openvision worker' at /v1/analyze and /v1/classify, /v1/faces and so on, with a \
            page for people at /, a description for programs at /openapi.json, and metrics at /metrics. \
            Documentation/Service.md says how to run it behind a proxy.

            Only programs of this computer can reach it unless --host says otherwise. It speaks plain HTTP: give it a \
            proxy with TLS before others reach it. With a token, from --token-file or the environment variable \
            OPENVISION_SERVE_TOKEN, requests need the header "Authorization: Bearer TOKEN".

            Images wait for a worker in a queue; when that is full the answer is 429. SIGTERM and SIGINT end the \
            service once the images that it has are answered.

            Examples:
              openvision serve
              openvision serve --port 9000 --warm classify,faces --models-folder models --index photos.db
              curl --data-binary @photo.jpg -H 'Content-Type: image/jpeg' 'localhost:8080/v1/classify?top=3'
            """)

    @Option(help: ArgumentHelp("The address to listen at; 0.0.0.0 for all of IPv4.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port to listen at.", valueName: "number"))
    var port = 8080

    @Option(
        help: ArgumentHelp("Offer the models of this folder, each at /v1/models/NAME.", valueName: "folder"))
    var modelsFolder: String?

    @Option(
        help: ArgumentHelp(
            "Offer /v1/search over this database of 'openvision index': a file or a postgresql:// address.",
            valueName: "file"))
    var index: String?

    @Option(help: ArgumentHelp("Read the token that requests need from this file.", valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Perform these requests once at the start, so that their networks are loaded when the first image arrives.",
            valueName: "names"))
    var warm: String?

    @Option(
        help: ArgumentHelp(
            "After SIGTERM or SIGINT, answer 503 at /readyz for this time before connections are refused, so that a "
                + "load balancer notices.", valueName: "seconds"))
    var drainTime = 0

    @OptionGroup(title: "Limits") var limits: LimitOptions

    @Option(help: ArgumentHelp("The least level of messages.", valueName: "debug|info|notice|warning|error"))
    var logLevel = LogLevel.info

    func validate() throws {
        guard (0...65535).contains(port) else {
            throw ValidationError("--port is \(port); it must be from 0 to 65535.")
        }
        guard (0...3600).contains(drainTime) else {
            throw ValidationError("--drain-time is \(drainTime); it must be from 0 to 3600.")
        }
    }

    func run() async throws {
        csm_limit_fragmentation()
        let level = logLevel.level
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        let logger = Logger(label: "openvision-serve")
        var configuration = ServiceConfiguration()
        configuration.limits = limits.limits
        configuration.token = try token()
        if let modelsFolder { configuration.models = try ModelFolder(modelsFolder).load() }
        // The service refuses what is above its own limit, before it is decoded, and says so; the library's limit would
        // make such images invalid ones.
        VisionSettings.maximumPixelCount = 1 << 48
        if let index { configuration.index = try PhotoSearch(path: index) }
        // Images are analysed in parallel, each on one thread: that wastes nothing.
        if configuration.limits.workers > 1 { VisionSettings.threadCount = 1 }
        let service = try AnalysisService(configuration)
        if let warm { try await service.prepare(requests: warm) }

        let host = host
        let application = Application(
            router: service.makeRouter(),
            server: service.makeServer(),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: .maximum(limits.maxConnections, logger: logger)),
            onServerRunning: { channel in
                logger.notice("listening", metadata: ["host": "\(host)", "port": "\(channel.localAddress?.port ?? 0)"])
            },
            logger: logger)
        // Services are told to end from the last to the first: no more images first, then no more connections.
        let services: [any Service] = [
            application, Closing(service: service, drainTime: .seconds(drainTime)),
        ]
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // Whoever sends or waits has the time that the limits give.
        group.maximumGracefulShutdownDuration = .seconds(drainTime + limits.bodyTime + limits.time + 5)
        try await ServiceGroup(configuration: group).run()
    }

    private func token() throws -> BearerToken? {
        let text: String
        if let tokenFile {
            text = try String(contentsOf: URL(fileURLWithPath: tokenFile), encoding: .utf8)
        } else if let value = ProcessInfo.processInfo.environment["OPENVISION_SERVE_TOKEN"] {
            text = value
        } else {
            return nil
        }
        guard let token = BearerToken(text) else {
            throw ValidationError("The token must have at least 16 characters, visible ASCII only.")
        }
        return token
    }
}

/// Closes the service when the process is asked to end.
private struct Closing: Service {
    let service: AnalysisService
    let drainTime: Duration

    func run() async throws {
        try await gracefulShutdown()
        service.close()
        // The application, which is told next, stops listening at once.
        if drainTime > .zero { try await Task.sleep(for: drainTime) }
    }
}

/// Levels of messages.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
    case debug, info, notice, warning, error

    var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}
