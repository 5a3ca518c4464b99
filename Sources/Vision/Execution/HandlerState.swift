import Foundation

/// What a handler remembers from one perform to the next.
///
/// It changes only on the performing thread while the handler is locked. Jobs of the same perform see no more of it
/// than what `makeJob` gave them, and that belongs to one serial queue, or to a batch that protects itself.
final class HandlerState: @unchecked Sendable {
    // Unchecked: see above; the handler's lock orders all changes.
    /// Trackers of revision 1, and those of revision 2, which are counted apart.
    var objectTrackers = TrackerPool<ObjectTrackerSlot>(typeName: "VNObjectTrackerType")
    var rectangleTrackers = TrackerPool<RectangleTrackerSlot>(typeName: "VNRectangleTrackerType")
    var learnedTrackers = TrackerPool<ObjectTrackerSlot>(typeName: "VNObjectTrackerRevision2Type")
    let registration = RegistrationMemory()
    /// The learned trackers of the current perform.
    private(set) var trackerBatch = TrackerBatch()

    /// Called before the jobs of a perform are made.
    func beginPerform() { trackerBatch = TrackerBatch() }
}
