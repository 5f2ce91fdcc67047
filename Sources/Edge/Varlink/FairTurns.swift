/// A queue in which users take turns, one call each. The clients of one user are served in the order of their calls.
///
/// A user with many clients delays only the user's own calls.
struct FairTurns<Client> {
    private var clients: [UInt32: [Client]] = [:]
    /// The users with waiting clients; the first one is next.
    private var users: [UInt32] = []

    var isEmpty: Bool { users.isEmpty }

    mutating func add(_ client: Client, of user: UInt32) {
        if clients[user]?.isEmpty ?? true { users.append(user) }
        clients[user, default: []].append(client)
    }

    mutating func next() -> Client? {
        guard let user = users.first, var waiting = clients.removeValue(forKey: user), !waiting.isEmpty else {
            return nil
        }
        users.removeFirst()
        let client = waiting.removeFirst()
        if !waiting.isEmpty {
            clients[user] = waiting
            users.append(user)
        }
        return client
    }
}
