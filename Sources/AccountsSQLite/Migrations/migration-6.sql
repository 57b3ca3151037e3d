-- One row. It is in the database so that all servers, and the next start, hash an address in the same way.
CREATE TABLE address_key (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
) STRICT;

ALTER TABLE saved_session ADD COLUMN address BLOB;

-- A new table, because SQLite reads a long content before it reads a column after it.
CREATE TABLE new_session (
    number INTEGER NOT NULL PRIMARY KEY,
    id BLOB NOT NULL UNIQUE, -- the hash of the token
    version INTEGER NOT NULL, -- the number of commits
    account_id BLOB, -- in UTF-8
    created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    last_used INTEGER NOT NULL,
    address BLOB, -- a keyed hash
    size INTEGER NOT NULL, -- the bytes that the session counts for
    content BLOB NOT NULL -- everything except the events
) STRICT;

INSERT INTO new_session
SELECT number, id, version, account_id, created, last_used, NULL, 1024 + length(content), content FROM session;

DROP TABLE session;
ALTER TABLE new_session RENAME TO session;

CREATE INDEX session_of_account ON session (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX session_of_address ON session (address, created, number)
    WHERE account_id IS NULL AND address IS NOT NULL;
