import ArgumentParser
import Foundation
import VisionPhotos

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
            StabilityCommand.self, TrajectoriesCommand.self, ClassifyCommand.self, SimilarCommand.self,
            IndexCommand.self, SearchCommand.self, DuplicatesCommand.self,
            FacesCommand.self, PeopleCommand.self, PoseCommand.self, HandsCommand.self, SegmentCommand.self,
            AnimalsCommand.self, BarcodesCommand.self, RectanglesCommand.self, DocumentCommand.self, TextCommand.self,
            HorizonCommand.self, SaliencyCommand.self, CropCommand.self, ContoursCommand.self, FlowCommand.self,
            TrainCommand.self, EvaluateCommand.self, ModelsCommand.self, ModelInfoCommand.self, RunModelCommand.self,
            ProfileCommand.self, QuantizeCommand.self, GenerateCommand.self, ConvertCommand.self, WorkerCommand.self,
            ServeCommand.self,
        ])

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let text = CommandSuggestion.text(for: arguments, in: self) { fail(text, .validationFailure) }
        let command: any ParsableCommand
        do { command = try parseAsRoot(arguments) } catch { exit(withError: error) }
        do {
            var command = command
            try command.run()
        } catch {
            // Help is an error for the parser.
            guard exitCode(for: error) != .success else { exit(withError: error) }
            switch error {
            case is ExitCode: exit(withError: error)
            // What is wrong with the command line, but needed the files to be seen: the usage would not help.
            case let error as ValidationError: fail(error.message, .validationFailure)
            default: fail(error.photoReason, .failure)
            }
        }
    }

    /// Prints why the command cannot do its work, and exits.
    private static func fail(_ text: String, _ code: ExitCode) -> Never {
        FileHandle.standardError.write(Data("Error: \(text)\n".utf8))
        exit(withError: code)
    }
}
