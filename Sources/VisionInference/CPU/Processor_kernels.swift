internal import CVisionKernels

/// Tells the processor that this thread is waiting in a loop.
@inline(__always)
func pauseProcessor() { cvk_pause() }
