import Foundation

/// Prints a line at once, also into a pipe: whoever waits for it should not wait for a full buffer.
func say(_ line: String) {
    print(line)
    // All streams: `stdout` is a global variable of C, which Swift 6 does not let one touch.
    fflush(nil)
}
