/// An operation took longer than it may.
struct TimeoutError: Error {}

/// Runs an operation; cancels it when its time is up.
///
/// - Throws: `TimeoutError` if the time was up before the operation was done; the error of the operation.
func withTimeLimit<Result: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() ?? nil else { throw TimeoutError() }
        return result
    }
}
