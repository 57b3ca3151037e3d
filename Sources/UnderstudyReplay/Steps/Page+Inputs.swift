import BusinessLogic
import UnderstudyPages

extension Page {
    /// For a search: the examples, and for each field the variants of their values, with the values of the first example in the other fields.
    func inputs(of index: Int) -> [Value.Object] {
        let declaration = events[index]
        let declared = eventExamples[index]()
        let examples = declared.isEmpty ? [declaration.exampleValues] : declared
        guard let base = examples.first else { return [[:]] }
        var inputs = examples.map(Value.object)
        for field in declaration.reads {
            var absent = base
            absent[field.name] = nil
            inputs.append(.object(absent))
            var values = examples.compactMap { $0[field.name] }
            values += rules.filter { $0.name == field.name }.compactMap(\.example).map(Value.string)
            for variant in (values + field.schema.variants(of: values)).distinct {
                var changed = base
                changed[field.name] = variant
                inputs.append(.object(changed))
            }
        }
        if !declaration.reads.isEmpty {
            var unknown = base
            unknown["unknownField"] = 1
            inputs.append(.object(unknown))
        }
        return inputs.distinct.compactMap(\.object)
    }
}

extension ApplicationStep {
    /// What a search needs to know: for each page its events with their inputs and outcomes, and the results of its collaborators at that time.
    /// `resultsDayLater` contains those that differ a day later.
    func description(at time: Timestamp) -> Value.Object {
        ["pages": .array(pages.all.map { .object(description(of: $0, at: time)) })]
    }

    private func description(of page: Page, at time: Timestamp) -> Value.Object {
        let events = page.events.indices.map { index -> Value in
            [
                "event": .string(page.events[index].event.name),
                "inputs": .array(page.inputs(of: index).map(Value.object)),
            ]
        }
        var (results, dayLater): (Value.Object, Value.Object) = ([:], [:])
        // The calls of one collaborator can return several types.
        for examples in page.resultExamples() {
            let name = examples.collaborator
            results[name] = .array((results[name]?.array ?? []) + examples.results(at: time))
            dayLater[name] = .array((dayLater[name]?.array ?? []) + examples.results(at: time + .seconds(86_400)))
        }
        for (name, later) in dayLater where later == results[name] { dayLater[name] = nil }
        let outcomes = PageOutcome.declared(by: page).map { outcome -> Value in
            ["event": .string(outcome.event), "outcome": .string(outcome.name)]
        }
        return [
            "page": .string(page.name), "events": .array(events), "outcomes": .array(outcomes),
            "results": .object(results), "resultsDayLater": .object(dayLater),
        ]
    }
}
