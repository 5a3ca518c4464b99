import CreateML
import Foundation

/// swift run -c release TrainClassifier Parts Parts.mlmodel
@main
struct TrainClassifier {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let photos = arguments.first, let model = arguments.last else {
            FileHandle.standardError.write(Data("usage: TrainClassifier PHOTOS MODEL\n".utf8))
            exit(64)
        }
        do {
            let training = Training(photos: URL(fileURLWithPath: photos), model: URL(fileURLWithPath: model))
            print(try training.run())
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
