import VisionAlgorithms
import VisionImage
import VisionModels

/// A saliency map of an image region.
private struct SaliencyKey: ImageResultKey {
    let kind: SaliencyNetwork.Kind
    let region: NormalizedRegion

    static func byteCount(of map: [Float]) -> Int { map.count * MemoryLayout<Float>.size }
}

extension SaliencyNetwork.Kind {
    /// How salient objects are found in maps of this kind (Training/Saliency).
    fileprivate var modes: MapModes {
        switch self {
        case .attention: MapModes(floor: 0.03, saddle: 0, extent: 0.3, leastShare: 0)
        case .objectness: MapModes(floor: 0.5, saddle: 0.7, extent: 0.5, leastShare: 0.1)
        }
    }

    /// The maximum number of salient objects.
    fileprivate var maximumCount: Int { self == .attention ? 1 : VNSaliencyImageObservation.objectLimit }

    /// A map whose highest value is lower has no salient object.
    fileprivate var leastPeak: Float { self == .attention ? 0.15 : 0.9 }
}

extension PerformContext {
    /// Returns the saliency map of a region of the image: `SaliencyNetwork.side` rows and columns. Requests share it.
    ///
    /// - Throws: `ModelStoreError` when the backbone is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func saliencyMap(_ kind: SaliencyNetwork.Kind, in region: NormalizedRegion) throws -> [Float] {
        let map = try image.results.result(for: SaliencyKey(kind: kind, region: region)) {
            let network = try SaliencyNetwork.shared(kind)
            let features = try backboneFeatures(SaliencyNetwork.backbone, region: region, fit: .fill, maps: true)
            networkRuns.count()
            return try network.map(of: features, threads: Settings.threadCount)
        }
        try cancellation.check()
        return map
    }

    /// Returns the saliency map of a region of the image as the observation of a request.
    ///
    /// - Throws: `ModelStoreError` when the backbone is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func saliency(
        _ kind: SaliencyNetwork.Kind, in region: NormalizedRegion, revision: Int
    ) throws -> VNSaliencyImageObservation {
        let map = try saliencyMap(kind, in: region)
        let side = Double(SaliencyNetwork.side)
        let modes = kind.modes.modes(of: map, columns: SaliencyNetwork.side).filter { $0.peak >= kind.leastPeak }
        let objects = modes.prefix(kind.maximumCount).map { mode in
            // From positions of the map, which shows the region of interest, to the whole image.
            let area = region.rect
            let box = CGRect(
                x: area.origin.x + area.size.width * mode.box.x / side,
                y: area.origin.y + area.size.height * (1 - (mode.box.y + mode.box.height) / side),
                width: area.size.width * mode.box.width / side, height: area.size.height * mode.box.height / side)
            return VNRectangleObservation(
                uuid: UUID(), confidence: min(1, mode.peak), requestRevision: revision,
                corners: VNRectangleObservation.corners(of: box), timeRange: timeRange)
        }
        return VNSaliencyImageObservation(
            pixelBuffer: try CVPixelBuffer.floats(map, width: SaliencyNetwork.side, height: SaliencyNetwork.side),
            salientObjects: objects.isEmpty ? nil : Array(objects), requestRevision: revision, timeRange: timeRange)
    }
}

extension CVPixelBuffer {
    /// Returns a buffer of one 32-bit float per pixel.
    ///
    /// - Parameter values: Row by row from the top.
    fileprivate static func floats(_ values: [Float], width: Int, height: Int) throws -> CVPixelBuffer {
        var created: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            nil, width, height, kCVPixelFormatType_OneComponent32Float, nil, &created)
        guard status == kCVReturnSuccess, let buffer = created, values.count == width * height else {
            throw visionError(.internalError, "Internal error: the buffer of a saliency map cannot be created.")
        }
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        if let address = CVPixelBufferGetBaseAddress(buffer) {
            for (index, value) in values.enumerated() {
                let (row, column) = index.quotientAndRemainder(dividingBy: width)
                address.storeBytes(
                    of: value, toByteOffset: row * rowBytes + column * MemoryLayout<Float>.size, as: Float.self)
            }
        }
        return buffer
    }
}
