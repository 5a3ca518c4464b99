import VisionModels

/// The state that a handler keeps between performs.
///
/// It changes only on the performing thread while the handler is locked. Jobs see only the parts that `makeJob` passed
/// to them; these belong to one serial queue, or to a batch with its own lock.
final class HandlerState: @unchecked Sendable {
    // Unchecked: see above; the handler's lock orders all changes.
    /// Trackers of revision 1; those of revision 2 are counted separately.
    var objectTrackers = TrackerPool<ObjectTrackerSlot>(typeName: "VNObjectTrackerType")
    var rectangleTrackers = TrackerPool<RectangleTrackerSlot>(typeName: "VNRectangleTrackerType")
    var learnedTrackers = TrackerPool<ObjectTrackerSlot>(typeName: "VNObjectTrackerRevision2Type")
    let registration = RegistrationMemory()
    /// The bodies of the last frame in three dimensions, and their joints in the image; nil for a handler of one image.
    let poses: PoseMemory<FoundPose>?
    let keypoints: PoseMemory<FoundKeypoints>?
    /// The learned trackers of the current perform.
    private(set) var trackerBatch = TrackerBatch()

    init(followsPoses: Bool) {
        poses = followsPoses ? PoseMemory() : nil
        keypoints = followsPoses ? PoseMemory() : nil
    }

    /// Called before the jobs of a perform are made.
    func beginPerform() {
        trackerBatch = TrackerBatch()
        poses?.limit()
        keypoints?.limit()
    }
}
