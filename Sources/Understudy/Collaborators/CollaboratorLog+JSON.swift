import BusinessLogic

extension CollaboratorLog.Answer {
    init?(_ value: Value) {
        guard let object = value.object, let name = object["from"]?.string else { return nil }
        if let answer = object["answer"] {
            self.init(name, .success(answer))
        } else if let failure = object["failure"].flatMap(CollaboratorFailure.init(recorded:)) {
            self.init(name, .failure(failure))
        } else {
            return nil
        }
    }

    var value: Value {
        switch result {
        case .success(let answer): ["from": .string(name), "answer": answer]
        case .failure(let failure): ["from": .string(name), "failure": failure.value]
        }
    }
}
