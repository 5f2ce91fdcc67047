/// Whose call is answered next: users one after the other, the clients of one user in the order in which they asked.
///
/// So a user with many clients waits for its own calls, and not the other users.
struct FairTurns<Client> {
    private var clients: [UInt32: [Client]] = [:]
    /// The users who have waiting clients; the first is next.
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
