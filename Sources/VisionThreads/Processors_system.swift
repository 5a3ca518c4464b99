internal import CVisionThreads

/// The processors that this process may run on: fewer than the machine has where a container or `taskset` says so,
/// which Foundation does not tell.
package enum Processors {
    /// Their number when it was first asked for.
    package static let count = Int(cvt_processors())
}
