import Foundation
import VisionImage

/// A synthetic video: textured objects that move smoothly over a textured background, by fractions
/// of a pixel, on closed paths, so that it loops without a jump.
struct Scene {
    let frames: [RGBImage]
    /// The objects' true boxes, `boxes[frame][object]`, in pixels with the origin at the top left.
    let boxes: [[PixelRegion]]

    /// `objects` squares of `size` pixels, spread over the image; each stays within its own cell.
    init(width: Int, height: Int, objects: Int, size: Int, frames count: Int, seed: UInt64) {
        let background = RGBImage.texture(width: width, height: height, seed: seed)
        let columns = Int(Double(objects).squareRoot().rounded(.up))
        let rows = (objects + columns - 1) / columns
        let cellWidth = Double(width) / Double(columns)
        let cellHeight = Double(height) / Double(rows)
        // A margin of two pixels for the soft edge and the interpolation.
        let textures = (0..<objects).map {
            RGBImage.texture(width: size + 4, height: size + 4, seed: seed &+ 1000 &+ UInt64($0))
        }
        var frames: [RGBImage] = []
        var boxes: [[PixelRegion]] = []
        for frame in 0..<count {
            let angle = 2 * Double.pi * Double(frame) / Double(count)
            var image = background
            var frameBoxes: [PixelRegion] = []
            for object in 0..<objects {
                let phase = 0.7 * Double(object)
                let margin = (max(0, cellWidth - Double(size) - 4) / 2, max(0, cellHeight - Double(size) - 4) / 2)
                let x =
                    (Double(object % columns) + 0.5) * cellWidth - Double(size) / 2
                    + min(margin.0, 40) * sin(angle + phase)
                let y =
                    (Double(object / columns) + 0.5) * cellHeight - Double(size) / 2
                    + min(margin.1, 30) * sin(2 * angle + phase)
                image.draw(textures[object], x: x, y: y, size: size)
                frameBoxes.append(PixelRegion(x: x, y: y, width: Double(size), height: Double(size)))
            }
            frames.append(image)
            boxes.append(frameBoxes)
        }
        self.frames = frames
        self.boxes = boxes
    }
}

extension RGBImage {
    /// Draws the inner `size` pixels of a texture at a fractional position, with an edge one pixel soft.
    fileprivate mutating func draw(_ texture: RGBImage, x: Double, y: Double, size: Int) {
        let firstX = max(0, Int(x.rounded(.down)))
        let firstY = max(0, Int(y.rounded(.down)))
        let lastX = min(width - 1, Int(x.rounded(.down)) + size)
        let lastY = min(height - 1, Int(y.rounded(.down)) + size)
        guard firstX <= lastX, firstY <= lastY else { return }
        for row in firstY...lastY {
            for column in firstX...lastX {
                let u = Double(column) - x
                let v = Double(row) - y
                let inside = min(u + 1, Double(size) - u, v + 1, Double(size) - v)
                let alpha = max(0, min(1, inside))
                let left = Int((u + 2).rounded(.down))
                let top = Int((v + 2).rounded(.down))
                let across = u + 2 - Double(left)
                let down = v + 2 - Double(top)
                for channel in 0..<3 {
                    func sample(_ x: Int, _ y: Int) -> Double {
                        Double(texture.pixels[(y * texture.width + x) * 3 + channel])
                    }
                    let upper = sample(left, top) * (1 - across) + sample(left + 1, top) * across
                    let lower = sample(left, top + 1) * (1 - across) + sample(left + 1, top + 1) * across
                    let value = upper * (1 - down) + lower * down
                    let index = (row * width + column) * 3 + channel
                    pixels[index] = byte(Float(Double(pixels[index]) * (1 - alpha) + value * alpha))
                }
            }
        }
    }
}
