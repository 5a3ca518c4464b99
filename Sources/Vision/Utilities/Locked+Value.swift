import VisionImage

extension Locked {
    /// The protected value.
    var current: Value {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }
}
