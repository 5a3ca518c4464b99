/// A queue: what was added first is taken first. Both take constant time on average.
struct Queue<Element> {
    /// What can be taken, in reverse order.
    private var head: [Element] = []
    private var tail: [Element] = []

    mutating func append(_ element: Element) { tail.append(element) }

    /// Takes the element that was added first; nil when the queue is empty.
    mutating func popFirst() -> Element? {
        if head.isEmpty {
            head = tail.reversed()
            tail.removeAll(keepingCapacity: true)
        }
        return head.popLast()
    }
}
