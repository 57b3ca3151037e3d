/// What a call to a database is about, for a client or an operator whose request fails because the database is unavailable.
package enum DatabasePart: String, Sendable {
    case accounts, audit, mail, pages, products, sessions, topics
}
