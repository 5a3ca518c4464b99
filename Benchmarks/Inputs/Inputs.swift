import Foundation

/// What the benchmarks read, made once and kept.
final class Inputs {
    private var pictures: [String: Picture] = [:]
    private var scenes: [String: Scene] = [:]

    private let photos: PhotoFolder?

    /// Pictures come from a folder of photographs, or from this program.
    init(photos: String?) throws {
        self.photos = try photos.map(PhotoFolder.init)
    }

    /// A colour picture of natural statistics.
    func picture(_ width: Int, _ height: Int, seed: Int = 1) throws -> Picture {
        let key = "\(width)x\(height)/\(seed)"
        if let picture = pictures[key] { return picture }
        let picture =
            try photos?.picture(width, height, number: seed)
            ?? Picture.texture(width: width, height: height, seed: UInt64(seed))
        pictures[key] = picture
        return picture
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
