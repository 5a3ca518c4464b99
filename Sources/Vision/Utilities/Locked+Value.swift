import VisionImage

extension Locked {
    /// The value as a whole.
    var current: Value {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }
}
