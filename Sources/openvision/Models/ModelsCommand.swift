import ArgumentParser

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Install and look after the networks that recognition runs on.",
        discussion: """
            Models are kept in $OPENVISION_MODELS, else in the user's cache folder (~/.cache/openvision/models); those \
            in /usr/local/share/openvision/models and /usr/share/openvision/models are found too. Nothing but 'models \
            install' uses the network.
            """,
        subcommands: [
            InstallModelsCommand.self, ListModelsCommand.self, VerifyModelsCommand.self, WhereModelsCommand.self,
        ])
}

/// The models that a command is about.
struct ModelNames: ParsableArguments {
    @Argument(help: ArgumentHelp("Names of models. Without any: all of them.", valueName: "names"))
    var names: [String] = []
}
