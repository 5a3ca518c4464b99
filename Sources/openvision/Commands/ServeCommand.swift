import ArgumentParser
import Foundation
import VisionVideo

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Analyse images over HTTP, for other programs and with a page for people.",
        discussion: """
            Runs the program openvision-serve, which must lie beside this one: it is a package of its own, so that \
            nobody else needs a web server ('make service' builds it, 'make install-service' installs it). All \
            arguments are its own; 'openvision serve --help' prints them.

            Example:
              openvision serve --port 9000 --warm classify,faces
            """)

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The arguments of openvision-serve.", valueName: "arguments"))
    var arguments: [String] = []

    func run() throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let server = own.deletingLastPathComponent().appendingPathComponent("openvision-serve").path
        guard FileManager.default.isExecutableFile(atPath: server) else {
            throw VideoError(
                kind: .io, path: server,
                reason: "is not there: build it with 'make service', or install it with 'make install-service'")
        }
        // In place of this process, so that signals reach the server.
        var words = ([server] + arguments).map { strdup($0) } + [nil]
        execv(server, &words)
        throw VideoError(kind: .io, path: server, reason: "cannot be started: \(String(cString: strerror(errno)))")
    }
}
