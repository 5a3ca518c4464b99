import CVisionSpelling
import Foundation
import VisionThreads

/// A dictionary for spelling.
package final class Lexicon: @unchecked Sendable {
    // Unchecked: one thread at a time calls the library, which the lock sees to.
    private let lock = NSLock()
    private let dictionary: OpaquePointer

    /// Opens the files of a dictionary; nil where the system has no Hunspell, or the files cannot be used.
    package init?(affixes: String, words: String) {
        guard let dictionary = cvs_open(affixes, words) else { return nil }
        self.dictionary = dictionary
    }

    deinit { cvs_close(dictionary) }

    /// Whether it has a word in the case in which it is written: names do not begin with small letters.
    package func contains(_ word: String) -> Bool {
        // Dictionaries have the apostrophe of typewriters.
        let plain = word.contains("’") ? word.replacingOccurrences(of: "’", with: "'") : word
        lock.lock()
        defer { lock.unlock() }
        return cvs_contains(dictionary, plain)
    }
}

/// The dictionaries of Hunspell that are installed, such as those of Debian's packages `hunspell-en-us` and
/// `hunspell-de-de`.
package final class Lexicons: Sendable {
    /// Those in the folders that Hunspell's variable `DICPATH` names, and in the system's, when they are first needed.
    package static let system: Lexicons = {
        let named = getenv("DICPATH").map { String(cString: $0) } ?? ""
        let folders = named.split(separator: ":").map(String.init)
        return Lexicons(folders: folders + ["/usr/share/hunspell", "/usr/share/myspell/dicts"])
    }()

    /// The share of the words that the dictionary of a text's language knows at least, and so many words that no
    /// further dictionary is asked.
    private static let (leastShare, sureShare) = (0.5, 0.8)
    /// Fewer known words do not show a language.
    private static let leastWords = 3

    /// The files by their names, such as `de_DE`, without their extensions.
    private let paths: [String: String]
    // A dictionary takes some 20 ms and as many megabytes, so each stays open; nil for files that cannot be used.
    private let open = Locked<[String: Lexicon?]>([:])

    /// - Parameter folders: Where the files `LANGUAGE.aff` and `LANGUAGE.dic` are; of several of one name the first
    ///   counts.
    package init(folders: [String]) {
        var paths: [String: String] = [:]
        for folder in folders {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for file in files where file.hasSuffix(".dic") {
                let name = String(file.dropLast(4))
                if paths[name] == nil { paths[name] = folder + "/" + name }
            }
        }
        self.paths = paths
    }

    /// Returns the dictionary of a language, that of another region where its own is missing; nil if there is none.
    ///
    /// - Parameter language: Such as `de-DE`.
    package func lexicon(for language: String) -> Lexicon? {
        guard let code = language.split(separator: "-").first else { return nil }
        let own = language.replacingOccurrences(of: "-", with: "_")
        let name =
            [own, String(code)].first { paths[$0] != nil } ?? paths.keys.filter { $0.hasPrefix(code + "_") }.min()
        guard let name, let path = paths[name] else { return nil }
        return open.withLock { open in
            if let lexicon = open[name] { return lexicon }
            let lexicon = Lexicon(affixes: path + ".aff", words: path + ".dic")
            open.updateValue(lexicon, forKey: name)
            return lexicon
        }
    }

    /// Returns the dictionary that knows most of a text's words; nil where none knows the half of them.
    ///
    /// - Parameter languages: The most likely first.
    package func lexicon(ofWords words: [String], among languages: [String]) -> Lexicon? {
        var best: (count: Int, lexicon: Lexicon)?
        for language in languages {
            guard let lexicon = lexicon(for: language) else { continue }
            let count = words.count { lexicon.contains($0) }
            if count > best?.count ?? 0 { best = (count, lexicon) }
            if Double(count) >= Self.sureShare * Double(words.count) { break }
        }
        guard let best, best.count >= Self.leastWords, Double(best.count) >= Self.leastShare * Double(words.count)
        else { return nil }
        return best.lexicon
    }
}
