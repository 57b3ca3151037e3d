import BusinessLogic

extension ValueSchema {
    /// Values at and beyond the bounds of the schema, and values of other types: each once, valid and invalid ones. The variants of texts are made of
    /// the examples, which may be invalid.
    func variants(of examples: [Value]) -> [Value] {
        var variants: [Value] = [.null]
        switch kind {
        case .string: variants += textVariants(of: examples) + [1]
        case .number, .integer: variants += numberVariants
        case .boolean: variants += [true, false, "yes"]
        case .choice(let choices): variants += choices.map(Value.string) + ["unknown", ""]
        case .array(let element): variants += listVariants(of: element, examples)
        case .object(let members): variants += objectVariants(members)
        case .any: variants += ["text", 1, true, [], [:]]
        }
        return variants.distinct
    }

    private func textVariants(of examples: [Value]) -> [Value] {
        if isTime { return timeVariants }
        let texts = (examples + [example]).compactMap(\.string).filter { !$0.isEmpty }
        var variants = ["", " "]
        let maximum = maximumLength(.input)
        let pattern = texts.first ?? "a"
        for length in [minimumLength - 1, minimumLength, maximum, maximum + 1] where length > 0 && length <= 1 << 12 {
            variants.append(pattern.extended(to: length))
        }
        for text in Set(texts).sorted() { variants += text.neighbours }
        return variants.map(Value.string)
    }

    private var timeVariants: [Value] {
        let bounds = range.map { [$0.minimum, $0.maximum] } ?? []
        let others: [Value] =
            format == "date"
            ? ["0001-01-01", "9999-12-31", "2028-02-29", "2027-02-29"]
            : ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
        return bounds + others + ["", "soon"]
    }

    private var numberVariants: [Value] {
        var variants: [Value] = [0, 1, -1, 2, 1_000_000, "1"]
        if kind == .number { variants += [0.5, -0.5, 1e300] }
        if let digits = fractionDigits {
            let divisor = (0...digits).reduce(1.0) { divisor, _ in divisor * 10 }
            variants.append(Value(1 / divisor))
        }
        for bound in [range?.minimum, range?.maximum] {
            guard let bound else { continue }
            variants.append(bound)
            if let integer = bound.integer {
                variants += [Value(integer.subtractingSaturated(1)), Value(integer.addingSaturated(1))]
            } else if let double = bound.double {
                variants += [Value(double.nextDown), Value(double.nextUp)]
            }
        }
        return variants
    }

    private func listVariants(of element: ValueSchema, _ examples: [Value]) -> [Value] {
        let count = count(.input)
        let counts = [0, 1, 2, count.lowerBound - 1, count.lowerBound, count.upperBound, count.upperBound + 1]
        let lists = counts.filter((0...1000).contains).map { Value.array(Array(repeating: element.example, count: $0)) }
        let elements = examples.flatMap { $0.array ?? [] }
        return lists + element.variants(of: elements).map { .array([$0]) } + ["text"]
    }

    private func objectVariants(_ members: [FieldDeclaration]) -> [Value] {
        guard let whole = example.object else { return [] }
        var variants: [Value] = [.object(whole), [:], "text"]
        for member in members {
            var changed = whole
            changed[member.name] = nil
            variants.append(.object(changed))
            for variant in member.schema.variants(of: [whole[member.name] ?? .null]) {
                changed[member.name] = variant
                variants.append(.object(changed))
            }
        }
        var extended = whole
        extended["unknown"] = 1
        return variants + [.object(extended)]
    }
}

extension String {
    /// Repeats or cuts the text to that number of code points.
    fileprivate func extended(to length: Int) -> String {
        var scalars = String.UnicodeScalarView()
        while scalars.count < length { scalars.append(contentsOf: unicodeScalars.prefix(length - scalars.count)) }
        return String(scalars)
    }

    /// Texts in which one part between signs is missing, begins or ends with a hyphen, or is longer than 63 characters, the limit of DNS labels
    /// (RFC 1035, section 2.3.4).
    private var partVariants: [String] {
        let parts = split { $0.isASCII && !$0.isLetter && !$0.isNumber }
        guard parts.count > 1 else { return [] }
        return parts.flatMap { part in
            let text = String(part)
            let others = ["", "-\(text)", "\(text)-", text.extended(to: 63), text.extended(to: 64)]
            return others.map { "\(self[..<part.startIndex])\($0)\(self[part.endIndex...])" }
        }
    }

    /// Texts that a rule may treat in another way than this one: with one more or one less character, in another case, with characters
    /// that people type in identifiers, and with characters outside of ASCII.
    fileprivate var neighbours: [String] {
        let middle = index(startIndex, offsetBy: count / 2)
        var texts = [self, " \(self) ", String(dropLast()), String(dropFirst()), self + suffix(1), self + self]
        let marks = [" ", "-", ".", "_", "/", "@", "+", "\u{A0}", "\u{200B}", "\n", "\0"]
        texts += marks.map { self[..<middle] + $0 + self[middle...] }
        texts += [uppercased(), lowercased(), dropLast() + "\u{663}", dropLast() + "é", "+" + self, self + "."]
        texts += partVariants
        texts += ["-", ".", " ", "@"].filter { contains($0) }.map { replacing($0, with: "") }
        return texts
    }
}

extension [Value] {
    var distinct: [Value] { unique(by: \.json) }
}
