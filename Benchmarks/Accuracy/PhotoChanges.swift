import Foundation

/// Small changes of a photo that do not change what it shows.
enum PhotoChange: String, CaseIterable {
    case rotated5 = "rotated by 5°"
    case rotated10 = "rotated by -10°"
    case cropped90 = "cropped to 90 %"
    case cropped80 = "cropped to 80 %, upper left"
    case darker = "light × 0.6"
    case brighter = "light × 1.4"
    case gamma = "gamma 1.6"
    case warmer = "red × 1.15, blue × 0.85"

    func applied(to photo: RGBImage) -> RGBImage {
        switch self {
        case .rotated5: photo.rotated(degrees: 5)
        case .rotated10: photo.rotated(degrees: -10)
        case .cropped90: photo.cropped(share: 0.9, position: 0.5)
        case .cropped80: photo.cropped(share: 0.8, position: 0)
        case .darker: photo.toned { _, value in 0.6 * value }
        case .brighter: photo.toned { _, value in 1.4 * value }
        case .gamma: photo.toned { _, value in pow(value, 1.6) }
        case .warmer: photo.toned { channel, value in value * [1.15, 1, 0.85][channel] }
        }
    }
}

extension RGBImage {
    fileprivate func cropped(share: Double, position: Double) -> RGBImage {
        let (width, height) = (Int((Double(width) * share).rounded()), Int((Double(height) * share).rounded()))
        return cropped(
            x: Int(Double(self.width - width) * position), y: Int(Double(self.height - height) * position),
            width: width,
            height: height)
    }

    /// Every channel of every pixel, 0…1, by a function.
    fileprivate func toned(_ tone: (_ channel: Int, _ value: Double) -> Double) -> RGBImage {
        let tables = (0..<3).map { channel in
            (0..<256).map { UInt8((min(1, max(0, tone(channel, Double($0) / 255))) * 255).rounded()) }
        }
        var copy = self
        for index in copy.pixels.indices { copy.pixels[index] = tables[index % 3][Int(copy.pixels[index])] }
        return copy
    }

    /// About the centre; empty corners are filled by mirroring.
    fileprivate func rotated(degrees: Double) -> RGBImage {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let (middleX, middleY) = (Double(width - 1) / 2, Double(height - 1) / 2)
        func mirrored(_ index: Int, _ count: Int) -> Int {
            let last = count - 1
            guard last > 0 else { return 0 }
            let folded = abs(index) % (2 * last)
            return min(folded, 2 * last - folded)
        }
        var copy = self
        for y in 0..<height {
            for x in 0..<width {
                let (dx, dy) = (Double(x) - middleX, Double(y) - middleY)
                let (fromX, fromY) = (middleX + cosine * dx - sine * dy, middleY + sine * dx + cosine * dy)
                let (left, top) = (Int(fromX.rounded(.down)), Int(fromY.rounded(.down)))
                let (right, bottom) = (fromX - Double(left), fromY - Double(top))
                for channel in 0..<3 {
                    func pixel(_ x: Int, _ y: Int) -> Double {
                        Double(pixels[(mirrored(y, height) * width + mirrored(x, width)) * 3 + channel])
                    }
                    let upper = pixel(left, top) * (1 - right) + pixel(left + 1, top) * right
                    let lower = pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right
                    copy.pixels[(y * width + x) * 3 + channel] = UInt8(
                        (upper * (1 - bottom) + lower * bottom).rounded())
                }
            }
        }
        return copy
    }
}
