import BusinessLogic
import UnderstudyPages

extension Page {
    /// The values that a collaborator can return in a search which does not call it: those that the page declares, and values of the usual
    /// types. Not all are of the type of each of its results.
    func possibleResults(of collaborator: String) -> (declared: [Value], usual: [Value]) {
        let declared = resultExamples().filter { $0.collaborator == collaborator }.flatMap(\.results)
        return (declared, [nil, true, false, [], "text", "", 1, 0])
    }
}
