-- The sessions that are stored after each event.
CREATE TABLE session (
    number INTEGER NOT NULL PRIMARY KEY,
    id BLOB NOT NULL UNIQUE, -- the hash of the token
    version INTEGER NOT NULL, -- the number of commits
    account_id BLOB, -- in UTF-8
    created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    last_used INTEGER NOT NULL,
    content BLOB NOT NULL -- everything except the events
) STRICT;

CREATE INDEX session_of_account ON session (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE session_event (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    version INTEGER NOT NULL, -- the session's version with which the event was committed
    token BLOB NOT NULL, -- identifies the commit
    content BLOB NOT NULL,
    PRIMARY KEY (session, version)
) STRICT, WITHOUT ROWID;

-- The IDs that logins and logouts have replaced, for a minute.
CREATE TABLE replaced_session (
    id BLOB NOT NULL PRIMARY KEY,
    expires INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    response BLOB -- encrypted with a key that the server does not store
) STRICT, WITHOUT ROWID;
