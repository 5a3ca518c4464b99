import Foundation
import Vision

/// A drawing on white paper, as with pens. Points run from 0 to 1, the origin at the lower left.
final class Drawing {
    struct Ink {
        var red, green, blue: CGFloat

        static let black = Ink(red: 0.1, green: 0.1, blue: 0.1)
        static let brown = Ink(red: 0.45, green: 0.3, blue: 0.15)
        static let green = Ink(red: 0.1, green: 0.5, blue: 0.15)
        static let red = Ink(red: 0.8, green: 0.15, blue: 0.15)
        static let skin = Ink(red: 0.93, green: 0.76, blue: 0.65)
    }

    private static let side = 400
    private let context: CGContext

    init?() {
        let context = CGContext(
            data: nil, width: Self.side, height: Self.side, bitsPerComponent: 8, bytesPerRow: 0,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        guard let context else { return nil }
        self.context = context
        context.setFillColor(gray: 1, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: Self.side, height: Self.side))
        context.scaleBy(x: CGFloat(Self.side), y: CGFloat(Self.side))
    }

    func line(_ points: [CGPoint], _ ink: Ink, width: CGFloat = 0.012) {
        context.setStrokeColor(red: ink.red, green: ink.green, blue: ink.blue, alpha: 1)
        context.setLineWidth(width)
        context.beginPath()
        context.addLines(between: points)
        context.strokePath()
    }

    /// Part of an ellipse, from one angle to another; 1 is a full circle.
    func arc(
        x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat, from start: CGFloat = 0, to end: CGFloat = 1,
        _ ink: Ink,
        thickness: CGFloat = 0.012
    ) {
        let points = (0...60).map { step -> CGPoint in
            let angle = 2 * .pi * (start + (end - start) * CGFloat(step) / 60)
            return CGPoint(x: x + width / 2 * cos(angle), y: y + height / 2 * sin(angle))
        }
        line(points, ink, width: thickness)
    }

    func disc(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat, _ ink: Ink) {
        context.setFillColor(red: ink.red, green: ink.green, blue: ink.blue, alpha: 1)
        let rows = 200
        for row in 0..<rows {
            let offset = (CGFloat(row) + 0.5) / CGFloat(rows) - 0.5
            let half = width * max(0, 0.25 - offset * offset).squareRoot()
            context.fill(
                CGRect(x: x - half, y: y + offset * height, width: 2 * half, height: height / CGFloat(rows) + 0.002))
        }
    }

    func write(to url: URL) -> Bool {
        guard let image = context.makeImage(),
            let file = CGImageDestinationCreateWithURL(url, "public.png" as CFString, 1, nil)
        else { return false }
        CGImageDestinationAddImage(file, image, nil)
        return CGImageDestinationFinalize(file)
    }
}

extension Drawing {
    /// A face; `style` 0…1 changes its shape and mood.
    func face(style: CGFloat, isFilled: Bool = false) {
        let (width, height) = (0.55 + 0.12 * style, 0.75 - 0.1 * style)
        if isFilled { disc(x: 0.5, y: 0.5, width: width, height: height, .skin) }
        arc(x: 0.5, y: 0.5, width: width, height: height, .black)
        for side in [-1.0, 1.0] as [CGFloat] {
            let x = 0.5 + side * (0.11 + 0.03 * style)
            arc(x: x, y: 0.6, width: 0.11, height: 0.06 + 0.02 * style, .black)
            disc(x: x, y: 0.6, width: 0.04, height: 0.04, .black)
            arc(x: x, y: 0.64, width: 0.14, height: 0.08, from: 0.08, to: 0.42, .brown, thickness: 0.02)
            arc(x: 0.5 + side * (width / 2 + 0.02), y: 0.52, width: 0.07, height: 0.14, .black)
        }
        line([CGPoint(x: 0.5, y: 0.58), CGPoint(x: 0.46 - 0.02 * style, y: 0.45), CGPoint(x: 0.52, y: 0.44)], .black)
        arc(x: 0.5, y: 0.36, width: 0.2 + 0.06 * style, height: 0.12, from: 0.52, to: 0.98, .red, thickness: 0.025)
        for hair in 0..<14 {
            let x = 0.28 + 0.032 * CGFloat(hair)
            let arch = 0.28 * (1 - ((x - 0.5) / 0.33) * ((x - 0.5) / 0.33)).squareRoot()
            line(
                [CGPoint(x: x, y: 0.55 + arch), CGPoint(x: x + 0.04 * (style - 0.5), y: 0.68 + arch)], .brown,
                width: 0.02)
        }
    }

    /// A tree; `style` 0…1 changes its shape.
    func tree(style: CGFloat, isFilled: Bool = false) {
        let spread = 0.4 + 0.2 * style
        if isFilled { disc(x: 0.5, y: 0.65, width: spread, height: 0.5, .green) }
        for trunk in [-0.04, 0.04] as [CGFloat] {
            line([CGPoint(x: 0.5 + 1.6 * trunk, y: 0.08), CGPoint(x: 0.5 + trunk, y: 0.5)], .brown, width: 0.025)
        }
        for (index, reach) in ([0.16, 0.22, 0.2, 0.12] as [CGFloat]).enumerated() {
            let y = 0.4 + 0.09 * CGFloat(index)
            for side in [-1.0, 1.0] as [CGFloat] {
                line(
                    [CGPoint(x: 0.5, y: y), CGPoint(x: 0.5 + side * reach * (0.8 + 0.5 * style), y: y + 0.14)], .brown,
                    width: 0.018)
            }
        }
        for leaf in 0..<24 {
            let angle = CGFloat(leaf) * 2.4
            let radius = spread / 2 * (0.35 + 0.65 * CGFloat(leaf) / 24)
            arc(
                x: 0.5 + radius * cos(angle), y: 0.65 + 0.9 * radius * sin(angle), width: 0.13, height: 0.11, .green,
                thickness: 0.018)
        }
        line([CGPoint(x: 0.1, y: 0.08), CGPoint(x: 0.9, y: 0.08)], .green, width: 0.02)
    }
}
