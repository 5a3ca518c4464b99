/// What attachments belong to: a `CMSampleBuffer` or a `CVBuffer`. Other objects have none.
public typealias CMAttachmentBearer = AnyObject
/// Whether an attachment is propagated, as a number: the constants `kCMAttachmentMode_…`.
public typealias CMAttachmentMode = UInt32
/// Stays with this object.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// May be copied to others.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// Attachment of sample buffers: the intrinsic matrix of the camera, 9 floats in columns as `CFData`.
public let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix: CFString = "CameraIntrinsicMatrix"

private func withAttachments<Result>(_ target: CMAttachmentBearer, _ body: (inout Attachments) -> Result) -> Result? {
    switch target {
    case let target as CMSampleBuffer: target.withAttachments(body)
    case let target as CVBuffer: target.withAttachments(body)
    default: nil
    }
}

/// Returns a value attached to a sample or pixel buffer, or nil.
///
/// - Parameter attachmentModeOut: Receives the mode of the attachment, if there is one.
public func CMGetAttachment(
    _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> Any? {
    guard let found = withAttachments(target, { $0[key] }) ?? nil else { return nil }
    attachmentModeOut?.pointee =
        found.isPropagated ? kCMAttachmentMode_ShouldPropagate : kCMAttachmentMode_ShouldNotPropagate
    return found.value
}

/// Attaches a value to a sample or pixel buffer, replaces it, or removes it where the value is nil.
public func CMSetAttachment(
    _ target: CMAttachmentBearer, key: CFString, value: Any?, attachmentMode: CMAttachmentMode
) {
    let isPropagated = attachmentMode == kCMAttachmentMode_ShouldPropagate
    _ = withAttachments(target) { $0[key] = value.map { ($0, isPropagated) } }
}

/// Attaches the values of a dictionary. Keys that are not strings are ignored.
public func CMSetAttachments(
    _ target: CMAttachmentBearer, attachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
    let isPropagated = attachmentMode == kCMAttachmentMode_ShouldPropagate
    _ = withAttachments(target) { $0.set(attachments, propagated: isPropagated) }
}

/// Removes an attached value.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
    _ = withAttachments(target) { $0[key] = nil }
}

/// Removes all attached values.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) {
    _ = withAttachments(target) { $0.removeAll() }
}

/// Returns all attachments of one mode; nil if there are none.
public func CMCopyDictionaryOfAttachments(
    allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
    let isPropagated = attachmentMode == kCMAttachmentMode_ShouldPropagate
    let values = withAttachments(target) { $0.values(propagated: isPropagated) } ?? [:]
    return values.isEmpty ? nil : values
}

/// Copies the attachments that are propagated to another object.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
    guard
        let values = CMCopyDictionaryOfAttachments(
            allocator: nil, target: source, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    else { return }
    CMSetAttachments(destination, attachments: values, attachmentMode: kCMAttachmentMode_ShouldPropagate)
}
