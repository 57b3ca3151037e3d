import MicroHTTP

/// Hands a service the requests that a server has received.
struct ServiceResponder: Responder {
    let service: UnderstudyService

    func respond(to request: Request) async -> Response {
        await service.answer(request)
    }

    func refuse(_ refusal: RequestRejection, id: String) -> Response {
        service.refuse(refusal, id: id)
    }

    func refuse(_ refusal: RequestRejection, of request: Request) -> Response {
        service.refuse(refusal, of: request)
    }

    func loopWasHeld(by request: Request?, for duration: Duration) {
        service.loopWasHeld(by: request, for: duration)
    }
}
