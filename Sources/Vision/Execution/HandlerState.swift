import Foundation

/// What a handler remembers from one perform to the next.
///
/// It changes only on the performing thread while the handler is locked. Works of the same perform see no more of it than
/// what `makeWork` gave them, and that belongs to one lane.
final class HandlerState: @unchecked Sendable {
    // Unchecked: see above; the handler's lock orders all changes.
    /// Trackers of revision 1, and those of revision 2, which are counted apart.
    var objectTrackers = TrackerPool<ObjectTrackerSlot>(typeName: "VNObjectTrackerType")
    var rectangleTrackers = TrackerPool<RectangleTrackerSlot>(typeName: "VNRectangleTrackerType")
    var learnedTrackers = TrackerPool<ObjectTrackerSlot>(typeName: "VNObjectTrackerRevision2Type")
    let registration = RegistrationMemory()
}
