import CreateML
import Foundation

/// The script of Apple's talk: one line trains, one line writes.
struct Training {
    /// A folder of folders of photos: the names of the inner folders are the labels.
    let photos: URL
    /// Where the model is written.
    let model: URL

    func run() throws -> MLImageClassifier {
        let classifier = try MLImageClassifier(trainingData: .labeledDirectories(at: photos))
        try classifier.write(
            to: model, metadata: MLModelMetadata(author: "The shop", shortDescription: "Tells parts of robots apart"))
        return classifier
    }
}
