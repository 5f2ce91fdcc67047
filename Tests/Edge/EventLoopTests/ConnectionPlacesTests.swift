import EventLoop
import Testing

struct ConnectionPlacesTests {
    private let limits = ConnectionLimits(
        total: 10, belowOwners: 8, readers: 6, perAdministrator: 3, perReader: 2)

    @Test func oneUserHasOnlyItsShare() {
        var places = ConnectionPlaces(limits)
        let first = (0..<5).map { _ in places.reserve(1, .reader) }
        #expect(first == [true, true, false, false, false])
        let second = (0..<2).map { _ in places.reserve(2, .reader) }
        #expect(second == [true, true])
        #expect(places.refused == 3)
        #expect(places.count == 4)
    }

    @Test func readersLeavePlacesForAdministratorsAndTheseForOwners() {
        var places = ConnectionPlaces(limits)
        let readers = (1...9).count { places.reserve($0, .reader) }
        #expect(readers == 6)
        let administrators = (11...19).count { places.reserve($0, .administrator) }
        #expect(administrators == 2)
        let owners = (0..<9).count { _ in places.reserve(0, .owner) }
        #expect(owners == 2)
        #expect(places.count == 10)
    }

    @Test func placesThatWereGivenBackAreFree() {
        var places = ConnectionPlaces(limits)
        for _ in 0..<100 {
            #expect(reserve(1, &places) == true)
            #expect(reserve(1, &places) == true)
            #expect(reserve(1, &places) == false)
            places.remove(1, .reader)
            places.remove(1, .reader)
        }
        #expect(places.count == 0)
    }

    @Test func connectionsThatExistAreCountedBeyondTheLimits() {
        var places = ConnectionPlaces(limits)
        for _ in 0..<5 { places.add(1, .reader) }
        #expect(reserve(1, &places) == false)
        for _ in 0..<4 { places.remove(1, .reader) }
        #expect(reserve(1, &places) == true)
    }

    @Test(arguments: [1, 2, 8, 16, 64, 1_024, 10_000])
    func kindOfSocketHasPlacesForEveryone(total: Int) {
        let limits = ConnectionLimits(total: total)
        #expect(limits.readers >= 1 && limits.perReader >= 1)
        #expect(limits.readers <= limits.belowOwners && limits.belowOwners <= total)
        #expect(total < 16 || limits.belowOwners < total && limits.readers < limits.belowOwners)
        #expect(total < 32 || limits.perReader <= limits.readers / 2)
    }

    private func reserve(_ user: UInt32, _ places: inout ConnectionPlaces) -> Bool {
        places.reserve(user, .reader)
    }
}
