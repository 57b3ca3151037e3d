CREATE TABLE account (
    id bytea NOT NULL PRIMARY KEY,
    name bytea NOT NULL,
    email bytea NOT NULL,
    email_key bytea NOT NULL,
    username bytea NOT NULL,
    username_key bytea NOT NULL,
    user_id bytea,
    contact_email bytea,
    password_hash bytea NOT NULL,
    created bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    is_disabled boolean NOT NULL
);

-- The entries of an index have at most 2,704 bytes. Therefore these indexes contain hashes, and parts of names.
-- PostgreSQL checks them in the order of their creation, and after a restored dump in the order of their names.
-- Both are the order in which conflicts are reported.
CREATE UNIQUE INDEX account_email ON account (sha256(email_key));
CREATE UNIQUE INDEX account_name ON account (sha256(username_key));
CREATE UNIQUE INDEX account_user_id ON account (sha256(user_id));
CREATE INDEX account_order ON account (substring(username_key FROM 1 FOR 256));

-- The latest revocation of each account, even if the account has been deleted.
CREATE TABLE session_revocation (
    account_id bytea NOT NULL PRIMARY KEY,
    number bigint NOT NULL
);

CREATE UNIQUE INDEX session_revocation_number ON session_revocation (number);

-- One row. A transaction that updates it locks it until the commit. So revocations are committed in the order of
-- their numbers, and no reader of the numbers after N can miss one.
CREATE TABLE session_revocation_counter (last bigint NOT NULL);
INSERT INTO session_revocation_counter VALUES (0);

-- A row is updated at each login. The free space lets PostgreSQL put the new row in the same page, without a
-- change of the index.
CREATE TABLE throttle (
    key bytea NOT NULL PRIMARY KEY,
    failures bigint NOT NULL DEFAULT 0,
    last_failure bigint, -- milliseconds since 1970-01-01T00:00:00Z
    refused bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE device (
    key bytea NOT NULL PRIMARY KEY, -- the hash of the token
    account_id bytea NOT NULL,
    failures bigint NOT NULL,
    expires bigint NOT NULL -- milliseconds since 1970-01-01T00:00:00Z
) WITH (fillfactor = 80);

CREATE INDEX device_of_account ON device (account_id, expires);
CREATE INDEX device_by_expiry ON device (expires);

CREATE TABLE product (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name_key bytea NOT NULL,
    name bytea NOT NULL,
    description bytea NOT NULL,
    image bytea NOT NULL
);

CREATE UNIQUE INDEX product_name ON product (sha256(name_key));

-- The sessions of servers that have stopped. The next one deletes them when it starts.
CREATE TABLE saved_session (
    id bytea NOT NULL PRIMARY KEY, -- the hash of the token
    account_id bytea,
    created bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    last_used bigint NOT NULL,
    revocation bigint NOT NULL, -- the last session_revocation that the server had applied
    content bytea NOT NULL
);

CREATE INDEX saved_session_by_use ON saved_session (last_used, id);
CREATE INDEX saved_session_of_account ON saved_session (account_id);

-- The sessions that are stored after each event. An event changes no indexed column, and the free space lets PostgreSQL put the
-- new row in the same page, without a change of the indexes.
CREATE TABLE session (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id bytea NOT NULL, -- the hash of the token
    version bigint NOT NULL, -- the number of commits
    account_id bytea,
    created bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    last_used bigint NOT NULL,
    content bytea NOT NULL -- everything except the events
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX session_id ON session (id);
CREATE INDEX session_of_account ON session (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE session_event (
    session bigint NOT NULL REFERENCES session ON DELETE CASCADE,
    version bigint NOT NULL, -- the session's version with which the event was committed
    token bytea NOT NULL, -- identifies the commit
    content bytea NOT NULL,
    PRIMARY KEY (session, version)
);

-- The IDs that logins and logouts have replaced, for a minute.
CREATE TABLE replaced_session (
    id bytea NOT NULL PRIMARY KEY,
    expires bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    response bytea -- encrypted with a key that the server does not store
);
