import Foundation

/// Joins the poses that several crops gave for one person.
enum PoseFusion {
    /// Poses with a lower quality than this share of the best one's have no part.
    private static let leastQuality = 0.8
    /// The distance at which two positions of a landmark support each other, and at which they agree, relative to the
    /// crop.
    private static let radius = 0.04

    /// Returns how well poses agree with the best of them, 0…1: the share of the others that have a landmark where it
    /// has it, weighted by how well they see it, in the mean over the joints that it sees. 0 for a single pose.
    static func agreement(of candidates: [(pose: BodyPose, quality: Double)]) -> Double {
        guard candidates.count > 1,
            let best = candidates.indices.max(by: { candidates[$0].quality < candidates[$1].quality })
        else { return 0 }
        let pose = candidates[best].pose
        let others = candidates.indices.filter { $0 != best }.map { candidates[$0].pose }
        let reach = radius * pose.crop.extent.x
        var (sum, total) = (0.0, 0.0)
        for index in BodyJoint.decisiveLandmarks {
            let landmark = pose.landmarks[index]
            var (near, all) = (0.0, 0.0)
            for other in others {
                let offset = (other.landmarks[index].position - landmark.position) / reach
                let weight = min(other.landmarks[index].peak, landmark.peak)
                near += weight * exp(-(offset * offset).sum())
                all += weight
            }
            if all > 0 { sum += landmark.peak * near / all }
            total += landmark.peak
        }
        return total > 0 && sum.isFinite ? sum / total : 0
    }

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
