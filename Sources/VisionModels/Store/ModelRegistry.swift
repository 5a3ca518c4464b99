import VisionThreads

/// The loaded networks of this process.
///
/// Each network is loaded once, when it is first requested, from the folders that hold it; other callers wait for the
/// load and share the network afterwards. A network that could not be loaded is tried again the next time.
package final class ModelRegistry: Sendable {
    /// The registry that requests share.
    package static let shared = ModelRegistry()

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String
        let form: String
        /// nil for what is built into the library.
        let locations: ModelLocations?
    }

    private final class Slot: Sendable {
        let network = Locked<(any Sendable)?>(nil)
    }

    private let slots = Locked<[Key: Slot]>([:])

    package init() {}

    /// Returns the loaded network of a name, and loads it where it is not.
    ///
    /// - Parameters:
    ///   - name: of the model that the network is made of, for errors.
    ///   - form: what tells the networks apart that a type makes of one model.
    ///   - store: where the model is; nil for what is built into the library. Stores with the same folders share
    ///     networks.
    ///   - load: makes the network. Networks of other names can be loaded meanwhile, and by `load` itself.
    /// - Throws: `ModelStoreError`. Other errors of `load` mean that the model is damaged.
    package func network<Network: AnyObject & Sendable>(
        _ name: String, as form: String = "", in store: InstalledModels?, load: () throws -> Network
    ) throws(ModelStoreError) -> Network {
        let key = Key(type: ObjectIdentifier(Network.self), name: name, form: form, locations: store?.locations)
        let slot = slots.withLock { slots in
            if let slot = slots[key] { return slot }
            let slot = Slot()
            slots[key] = slot
            return slot
        }
        let result: Result<Network, ModelStoreError> = slot.network.withLock { loaded in
            if let network = loaded as? Network { return .success(network) }
            do {
                let network = try load()
                loaded = network
                return .success(network)
            } catch let error as ModelStoreError {
                return .failure(error)
            } catch {
                let reason = "it cannot be loaded: \(error)"
                return .failure(
                    store == nil ? .damagedBuiltIn(name, reason: reason) : .damaged(name, reason: reason))
            }
        }
        return try result.get()
    }
}
