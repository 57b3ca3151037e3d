struct DayTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2027-03-01", 20_878), ("0001-01-01", -719_162),
        ("9999-12-31", 2_932_896), ("1900-03-01", -25_508), ("2024-02-29", 19_782),
    ])
    func `a day has a number since 1970`(text: String, number: Int) throws {
        let day = try #require(Day(text))
        #expect(day.daysSince1970 == number)
        #expect(day.description == text)
        #expect(("1970-01-01" as Day).adding(days: number) == day)
    }

    @Test(arguments: [
        "", "2027", "2027-3-1", "2027-02-29", "1900-02-29", "2027-13-01", "2027-00-01", "2027-01-00", "2027-04-31",
        "0000-01-01", "+2027-01-01", "2027-01-01 ", "2027-01-01T00:00:00Z", "27-01-01", "2027/01/01", "２０２７-01-01",
    ])
    func `a text that is no day of the calendar is rejected`(text: String) {
        #expect(Day(text) == nil)
        #expect(Day(screenValue: .string(text)) == nil)
    }

    @Test func `every day of 800 years follows the day before`() {
        var day: Day = "1600-01-01"
        for number in day.daysSince1970...(day.daysSince1970 + 292_194) {
            #expect(day.daysSince1970 == number)
            let next = day.adding(days: 1)
            #expect(day < next)
            day = next
        }
        #expect(day == "2400-01-02")
    }

    @Test func `a day beyond the calendar is its first or last one`() {
        let day: Day = "2027-03-01"
        #expect(day.adding(days: .max).description == "9999-12-31")
        #expect(day.adding(days: .min).description == "0001-01-01")
        #expect(Day(Timestamp.ms(.max)).description == "9999-12-31")
        #expect(Day(Timestamp.ms(.min)).description == "0001-01-01")
    }

    @Test func `a day is the day of its times in UTC`() throws {
        for text in ["2027-03-01T00:00:00Z", "2027-03-01T23:59:59.999Z", "1969-12-31T12:00:00Z"] {
            #expect(Day(try #require(Timestamp(text))).description == String(text.prefix(10)))
        }
    }
}

struct ClocksOfTestsTests {
    @Test func `examples can be relative to the day on which clocks for tests start`() {
        #expect(Day(ManualClock().now).screenValue == .today())
        #expect([Value.today(), .today(-60), .today(1)] == ["2027-03-01", "2026-12-31", "2027-03-02"])
    }
}

