import HTTPMessages
import UnderstudyPages

/// The stage that limits the requests from one address.
extension UnderstudyService {
    func limitRequests(_ request: Request) throws(Problem) {
        try requestLimit?.admit(request, below: configuration.pathPrefix, clock: configuration.clock)
    }
}
