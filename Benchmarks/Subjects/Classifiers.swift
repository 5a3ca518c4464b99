import CreateML
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionModels
import VisionTraining

/// Custom classifiers: training the last layer, and predictions compared with the network alone.
enum Classifiers {
    static var benchmarks: [Benchmark] {
        [solver(photos: 400, classes: 10), solver(photos: 1000, classes: 100), prediction]
    }

    /// Everything but the photos: eight penalties, and the last one on all samples.
    private static func solver(photos: Int, classes: Int) -> Benchmark {
        Benchmark(name: "classifier/solver/\(photos)x\(classes)") { _ in
            let count = Backbone.featureCount
            var random = SplitMix64(seed: 4)
            func number() -> Float { Float(random.next() >> 40) * 0x1p-24 }
            // About as far apart as photos are: a tenth of the features depends on the class.
            let centres = (0..<classes).map { _ in (0..<count).map { _ in number() < 0.1 ? number() : 0 } }
            var (samples, check) = (TrainingSamples(featureCount: count), TrainingSamples(featureCount: count))
            for index in 0..<photos {
                let features = centres[index % classes].map { max(0, $0 + number() - 0.6) }
                if index / classes % 10 == 9 {
                    check.append(features, label: index % classes)
                } else {
                    samples.append(features, label: index % classes)
                }
            }
            var training = LastLayerTraining()
            training.keepsSpread = true
            training.threads = VisionSettings.threadCount
            return .init { keep(try training.run(samples, validation: check, classes: classes).iterations) }
        }
    }

    /// Alternating: a photo through a custom classifier, and the scene network alone on the same photo.
    private static var prediction: Benchmark {
        Benchmark(name: "classifier/prediction-in-turns") { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(1920, 1080))
            let labels = (0..<20).map { "class \($0)" }
            let json = try JSONSerialization.data(
                withJSONObject: ["labels": labels, "classifier": ["scores": ClassifierFile.scoresName]])
            let file = try ClassifierFile.data(
                extractor: .scene(revision: 1), featureCount: Backbone.featureCount,
                weights: (0..<20 * Backbone.featureCount).map { UInt16($0 % 0x3000) },
                offsets: labels.map { _ in 0 }, metadata: String(decoding: json, as: UTF8.self), documentation: "")
            let request = VNCoreMLRequest(model: try VNCoreMLModel(for: MLModel(classifier: file)))
            let network = try Backbone.shared(.efficientNetLite0)
            var times: [[Double]] = [[], []]
            func median(_ which: Int) -> Double { percentile(0.5, ofSorted: times[which].sorted()) }
            return .init(counters: { ["request / network": median(0) / median(1)] }) {
                var start = nanoseconds()
                try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
                times[0].append(Double(nanoseconds() - start))
                start = nanoseconds()
                let source = ImageSource(pixelBuffer: buffer)
                let image = try source.derivative(
                    network.input(region: PixelRegion(width: 1920, height: 1080), fit: .fill))
                keep(try network.features(of: image, threads: VisionSettings.threadCount).pooled.count)
                times[1].append(Double(nanoseconds() - start))
            }
        }
    }
}
