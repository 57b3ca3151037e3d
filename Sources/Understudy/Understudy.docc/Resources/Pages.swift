import Understudy

let pages = [Page("registration") { _ in RegistrationController() }]
