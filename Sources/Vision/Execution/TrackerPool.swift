import Foundation

/// The trackers of one type of a handler, by the uuid of the observation that started each.
struct TrackerPool<Slot> {
    /// The name of the type in Apple's error message.
    let typeName: String
    private var slots: [UUID: Slot] = [:]

    init(typeName: String) { self.typeName = typeName }

    var count: Int { slots.count }

    subscript(uuid: UUID) -> Slot? { slots[uuid] }

    /// Adds a tracker, replacing one with the same uuid.
    ///
    /// - Throws: `internalError` when the limit is reached.
    mutating func add(_ slot: Slot, for uuid: UUID) throws {
        let limit = Settings.trackerLimit
        guard slots[uuid] != nil || slots.count < limit else {
            throw visionError(
                .internalError,
                "Internal error: Exceeded maximum allowed number of Trackers for a tracker type: \(typeName). "
                    + "\(slots.count) of \(limit) are in use. A tracker is released by a perform with isLastFrame set, "
                    + "and with its handler.")
        }
        slots[uuid] = slot
    }

    mutating func remove(_ uuid: UUID) { slots[uuid] = nil }
}
