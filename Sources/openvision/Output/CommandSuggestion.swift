import ArgumentParser

/// What is said about a command that does not exist.
enum CommandSuggestion {
    /// Returns an error message when the arguments name a command that does not exist.
    ///
    /// - Parameter arguments: The command line without the name of the program.
    static func text(for arguments: [String], in root: any ParsableCommand.Type) -> String? {
        var (command, path) = (root, [name(of: root)])
        for argument in arguments {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let next = known.first(where: { name(of: $0) == argument }) else {
                let nearest = Self.nearest(to: argument, among: known.map(name))
                let guess = nearest.map { " Did you mean '\($0)'?" } ?? ""
                return "'\((path + [argument]).joined(separator: " "))' is not a command.\(guess)\n"
                    + "  See '\(path.joined(separator: " ")) --help' for all commands."
            }
            command = next
            path.append(argument)
        }
        return nil
    }

    /// Returns the name that a word is most probably meant to be; nil when it is far from all.
    static func nearest(to word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        let distances = names.map { (name: $0, distance: distance(Array(word), Array($0.lowercased()))) }
        guard let best = distances.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
        return best.distance <= max(1, word.count / 3) || (word.count >= 3 && best.name.hasPrefix(word))
            ? best.name : names.sorted().first { word.count >= 3 && $0.hasPrefix(word) }
    }

    /// Returns how many letters must be added, left out, replaced or swapped with their neighbour.
    private static func distance(_ from: [Character], _ to: [Character]) -> Int {
        var (before, last) = ([Int](), Array(0...to.count))
        for (row, letter) in from.enumerated() {
            var line = [row + 1]
            for (column, other) in to.enumerated() {
                var least = min(last[column + 1] + 1, line[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == to[column - 1], from[row - 1] == other {
                    least = min(least, before[column - 1] + 1)
                }
                line.append(least)
            }
            (before, last) = (last, line)
        }
        return last[to.count]
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? "\(command)".lowercased()
    }
}
