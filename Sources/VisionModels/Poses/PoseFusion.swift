import Foundation

/// Joins the poses that several crops gave for one person.
enum PoseFusion {
    /// Poses with a lower quality than this share of the best one's have no part.
    private static let leastQuality = 0.8
    /// The distance at which two positions of a landmark support each other, relative to the crop.
    private static let radius = 0.04

    /// Returns the pose with the highest quality, each of its landmarks moved to the position that most of the good
    /// poses agree on: a mean there, and not between two positions far apart, which are a left and a right limb.
    ///
    /// - Parameter candidates: not empty; of equal ones the first counts.
    static func joined(_ candidates: [(pose: BodyPose, quality: Double)]) -> BodyPose? {
        guard let best = candidates.max(by: { $0.quality < $1.quality }) else { return nil }
        let good = candidates.filter { $0.quality > 0 && $0.quality >= leastQuality * best.quality }
        guard good.count > 1 else { return best.pose }
        let reach = radius * best.pose.crop.extent.x
        var landmarks = best.pose.landmarks
        for index in 0..<BodyPose.landmarkCount {
            let options = good.map { pose, quality in
                let landmark = pose.landmarks[index]
                return (position: landmark.position, weight: landmark.peak * landmark.peak * quality)
            }
            var most: (support: Double, position: SIMD2<Double>) = (0, landmarks[index].position)
            for centre in options {
                var (support, sum) = (0.0, SIMD2<Double>.zero)
                for option in options {
                    let offset = (option.position - centre.position) / reach
                    let weight = exp(-(offset * offset).sum()) * option.weight
                    support += weight
                    sum += weight * option.position
                }
                if support > most.support { most = (support, sum / support) }
            }
            if most.position.x.isFinite, most.position.y.isFinite { landmarks[index].position = most.position }
        }
        return BodyPose(
            landmarks: landmarks, world: best.pose.world, presence: best.pose.presence, crop: best.pose.crop)
    }
}
