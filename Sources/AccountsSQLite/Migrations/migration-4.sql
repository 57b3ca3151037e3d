-- The sessions of a server that has stopped. The next one deletes them when it starts.
CREATE TABLE saved_session (
    id BLOB NOT NULL PRIMARY KEY, -- the hash of the token
    account_id BLOB, -- in UTF-8
    created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    last_used INTEGER NOT NULL,
    revocation INTEGER NOT NULL, -- the last session_ending that the server had applied
    content BLOB NOT NULL
) STRICT;

CREATE INDEX saved_session_by_use ON saved_session (last_used, id);
