// What the outputs of a network are as features of a model.

extension ModelMetadata.Feature {
    /// The pixels of an output that is an image.
    ///
    /// - Parameter shape: nil for an axis of any length; empty where it is not known.
    package func outputFormat(of shape: [Int?]) -> ModelMetadata.PixelFormat {
        let isGrey =
            colourOrder == .grey
            || colourOrder == nil && !shape.isEmpty && !shape.suffix(3).contains(3) && !shape.suffix(3).contains(4)
        return pixelFormat ?? (isGrey ? .grey : .bgra)
    }

}

extension ModelMetadata {
    /// The size of an output that is an image, where it is known.
    ///
    /// - Parameter channelsLast: nil where nothing says where its channels are.
    package static func outputSides(of shape: [Int?], channelsLast: Bool?) -> (height: Int?, width: Int?) {
        guard shape.count >= 3 else { return (nil, nil) }
        let last = channelsLast ?? (shape.last == 3 || shape.last == 4)
        let sides = Array((last ? shape.dropLast() : shape).suffix(2))
        return (sides[0], sides[1])
    }

    /// The output with the scores of a classifier, which labels and their probabilities replace; nil where the model is
    /// none.
    ///
    /// - Parameters:
    ///   - arrays: The outputs that are no images.
    ///   - recognition: Of the same outputs: scores beside boxes are those of a detector, even if it gives one box.
    package func scores(
        among arrays: [(name: String, shape: [Int?])], _ recognition: DetectorRecognition
    ) -> String? {
        guard let labels else { return nil }
        let isStated = detector != DetectorSettings()
        let isDetector = isStated ? detector.kind != DetectorSettings.Kind.none : recognition.kind() != nil
        if classifier == nil, isDetector { return nil }
        if let name = classifier?.scores { return name }
        let candidates = arrays.filter { _, shape in
            // The axes of a batch and of an image of one pixel have length 1.
            !shape.isEmpty && shape.compactMap { $0 }.filter { $0 != 1 } == (labels.count == 1 ? [] : [labels.count])
        }
        return candidates.count == 1 ? candidates.first?.name : nil
    }
}
