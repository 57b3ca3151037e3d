/// What a collaborator throws that cannot do its work now.
struct Outage: Error, Equatable {}
