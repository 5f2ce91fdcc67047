package import Time

extension CivilDate {
    /// The time from which the reference rates of the day apply: 16:15 Central European time, when the European
    /// Central Bank has published them.
    package var ratesApplyFrom: WallTime {
        let minutes: Int64 = 16 * 60 + 15 - (isInSummerTime ? 120 : 60)
        return WallTime(milliseconds: (daysSinceEpoch * 1_440 + minutes) * 60_000)
    }

    /// True if Central Europe has summer time in the afternoon of the day: from the last Sunday of March to the day
    /// before the last Sunday of October. This rule dates from 1996; the first reference rates are from 1999.
    private var isInSummerTime: Bool {
        switch month {
        case 4...9: true
        case 3: isOnOrAfterLastSunday
        case 10: !isOnOrAfterLastSunday
        default: false
        }
    }

    /// True on or after the last Sunday of the month, which must have 31 days.
    private var isOnOrAfterLastSunday: Bool {
        // 1970-01-01 was a Thursday, so adding 4 makes the remainder count from Sunday.
        let weekday = ((daysSinceEpoch + 4) % 7 + 7) % 7
        return day - weekday > 31 - 7
    }
}

extension WallTime {
    /// The last date whose reference rates had been published at this time.
    package var ratesDate: CivilDate {
        let today = date
        return self < today.ratesApplyFrom ? CivilDate(daysSinceEpoch: today.daysSinceEpoch - 1) : today
    }
}
