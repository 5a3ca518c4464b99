import VisionImage

import Foundation

/// The trackers of one type that a handler holds, by the uuid of the observation that started each.
struct TrackerPool<Slot> {
    /// The type's name in Apple's message.
    let typeName: String
    private var slots: [UUID: Slot] = [:]

    init(typeName: String) { self.typeName = typeName }

    var count: Int { slots.count }

    subscript(uuid: UUID) -> Slot? { slots[uuid] }

    /// Takes a place for a tracker. One that has this uuid already is replaced.
    ///
    /// - Throws: `internalError` when all places are taken.
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
