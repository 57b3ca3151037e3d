extension Problem {
    /// The codes of all problems. Clients depend on them.
    package enum Code: String, CaseIterable {
        case malformedRequest, malformedJSON, malformedBody, invalidParameter, notAuthenticated, crossSite
        case unknownPage, unknownProblem, notRecorded, methodNotAllowed, historyGone, bodyTooLarge, targetTooLong
        case unsupportedMediaType, unknownEvent, missingField, wrongFieldType, unknownField, idempotencyKeyReused
        case unknownRule, tooManyRequests, headersTooLarge, `internal`, unsupportedTransferCoding, overloaded,
            unavailable
        case answerTimeout, unsupportedHTTPVersion, valueTooLong, sessionFull, misdirectedRequest
        case valueTooShort, valueOutOfRange, unknownChoice, wrongCount

        /// The HTTP status.
        package var status: Int { entry.status }

        /// A short description that never changes.
        package var title: String { entry.title }

        private var entry: (status: Int, title: String) {
            switch self {
            case .malformedRequest: (400, "The request is not well-formed HTTP")
            case .malformedJSON: (400, "The body is not JSON")
            case .malformedBody: (400, "The body does not have the right shape")
            case .invalidParameter: (400, "A parameter does not have the right form")
            case .notAuthenticated: (401, "There is no such session, or no user is logged in")
            case .crossSite: (403, "The request comes from another site")
            case .unknownPage: (404, "There is no such page")
            case .unknownProblem: (404, "There is no such problem")
            case .notRecorded: (404, "The session is not recorded")
            case .methodNotAllowed: (405, "The method is not allowed here")
            case .historyGone: (410, "The history does not go back that far")
            case .bodyTooLarge: (413, "The body is too large")
            case .targetTooLong: (414, "The request target is too long")
            case .unsupportedMediaType: (415, "The body is of a type that is not understood")
            case .unknownEvent: (422, "There is no such event")
            case .missingField: (422, "A field is missing")
            case .wrongFieldType: (422, "A field is of the wrong type")
            case .unknownField: (422, "There is no such field")
            case .idempotencyKeyReused: (422, "The idempotency key has been used for something else")
            case .unknownRule: (422, "There is no such rule")
            case .tooManyRequests: (429, "Too many requests")
            case .headersTooLarge: (431, "The header section is too large")
            case .internal: (500, "Something went wrong on the server")
            case .unsupportedTransferCoding: (501, "The transfer coding is not understood")
            case .overloaded: (503, "The server has too much to do")
            case .unavailable: (503, "The service is not available")
            case .answerTimeout: (504, "The answer took too long")
            case .unsupportedHTTPVersion: (505, "The HTTP version is not understood")
            case .valueTooLong: (422, "A value is too long")
            case .sessionFull: (422, "The session has no room for this")
            case .misdirectedRequest: (421, "The server does not answer for this host")
            case .valueTooShort: (422, "A value is too short")
            case .valueOutOfRange: (422, "A value is too small or too large")
            case .unknownChoice: (422, "A value is not one of the choices")
            case .wrongCount: (422, "A list has too few or too many elements")
            }
        }

        /// What the error means, when it occurs and what to do about it. `GET /problems/CODE` returns it.
        package var explanation: String {
            switch self {
            case .malformedRequest:
                "The HTTP message breaks the rules of RFC 9110 or RFC 9112: a header's name, the length of the body, the "
                    + "Host header. Nothing ran, and the server closes the connection. Correct the client or the proxy."
            case .malformedJSON:
                "The body must be strict JSON (RFC 8259): UTF-8 without a byte order mark, no duplicate members, at most 32 "
                    + "levels deep. 'detail' contains the byte offset of the error. Nothing ran."
            case .malformedBody:
                "The body is an object with 'event', 'values' or both and nothing else, or the values of the page's default "
                    + "event alone, or the same as a form. A value is a string, a number, a boolean or null, or an array or an "
                    + "object if its field declares one. All values with their members and elements are at most 1,000, and 8 "
                    + "levels deep. The indices of a list in a form are 0, 1, 2 without gaps. What POST /validate takes is in "
                    + "GET /openapi.yaml. 'pointer' (RFC 6901) points to the error. Nothing ran."
            case .invalidParameter:
                "A query parameter or a header is invalid: 'since' is a whole number from "
                    + "0, 'wait' one from 0 to 50, an Idempotency-Key is 1 to 255 printable ASCII characters. Nothing ran."
            case .notAuthenticated:
                "The session's token or cookie is missing, unknown or has expired, or no user is logged in. Start a "
                    + "session with POST /session and send its token as 'Authorization: Bearer TOKEN', or log in on a "
                    + "page with a login."
            case .crossSite:
                "The browser reports that another site sent the request (Sec-Fetch-Site or Origin). Only pages of this site, "
                    + "and of those that the option --allowed-origins names, may change something. Nothing ran."
            case .unknownPage:
                "There is no page or route at this path. 'pages' lists all pages."
            case .unknownProblem:
                "No problem has this code. GET /openapi.yaml lists all codes."
            case .notRecorded:
                "Sessions are recorded only if the server was started with --record."
            case .methodNotAllowed:
                "The path exists, but does not allow this method. The header Allow lists the methods that "
                    + "it allows."
            case .historyGone:
                "A session keeps its last 256 commands at most, and the request needs older ones. GET the page to see what "
                    + "it shows now, and continue from its 'sequence'."
            case .bodyTooLarge:
                "The body is larger than 'limit' bytes. It was not read, and nothing ran."
            case .targetTooLong:
                "The path and the query have more than 'limit' bytes. Nothing ran."
            case .unsupportedMediaType:
                "A body is either JSON (Content-Type: application/json; with curl: --json) or a form "
                    + "(application/x-www-form-urlencoded; with curl: -d name=value). Nothing ran."
            case .unknownEvent:
                "The page has no event of this name. 'events' lists those that it has. Nothing ran."
            case .missingField:
                "The event reads a field that was neither sent nor kept from a previous event. 'field' names it, 'fields' "
                    + "lists all that the event reads. A secret field is never kept. Nothing ran, and no attempt is spent."
            case .wrongFieldType:
                "The value of a field has the wrong type, or a text in it contains U+0000. 'field' names it, 'expected' is the "
                    + "required type, 'fields' lists all that the event reads, and 'errors' all faults. Nothing ran, and no attempt is spent."
            case .unknownField:
                "No event of the page reads a field of this name; it may be misspelt. 'field' names it, 'fields' lists those "
                    + "that the page reads. Nothing ran, and no attempt is spent."
            case .idempotencyKeyReused:
                "Within a session, an Idempotency-Key belongs to one request. This key was used with another body or on "
                    + "another page. Use a new key for a new request. Nothing ran."
            case .unknownRule:
                "POST /validate has no rule with this name. 'rules' lists all rules, 'pointer' (RFC 6901) points to the "
                    + "check. Nothing was checked."
            case .tooManyRequests:
                "Too many requests came from one address, or too many logins or sign-ups were attempted. Nothing ran. Send the "
                    + "request again after the number of seconds in the header Retry-After. For a limit on requests, the header "
                    + "RateLimit-Policy contains their maximum number and the interval in seconds."
            case .headersTooLarge:
                "The header fields have more than 'limit' bytes together. Nothing ran."
            case .internal:
                "The server has a fault. Its log contains the cause with the request's ID, which is in this response as "
                    + "'requestID' and in the header X-Request-ID."
            case .unsupportedTransferCoding:
                "The server supports only the transfer coding chunked. Nothing ran, and the server closes the "
                    + "connection. Send the body without any other coding."
            case .overloaded:
                "The server has more work than it can do in time. Nothing ran. Send the request again after the number of "
                    + "seconds in the header Retry-After."
            case .unavailable:
                "The server, or a service that the event needs, is unavailable. The session is as before. Send the request "
                    + "again after the number of seconds in the header Retry-After."
            case .answerTimeout:
                "The event did not end in time and may still be running. GET the page to see its current state. "
                    + "An Idempotency-Key makes it safe to send the event again."
            case .unsupportedHTTPVersion:
                "The server supports HTTP/1.1 and HTTP/1.0. Nothing ran, and the server closes the connection."
            case .valueTooLong:
                "A field, or a value to validate, has more than 'maximum' Unicode code points. 'field' names the field, "
                    + "'pointer' (RFC 6901) the value to validate. Nothing ran, and no attempt is spent."
            case .sessionFull:
                "With this event, the session would take more than 'limit' bytes. The event's commands and its changes to the "
                    + "session were discarded: the session is as before. Start another session with POST /session."
            case .valueTooShort:
                "A text has fewer than 'minimum' Unicode code points. 'errors' lists all faults, each with its 'pointer' (RFC 6901). "
                    + "Nothing ran, and no attempt is spent."
            case .valueOutOfRange:
                "A number, a date or a time is not from 'minimum' to 'maximum'. 'errors' lists all faults, each with its 'pointer' "
                    + "(RFC 6901). Nothing ran, and no attempt is spent."
            case .unknownChoice:
                "A text is not one of 'choices'. 'errors' lists all faults, each with its 'pointer' (RFC 6901). Nothing ran, and no "
                    + "attempt is spent."
            case .wrongCount:
                "A list has fewer than 'minimum' or more than 'maximum' elements. 'errors' lists all faults, each with its "
                    + "'pointer' (RFC 6901). Nothing ran, and no attempt is spent."
            case .misdirectedRequest:
                "The header Host names 'host', which this server does not serve. A server on a loopback address serves "
                    + "only for localhost, IP addresses, the host of --public-url and those that --allowed-hosts names; so a "
                    + "page of another site cannot reach it through DNS. Nothing ran, and the server closes the connection. Use one of "
                    + "these hosts, or ask the operator to allow this one."
            }
        }
    }
}
