// The screen of the README.
import BusinessLogic
import Foundation
import UIKit
import UnderstudyClient

final class GuestbookViewController: UIViewController {
    let session: RemoteSession
    var eventable: (any Eventable)?

    init(_ url: URL) {
        session = RemoteSession(url)
        eventable = GuestbookController()
        eventable = RemoteEventable("guestbook", in: session)  // let session = RemoteSession(url), one for all pages
    }
}
