/// What a collaborator throws that cannot do its work now.
package struct Outage: Error, Equatable {
    package init() {}
}
