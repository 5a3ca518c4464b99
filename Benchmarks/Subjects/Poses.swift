import Vision

/// The joints of all people of a photograph.
enum Poses {
    static var cases: [ServedCase] {
        [
            // A photograph in memory, with a new handler; answers how many people there are.
            ServedCase(name: "poses") { file, _ in
                let raw = try RawFile(path: file)
                let buffer = try PixelBuffers.make(raw.frames[0], of: raw)
                return {
                    let request = VNDetectHumanBodyPoseRequest()
                    try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
                    return [Double(request.results?.count ?? 0)]
                }
            }
        ]
    }
}
