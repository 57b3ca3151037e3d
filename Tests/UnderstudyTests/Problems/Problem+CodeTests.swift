import BusinessLogic
import HTTPMessages
import Testing

@testable import Understudy
@testable import UnderstudyPages
