/// Whether an attachment is copied by the functions that propagate attachments.
public enum CVAttachmentMode: UInt32, Sendable {
    /// Stays with this buffer.
    case shouldNotPropagate = 0
    /// May be copied to others.
    case shouldPropagate = 1
}

/// Values that belong to a buffer, by name.
struct Attachments {
    private var entries: [String: (value: Any, isPropagated: Bool)] = [:]

    subscript(key: String) -> (value: Any, isPropagated: Bool)? {
        get { entries[key] }
        set { entries[key] = newValue }
    }

    /// The values that are propagated, or those that are not.
    func values(propagated: Bool) -> [String: Any] {
        entries.filter { $0.value.isPropagated == propagated }.mapValues(\.value)
    }

    mutating func set(_ values: CFDictionary, propagated: Bool) {
        for (key, value) in values {
            if let key = key as? String { entries[key] = (value, propagated) }
        }
    }

    mutating func removeAll() { entries = [:] }
}

/// Attaches a value to the buffer, or replaces it.
public func CVBufferSetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ value: Any, _ attachmentMode: CVAttachmentMode
) {
    buffer.withAttachments { $0[key] = (value, attachmentMode == .shouldPropagate) }
}

/// Attaches the values of a dictionary to the buffer. Keys that are not strings are ignored.
public func CVBufferSetAttachments(
    _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
    buffer.withAttachments { $0.set(theAttachments, propagated: attachmentMode == .shouldPropagate) }
}

/// Returns a value attached to the buffer, or nil.
///
/// - Parameter attachmentMode: Receives the mode of the attachment, if there is one.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Any? {
    guard let found = buffer.withAttachments({ $0[key] }) else { return nil }
    attachmentMode?.pointee = found.isPropagated ? .shouldPropagate : .shouldNotPropagate
    return found.value
}

/// Returns all attachments of one mode; nil if there are none.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    let values = buffer.withAttachments { $0.values(propagated: attachmentMode == .shouldPropagate) }
    return values.isEmpty ? nil : values
}

/// Returns all attachments of one mode; nil if there are none.
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    CVBufferCopyAttachments(buffer, attachmentMode)
}

/// Whether the buffer has an attachment of that name.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool { buffer.attachment(key) != nil }

/// Removes an attached value.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) { buffer.withAttachments { $0[key] = nil } }

/// Removes all attached values.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.withAttachments { $0.removeAll() } }

/// Copies the attachments that are propagated to another buffer.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    guard let values = CVBufferCopyAttachments(sourceBuffer, .shouldPropagate) else { return }
    CVBufferSetAttachments(destinationBuffer, values, .shouldPropagate)
}
