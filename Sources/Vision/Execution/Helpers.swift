import VisionImage

/// Threads of the process's pool that a perform has borrowed: none where others have them all.
struct Helpers {
    typealias Help = @Sendable (_ thread: Int) -> Void

    private let helpers: [Helper]
    private let help = Locked<Help?>(nil)

    /// Borrows up to `most` threads, and wakes them up for what they will be called to do in a moment.
    init(most: Int) {
        helpers = HelperPool.shared.borrow(most)
        for helper in helpers { helper.call {} }
    }

    var count: Int { helpers.count }

    /// Gives them back without having called them.
    func giveBack() { HelperPool.shared.giveBack(helpers) }

    /// Calls threads 1 ... `count`. Each goes back to the pool when `help` returns; one may come late.
    func call(_ help: @escaping Help) {
        self.help.current = help
        for (index, helper) in helpers.enumerated() {
            helper.call { [help = self.help] in
                help.current?(index + 1)
                HelperPool.shared.giveBack([helper])
            }
        }
    }

    /// Says that no more help is wanted. A thread that comes later holds on to nothing.
    func dismiss() { help.current = nil }
}
