import ArgumentParser

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Install, list and verify the neural networks that recognition uses.",
        discussion: """
            Models are stored in $OPENVISION_MODELS or, when it is not set, in ~/.cache/openvision/models. Models in \
            /usr/local/share/openvision/models and /usr/share/openvision/models are found too. Only 'models install' \
            uses the network.
            """,
        subcommands: [
            InstallModelsCommand.self, ListModelsCommand.self, VerifyModelsCommand.self, WhereModelsCommand.self,
        ])
}

/// The models that a command processes.
struct ModelNames: ParsableArguments {
    @Argument(help: ArgumentHelp("Names of models. (default: all models)", valueName: "names"))
    var names: [String] = []
}
