internal import CVisionThreads

/// The processors that this process may run on. Unlike Foundation, respects the limits of containers and `taskset`.
package enum Processors {
    /// The number of processors at the first access.
    package static let count = Int(cvt_processors())
}
