import Foundation

/// Prints a line and flushes it, so that a reader at the other end of a pipe does not wait for a full buffer.
func say(_ line: String) {
    print(line)
    // All streams: `stdout` is a global variable of C, which Swift 6 does not let one touch.
    fflush(nil)
}
