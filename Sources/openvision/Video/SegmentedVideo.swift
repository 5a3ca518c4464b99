import ArgumentParser
import Foundation
import Vision
import VisionPhotos
import VisionVideo

/// A video whose people are segmented frame by frame.
struct SegmentedVideo {
    let path: String
    let quality: SegmentCommand.Quality
    let revision: Int?
    let background: Background

    /// Writes the video with another background, and with the masks in colours.
    ///
    /// - Parameters:
    ///   - output: The video with another background; nil to leave it out.
    ///   - render: The video with the masks; nil to leave it out.
    /// - Throws: `VideoError`, `RequestFailure`, and the exit code of an interrupt.
    func write(output: String?, render: String?, isQuiet: Bool) throws {
        let source = try OpenVideo.open(path)
        func writer(_ file: String?) throws -> VideoWriter? {
            guard let file else { return nil }
            guard !FilePath(file).isSameFile(as: FilePath(path)) else {
                throw VideoError(kind: .io, path: file, reason: "is the input video; choose another name")
            }
            return try VideoWriter(path: file, format: source.format)
        }
        let (changed, drawn) = (try writer(output), try writer(render))
        // One request for all frames, so that masks are steady.
        let request = VNGeneratePersonSegmentationRequest()
        if let revision { request.revision = revision }
        request.qualityLevel = quality.level
        request.outputPixelFormat = kCVPixelFormatType_OneComponent32Float
        let handler = VNSequenceRequestHandler()
        var firstTime: Double?
        let start = ContinuousClock.now
        let outcome = try FrameLoop(source: source, range: FrameRange(), isQuiet: isQuiet).run { frame, _, _ in
            let time = source.currentTime
            let from = firstTime ?? time
            firstTime = from
            let sample = CMSampleBuffer(
                imageBuffer: frame,
                presentationTimeStamp: CMTimeMakeWithSeconds(time + 1, preferredTimescale: 90_000))
            do {
                try handler.perform([request], on: sample)
            } catch {
                throw RequestFailure(path: path, error)
            }
            guard let found = request.results?.first else { return }
            let image = try source.currentFrameForDrawing().bgraRaster()
            let mask = try FloatMap(found.pixelBuffer).resized(width: image.width, height: image.height)
            let painter = MaskPainter(mask: mask, labels: [])
            if let changed {
                let behind = try background.pixels(behind: image, mask: mask)
                try changed.add(try painter.blended(image, over: behind).frame(path), time: time - from)
            }
            if let drawn { try drawn.add(try painter.coloured(image).frame(path), time: time - from) }
        }
        try changed?.finish()
        try drawn?.finish()
        let seconds = (ContinuousClock.now - start).seconds
        let rate = Decimals.text(Double(outcome.frames) / max(seconds, 1e-9), 1)
        print("\(path): \(Count.text(outcome.frames, "frame")), \(rate) frames/s")
        for warning in source.warnings {
            FileHandle.standardError.write(Data("Warning: \(warning)\n".utf8))
        }
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }
}

extension CVPixelBuffer {
    /// The pixels of a 32BGRA buffer.
    fileprivate func bgraRaster() throws -> Raster {
        let size = PixelRegion(width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self))
        return try ImageSource(pixelBuffer: self).derivative(
            Derivative(region: size, width: Int(size.width), height: Int(size.height), format: .bgra8))
    }
}

extension Raster {
    /// Returns the pixels, blue first, as a frame of a video.
    fileprivate func frame(_ path: String) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: path)
        try buffer.write(self)
        return buffer
    }
}
