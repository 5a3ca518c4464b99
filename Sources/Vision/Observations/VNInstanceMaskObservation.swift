public import VisionImage
import VisionAlgorithms

/// The masks of objects in an image that do not overlap, such as people or the objects in the foreground.
///
/// Masks and images made from it are those of the upright image. Pass a handler of the same image as the request's;
/// another image gives a mask whose edges are those of that image.
open class VNInstanceMaskObservation: VNObservation, @unchecked Sendable {
    /// The object of each pixel, from 1, or 0 for the background: one byte a pixel
    /// (`kCVPixelFormatType_OneComponent8`). It shows the region of interest, and its longer side has at most 512
    /// pixels.
    open private(set) var instanceMask: CVPixelBuffer
    /// The numbers of all objects; the background, 0, is none.
    open private(set) var allInstances: IndexSet

    let masks: InstanceMasks
    /// The region of interest, normalised to the upright image, origin at the lower left.
    let region: NormalizedRegion

    init(
        masks: InstanceMasks, region: NormalizedRegion, requestRevision: Int, timeRange: CMTimeRange
    ) throws {
        (self.masks, self.region) = (masks, region)
        instanceMask = try CVPixelBuffer.ofBytes(masks.solidLabels, width: masks.width, height: masks.height)
        allInstances = IndexSet(masks.instances)
        super.init(requestRevision: requestRevision, timeRange: timeRange)
    }

    // MARK: - Masks

    /// Returns the mask of some objects at the size of `instanceMask`: one 32-bit float a pixel, 1 where one of the
    /// objects is.
    ///
    /// - Parameter instances: Numbers of `allInstances`; 0 stands for the background.
    /// - Throws: An error of `VNErrorDomain`: `invalidArgument` for a number that the observation does not have.
    open func generateMask(forInstances instances: IndexSet) throws -> CVPixelBuffer {
        try reporting {
            try CVPixelBuffer.ofOneComponent(
                masks.mask(of: try checked(instances)), format: kCVPixelFormatType_OneComponent32Float)
        }
    }

    /// Returns the mask of some objects at the size of the upright image, its edges refined to those of the image: one
    /// 32-bit float a pixel, 1 where one of the objects is. Beyond the region of interest it is 0.
    ///
    /// - Parameters:
    ///   - instances: Numbers of `allInstances`; 0 stands for the background.
    ///   - requestHandler: A handler of the image.
    /// - Throws: An error of `VNErrorDomain`: `invalidArgument` for a number that the observation does not have, and
    ///   those of an image that cannot be read.
    open func generateScaledMaskForImage(
        forInstances instances: IndexSet, from requestHandler: VNImageRequestHandler
    ) throws -> CVPixelBuffer {
        try reporting {
            let source = try requestHandler.imageSource()
            let scaled = try scaledMask(of: try checked(instances), source)
            let size = try source.uprightImageSize()
            return try CVPixelBuffer.ofOneComponent(
                scaled.placed(in: size), format: kCVPixelFormatType_OneComponent32Float)
        }
    }

    /// Returns the image with everything but some objects transparent: four bytes a pixel, blue first
    /// (`kCVPixelFormatType_32BGRA`), with colours multiplied by alpha.
    ///
    /// - Parameters:
    ///   - instances: Numbers of `allInstances`; 0 stands for the background.
    ///   - requestHandler: A handler of the image.
    ///   - cropResult: Whether the image is cropped to the smallest rectangle with the objects; without any pixel of
    ///     them it is not cropped.
    /// - Throws: An error of `VNErrorDomain`: `invalidArgument` for a number that the observation does not have, and
    ///   those of an image that cannot be read.
    open func generateMaskedImage(
        ofInstances instances: IndexSet, from requestHandler: VNImageRequestHandler,
        croppedToInstancesExtent cropResult: Bool
    ) throws -> CVPixelBuffer {
        try reporting {
            let source = try requestHandler.imageSource()
            let scaled = try scaledMask(of: try checked(instances), source)
            return try scaled.maskedImage(source, isCropped: cropResult)
        }
    }

    private func checked(_ instances: IndexSet) throws -> Set<Int> {
        for index in instances where index != 0 && !allInstances.contains(index) {
            let known = allInstances.map(String.init).joined(separator: ", ")
            throw visionError(
                .invalidArgument,
                "The observation has no instance \(index). It has " + (known.isEmpty ? "none" : known)
                    + "; 0 is the background.")
        }
        return Set(instances)
    }

    private func scaledMask(of instances: Set<Int>, _ source: ImageSource) throws -> ScaledMask {
        let size = try source.uprightImageSize()
        return try ScaledMask(masks.mask(of: instances), of: region.wholePixels(in: size), source)
    }

    /// Every error as one of Vision's domain.
    private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw visionError(from: error)
        }
    }

    // MARK: - Archives

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let labels = archive.image("labels"),
            let coverage = archive.image("coverage"),
            let rect = archive.rect("region"), let region = try? NormalizedRegion(rect),
            let masks = InstanceMasks(labels: labels, coverage: coverage),
            let mask = try? CVPixelBuffer.ofBytes(masks.solidLabels, width: masks.width, height: masks.height)
        else { return nil }
        (self.masks, self.region) = (masks, region)
        instanceMask = mask
        allInstances = IndexSet(masks.instances)
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("region", region.rect)
        let (width, height) = (masks.width, masks.height)
        if let labels = try? CVPixelBuffer.ofBytes(masks.labels, width: width, height: height) {
            archive.set("labels", labels)
        }
        if let coverage = try? CVPixelBuffer.ofBytes(masks.coverage, width: width, height: height) {
            archive.set("coverage", coverage)
        }
    }

    /// The base description, and the number of objects.
    open override var description: String { "\(super.description) instances=\(allInstances.count)" }
}

extension InstanceMasks {
    /// The masks of two buffers of bytes; nil for buffers of other kinds or sizes.
    fileprivate init?(labels: CVPixelBuffer, coverage: CVPixelBuffer) {
        guard let first = labels.oneByteValues, let second = coverage.oneByteValues,
            CVPixelBufferGetWidth(labels) == CVPixelBufferGetWidth(coverage), first.count == second.count
        else { return nil }
        self.init(
            width: CVPixelBufferGetWidth(labels), height: CVPixelBufferGetHeight(labels), labels: first,
            coverage: second)
    }
}
