import Foundation

/// swift run -c release SimilarityGame original.jpg anna.jpg ben.jpg cleo.jpg
@main
struct SimilarityGame {
    static func main() {
        let photos = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
        guard let original = photos.first, photos.count > 1 else {
            print("usage: SimilarityGame ORIGINAL CONTESTANT…")
            exit(64)
        }
        let ranking = Game(original: original, contestants: Array(photos.dropFirst())).ranking()
        guard let winner = ranking.first else {
            print("Nobody takes part.")
            exit(1)
        }
        for (index, entry) in ranking.enumerated() {
            print("\(index + 1). \(entry.contestant.lastPathComponent), distance \(entry.distance)")
        }
        print("The winner is \(winner.contestant.deletingPathExtension().lastPathComponent).")
    }
}
