-- One row. It is in the database so that all servers, and the next start, hash an address in the same way.
CREATE TABLE address_key (
    id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    key bytea NOT NULL
);

ALTER TABLE saved_session ADD COLUMN address bytea; -- a keyed hash

-- A server of the earlier version inserts sessions without them.
ALTER TABLE session
    ADD COLUMN address bytea, -- a keyed hash
    ADD COLUMN size bigint NOT NULL DEFAULT 2048; -- the bytes that the session counts for

CREATE INDEX session_of_address ON session (address, created, number)
    WHERE account_id IS NULL AND address IS NOT NULL;
