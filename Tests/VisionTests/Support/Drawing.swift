import Foundation
import Vision

/// Images of objects that a classifier knows, drawn by formula, so that tests need no photos.
enum Drawing: CaseIterable {
    case spiderWeb
    case trafficLight
    case honeycomb
    case clock

    /// Its identifier in the taxonomy.
    var identifier: String {
        switch self {
        case .spiderWeb: "spider_web"
        case .trafficLight: "traffic_light"
        case .honeycomb: "honeycomb"
        case .clock: "analog_clock"
        }
    }

    typealias Colour = SIMD3<Double>

    /// The colour at a position; both coordinates run from 0 to 1, from the top left.
    func colour(_ x: Double, _ y: Double) -> Colour {
        switch self {
        case .spiderWeb: Self.spiderWeb(x, y)
        case .trafficLight: Self.trafficLight(x, y)
        case .honeycomb: Self.honeycomb(x, y)
        case .clock: Self.clock(x, y)
        }
    }

    /// The distance to the nearest multiple of `step`.
    private static func distance(_ value: Double, _ step: Double) -> Double {
        abs(value - (value / step).rounded() * step)
    }

    /// Sixteen spokes with sagging threads between them.
    private static func spiderWeb(_ x: Double, _ y: Double) -> Colour {
        let (right, down) = (x - 0.5, y - 0.5)
        let radius = (right * right + down * down).squareRoot()
        let sector = Double.pi / 8
        let angle = atan2(down, right)
        let spoke = distance(angle, sector) * radius
        let within = (angle / sector - (angle / sector).rounded(.down))
        let thread = distance(radius / (1 - 0.12 * sin(.pi * within)), 0.045)
        let line = exp(-pow((radius < 0.48 ? min(spoke, thread) : spoke) / 0.0025, 2))
        let night = Colour(30 + 20 * y, 60 + 30 * x, 30 + 10 * y)
        return night * (1 - line) + Colour(repeating: 230) * line
    }

    /// A box with three lamps on a pole, the red one lit, before the sky.
    private static func trafficLight(_ x: Double, _ y: Double) -> Colour {
        let lamps = [
            (0.20, Colour(240, 40, 30)), (0.47, Colour(90, 75, 20)), (0.74, Colour(20, 70, 35)),
        ]
        for (height, colour) in lamps where pow(x - 0.5, 2) + pow(y - height, 2) < 0.105 * 0.105 { return colour }
        if y > 0.87, abs(x - 0.5) < 0.03 { return Colour(repeating: 60) }
        if abs(x - 0.5) < 0.16, abs(y - 0.47) < 0.40 { return Colour(25, 28, 25) }
        return Colour(120 + 60 * y, 170 + 40 * y, 235)
    }

    /// Six-sided cells, darker towards their middle, with walls of wax.
    private static func honeycomb(_ x: Double, _ y: Double) -> Colour {
        let (column, row) = (x / 0.07, y / (0.07 * 3.0.squareRoot()))
        func centred(_ shift: Double) -> (x: Double, y: Double) {
            let (across, down) = (column + shift, row + shift)
            return (
                abs(across - across.rounded(.down) - 0.5),
                abs(down - down.rounded(.down) - 0.5) * 3.0.squareRoot()
            )
        }
        let (first, second) = (centred(0), centred(0.5))
        let isFirst = first.x * first.x + first.y * first.y < second.x * second.x + second.y * second.y
        let cell = isFirst ? first : second
        let edge = max(cell.x, cell.x * 0.5 + cell.y * 3.0.squareRoot() / 2)
        let wall = min(max((edge - 0.40) / 0.06, 0), 1)
        return Colour(150 - 200 * edge, 90 - 130 * edge, 10) * (1 - wall) + Colour(235, 180, 60) * wall
    }

    /// A round clock with sixty marks that shows ten past ten.
    private static func clock(_ x: Double, _ y: Double) -> Colour {
        let (right, up) = (x - 0.5, 0.5 - y)
        let radius = (right * right + up * up).squareRoot()
        let black = Colour(repeating: 10)
        guard radius < 0.45 else { return Colour(150, 110, 70) }
        guard radius < 0.42 else { return Colour(30, 25, 20) }
        for (angle, length, width) in [(305.0, 0.22, 0.014), (60.0, 0.33, 0.009)] {
            let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
            let (along, across) = (right * sine + up * cosine, abs(right * cosine - up * sine))
            if along > -0.05, along < length, across < width { return black }
        }
        for (count, length, width) in [(60.0, 0.02, 0.003), (12.0, 0.05, 0.008)] {
            let mark = distance(atan2(right, up), 2 * .pi / count) * radius
            if radius < 0.40, radius > 0.40 - length, mark < width { return black }
        }
        return radius < 0.02 ? black : Colour(245, 243, 235)
    }

    // MARK: - Images

    /// The drawing as an image of this size, stretched where it is not square.
    func image(width: Int = 480, height: Int = 480) -> CGImage { Self.image([self], width: width, height: height) }

    /// Drawings beside each other, each `width` wide.
    static func image(_ drawings: [Drawing], width: Int = 480, height: Int = 480) -> CGImage {
        var bytes = [UInt8](repeating: 255, count: drawings.count * width * height * 4)
        for (number, drawing) in drawings.enumerated() {
            for row in 0..<height {
                for column in 0..<width {
                    let colour = drawing.colour(
                        (Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
                    let pixel = (row * drawings.count * width + number * width + column) * 4
                    for component in 0..<3 {
                        bytes[pixel + component] = UInt8(max(0, min(255, colour[component])).rounded())
                    }
                }
            }
        }
        let image = CGDataProvider(data: Data(bytes) as CFData).flatMap { provider in
            CGImage(
                width: drawings.count * width, height: height, bitsPerComponent: 8, bitsPerPixel: 32,
                bytesPerRow: drawings.count * width * 4, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider,
                decode: nil, shouldInterpolate: false, intent: .defaultIntent)
        }
        guard let image else { preconditionFailure("no image") }
        return image
    }

    /// The drawing as a JPEG file.
    func jpeg(width: Int = 480, height: Int = 480) -> Data {
        let data = NSMutableData()
        guard let destination = CGImageDestinationCreateWithData(data, "public.jpeg" as CFString, 1, nil) else {
            preconditionFailure("no JPEG encoder")
        }
        CGImageDestinationAddImage(destination, image(width: width, height: height), nil)
        precondition(CGImageDestinationFinalize(destination), "no JPEG")
        return data as Data
    }
}

extension CVPixelBuffer {
    /// The image as the bytes of a PNG file.
    func png() -> Data {
        let image = CIImage(cvPixelBuffer: self)
        let data = NSMutableData()
        guard let destination = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil),
            let pixels = CIContext().createCGImage(image, from: image.extent)
        else { preconditionFailure("no PNG encoder") }
        CGImageDestinationAddImage(destination, pixels, nil)
        precondition(CGImageDestinationFinalize(destination), "no PNG")
        return data as Data
    }
}
