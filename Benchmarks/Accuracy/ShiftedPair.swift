import VisionImage

/// Two grey images of the same size, cropped from one photo so that they differ by a known shift and by noise.
struct ShiftedPair {
    let width: Int
    let height: Int
    let reference: [UInt8]
    let floating: [UInt8]
    /// How far the content of `floating` lies to the right of and below that of `reference`, in pixels.
    let shift: (x: Double, y: Double)

    /// Shifts are uniform up to `range` of the size of the crop in x and in y. The photo must be 1 + `range` times the
    /// size and 4 pixels more.
    init(
        photo: GreyImage, width: Int, height: Int, range: Double, noise: Double, random: inout SplitMix64
    ) {
        let x = (2 * random.unit() - 1) * range * Double(width)
        let y = (2 * random.unit() - 1) * range * Double(height)
        self.init(photo: photo, width: width, height: height, shift: (x, y), noise: noise, random: &random)
    }

    private init(
        photo: GreyImage, width: Int, height: Int, shift: (x: Double, y: Double), noise: Double,
        random: inout SplitMix64
    ) {
        // The position of the crop moves by whole pixels, the Fourier shift by the fraction.
        let wholeX = Int(shift.x.rounded())
        let wholeY = Int(shift.y.rounded())
        let moved = photo.shifted(x: shift.x - Double(wholeX), y: shift.y - Double(wholeY))
        // The floating crop starts `whole` pixels further left, so that its content lies further right.
        let roomX = photo.width - width - abs(wholeX)
        let roomY = photo.height - height - abs(wholeY)
        precondition(roomX >= 0 && roomY >= 0)
        let x = Int(random.unit() * Double(roomX + 1)) + max(0, wholeX)
        let y = Int(random.unit() * Double(roomY + 1)) + max(0, wholeY)
        self.width = width
        self.height = height
        self.shift = shift
        reference = photo.bytes(x: x, y: y, width: width, height: height, noise: noise, random: &random)
        floating = moved.bytes(
            x: x - wholeX, y: y - wholeY, width: width, height: height, noise: noise, random: &random)
    }
}
