// A model with several inputs and outputs, as written for Apple's framework: the handler's image goes to the named
// input, the other image and a number come from a feature provider, and the outputs are distinguished by their names.

import Vision

func mixImages(
    content: CVPixelBuffer, styleAt styleURL: URL, mixRatio: Double, with mlModel: MLModel
) throws -> [String: CVPixelBuffer] {
    let model = try VNCoreMLModel(for: mlModel)
    model.inputImageFeatureName = "contentImage"

    guard let constraint = mlModel.modelDescription.inputDescriptionsByName["styleImage"]?.imageConstraint else {
        return [:]
    }
    let style = try MLFeatureValue(
        imageAt: styleURL, constraint: constraint,
        options: [.cropAndScale: VNImageCropAndScaleOption.scaleFill.rawValue])
    model.featureProvider = try MLDictionaryFeatureProvider(dictionary: [
        "styleImage": style,
        "mixRatio": MLFeatureValue(double: mixRatio),
    ])

    let request = VNCoreMLRequest(model: model)
    request.imageCropAndScaleOption = .scaleFill
    let handler = VNImageRequestHandler(cvPixelBuffer: content)
    try handler.perform([request])

    var images: [String: CVPixelBuffer] = [:]
    guard let results = request.results as? [VNPixelBufferObservation] else { return images }
    for observation in results {
        if let name = observation.featureName { images[name] = observation.pixelBuffer }
    }
    return images
}
