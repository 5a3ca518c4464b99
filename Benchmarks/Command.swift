import ArgumentParser

@main
struct Command: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks",
        abstract: "Times the hot paths of OpenVision and measures its accuracy on labelled data.",
        subcommands: [
            TimeCommand.self, AccuracyCommand.self, ServeCommand.self, NetworksCommand.self, TrackingMemoryCommand.self,
        ],
        defaultSubcommand: TimeCommand.self)
}
