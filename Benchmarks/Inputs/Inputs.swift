import Foundation

/// The inputs of the benchmarks, made once and kept.
final class Inputs {
    private var images: [String: RGBImage] = [:]
    private var scenes: [String: Scene] = [:]

    private let photos: PhotoFolder?

    /// Images come from a folder of photographs, or are synthetic where it is nil.
    init(photos: String?) throws {
        self.photos = try photos.map(PhotoFolder.init)
    }

    /// Returns a colour image with the statistics of natural images.
    func image(_ width: Int, _ height: Int, seed: Int = 1) throws -> RGBImage {
        let key = "\(width)x\(height)/\(seed)"
        if let image = images[key] { return image }
        let image =
            try photos?.image(width, height, number: seed)
            ?? RGBImage.texture(width: width, height: height, seed: UInt64(seed))
        images[key] = image
        return image
    }

    /// A video with moving objects; 24 frames, then it begins again.
    func scene(_ width: Int, _ height: Int, objects: Int, size: Int) -> Scene {
        let key = "\(width)x\(height)/\(objects)/\(size)"
        if let scene = scenes[key] { return scene }
        let scene = Scene(width: width, height: height, objects: objects, size: size, frames: 24, seed: 7)
        scenes[key] = scene
        return scene
    }
}
