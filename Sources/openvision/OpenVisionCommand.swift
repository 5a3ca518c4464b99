import ArgumentParser

@main
struct OpenVisionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openvision",
        abstract:
            "Track objects in videos; find faces, people, text and barcodes; classify, rank, crop and align images.",
        discussion: """
            Everything runs on the CPU of this computer. Only 'models install' uses the network.

            Exit codes: 0 success; 1 an error while running (the message explains it); 64 an invalid command line; 130 \
            interrupted by Ctrl-C: the files written so far are complete.
            """,
        version: "0.1.0",
        subcommands: [
            TrackCommand.self, TrackRectangleCommand.self, RegisterCommand.self, AlignCommand.self,
            StabilityCommand.self, ClassifyCommand.self, SimilarCommand.self, IndexCommand.self, SearchCommand.self,
            FacesCommand.self, PeopleCommand.self, PoseCommand.self, HandsCommand.self, SegmentCommand.self,
            AnimalsCommand.self, BarcodesCommand.self, RectanglesCommand.self, DocumentCommand.self, TextCommand.self,
            HorizonCommand.self, SaliencyCommand.self, CropCommand.self, ContoursCommand.self, FlowCommand.self,
            TrainCommand.self, EvaluateCommand.self, ModelsCommand.self, ModelInfoCommand.self, RunModelCommand.self,
            ProfileCommand.self, QuantizeCommand.self, GenerateCommand.self, ConvertCommand.self, WorkerCommand.self,
        ])
}
