import ArgumentParser

@main
struct OpenVisionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openvision",
        abstract:
            "Track objects through videos, find faces and rectangles, classify, rank and register images, and run networks.",
        discussion: """
            Everything runs on the CPU of this machine; nothing leaves it. Only 'models install' uses the network.

            Exit codes: 0 success; 1 something failed while running (the message says what); 64 the command line is \
            wrong; 130 stopped by Ctrl-C, what was written until then is complete.
            """,
        version: "0.1.0",
        subcommands: [
            TrackCommand.self, TrackRectangleCommand.self, RegisterCommand.self, AlignCommand.self,
            StabilityCommand.self, ClassifyCommand.self, SimilarCommand.self, IndexCommand.self, SearchCommand.self,
            FacesCommand.self, BarcodesCommand.self, RectanglesCommand.self, TextCommand.self, HorizonCommand.self,
            TrainCommand.self, EvaluateCommand.self, ModelsCommand.self, ModelInfoCommand.self, RunModelCommand.self,
            ProfileCommand.self, QuantizeCommand.self,
        ])
}