struct TimestampTextTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
        ("2027-03-01T09:30:00Z", 1_803_893_400_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `a time is written in UTC, and read again`(text: String, milliseconds: Int64) {
        #expect(Timestamp.ms(milliseconds).description == text)
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("2027-03-01T10:30:00+01:00", "2027-03-01T09:30:00Z"), ("2027-03-01T00:30:00-09:00", "2027-03-01T09:30:00Z"),
        ("2027-03-01t09:30:00z", "2027-03-01T09:30:00Z"), ("2027-03-01T09:30:00.5Z", "2027-03-01T09:30:00.500Z"),
        ("2027-03-01T09:30:00.123456789Z", "2027-03-01T09:30:00.123Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("2027-03-01T09:30:00-00:00", "2027-03-01T09:30:00Z"),
    ])
    func `a time may have an offset, a fraction and a leap second`(text: String, time: String) {
        #expect(Timestamp(text)?.description == time)
    }

    @Test(arguments: [
        "", "2027-03-01", "2027-03-01T09:30Z", "2027-03-01T09:30:00", "2027-03-01T24:00:00Z", "2027-03-01T09:60:00Z",
        "2027-03-01T09:30:61Z", "2027-03-01T09:30:00.Z", "2027-03-01T09:30:00+1:00", "2027-03-01T09:30:00+24:00",
        "2027-03-01T09:30:00+01:60", "2027-02-29T09:30:00Z", "2027-03-01 09:30:00Z", "2027-03-01T09:30:00Z ",
    ])
    func `a text of another form is rejected`(text: String) { #expect(Timestamp(text) == nil) }

    @Test func `a form's time without seconds or an offset is in UTC`() {
        for text in ["2027-03-01T09:30", "2027-03-01T09:30:00"] {
            let time = Timestamp.valueSchema.value(ofText: text).flatMap(Timestamp.init)
            #expect(time == Timestamp("2027-03-01T09:30:00Z"))
        }
        #expect(Timestamp.valueSchema.value(ofText: "soon") == "soon")
    }

    @Test func `times that no text can express are written as the first and the last one`() {
        #expect(Timestamp.ms(.max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.ms(.min).description == "0001-01-01T00:00:00Z")
    }
}

struct AmountTests {
    @Test func `an amount is the same value as another one of the same number`() {
        #expect((13 as Amount).screenValue == Amount(units: 1300).screenValue)
        #expect((13 as Amount).screenValue != Amount(units: 1301).screenValue)
        // No double is that integer.
        #expect(Value.number(.double(9_007_199_254_740_992)) != .number(.integer(9_007_199_254_740_993)))
    }

    @Test(arguments: [
        ("12.50", 1250, 2), ("-0.05", -5, 2), ("0", 0, 0), ("3", 3, 0), ("0.0001", 1, 4), ("-7.1", -71, 1),
        ("999999999999999", 999_999_999_999_999, 0),
    ])
    func `an amount is read and written with its fraction digits`(text: String, units: Int, digits: Int) throws {
        let amount = try #require(Amount(text))
        #expect(amount.units == units)
        #expect(amount.fractionDigits == digits)
        #expect(amount.description == text)
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "1.23456", "1,5", "+1", "1e3", "0x1", "--1", "1-", "1000000000000000", "1.2.3", "１",
        "99999999999999999999999",
    ])
    func `a text of another form is rejected`(text: String) { #expect(Amount(text) == nil) }

    @Test func `a number in JSON becomes the same amount`() throws {
        for units in [0, 1, 5, 10, 19_99, 12_50, 100, 1_234_567_89, 999_999_999_999_999, -1] {
            for digits in 0...4 {
                let amount = Amount(units: units, fractionDigits: digits)
                let json = JSONWriter.bytes { $0.value(amount.screenValue) }
                #expect(Amount(screenValue: try JSONReader.read(json)) == amount)
            }
        }
        for value in [
            .null, "12.5", 1.23456, 1e15, 1e300, -1e-7, true, .number(.double(.nan)), .number(.integer(.min)),
        ] as [Value] { #expect(Amount(screenValue: value) == nil) }
    }

    @Test func `amounts are added, multiplied and compared exactly`() {
        #expect(Amount(units: 10) + Amount(units: 20) == Amount(units: 30))
        #expect(Amount(units: 1, fractionDigits: 1) + Amount(units: 2, fractionDigits: 2) == Amount(units: 12))
        #expect(Amount(units: 250) * 3 - 1 == Amount(units: 650))
        #expect(Amount(units: 150) == Amount(units: 15, fractionDigits: 1))
        #expect(Amount(units: 150).hashValue == Amount(units: 15, fractionDigits: 1).hashValue)
        #expect(Amount(units: -151) < Amount(units: -15, fractionDigits: 1))
        let extremes = [Amount(units: .max, fractionDigits: 0), 0, Amount(units: .min, fractionDigits: 4)]
        #expect(extremes.min()?.units == .min)
    }

    @Test func `a field of an amount accepts at most its fraction digits`() {
        let price = Field<Amount>("price", in: 0...1000).declaration.schema
        let values: [Value] = [0, 1.5, 12.99, 1000, 12.999, -0.01, 1000.01, "1"]
        #expect(values.filter { price.accepts($0) } == Array(values.prefix(4)))
        let rate = Field<Amount>("rate", fractionDigits: 4).declaration.schema
        #expect(rate.accepts(0.0001) && !rate.accepts(0.00001))
        #expect(price.jsonSchema(.input) == ["type": "number", "format": "decimal", "minimum": 0, "maximum": 1000])
    }
}
