package import BusinessLogic

extension CollaboratorLog.Entry {
    package init?(_ value: Value) {
        guard let object = value.object, let name = object["from"]?.string else { return nil }
        if let value = object["answer"] {
            self.init(name, .success(value))
        } else if let failure = object["failure"].flatMap(CollaboratorFailure.init(recorded:)) {
            self.init(name, .failure(failure))
        } else {
            return nil
        }
    }

    package var value: Value {
        switch result {
        case .success(let value): ["from": .string(name), "answer": value]
        case .failure(let failure): ["from": .string(name), "failure": failure.value]
        }
    }
}
