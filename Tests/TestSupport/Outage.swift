/// The error of a collaborator that is unavailable.
package struct Outage: Error, Equatable {
    package init() {}
}
