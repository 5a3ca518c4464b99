import CoreML
import CreateML
import Foundation
import Vision

/// What happens when the shop gets a new part: its photos go into a folder beside the others, and the classifier is trained
/// anew. Photos that were there before are not read again.
struct Retraining {
    /// A folder of folders of photos: the names of the inner ones are the parts.
    let photos: URL
    /// Where the model goes.
    let model: URL

    func run() throws -> VNCoreMLModel {
        let classifier = try MLImageClassifier(trainingData: .labeledDirectories(at: photos))
        try classifier.write(
            to: model, metadata: MLModelMetadata(author: "The shop", shortDescription: "Tells parts of robots apart"))
        return try VNCoreMLModel(for: MLModel(contentsOf: model))
    }
}
