CREATE TABLE account (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    username TEXT NOT NULL,
    username_key TEXT NOT NULL UNIQUE,
    user_id TEXT UNIQUE,
    contact_email TEXT,
    password_hash TEXT NOT NULL,
    created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    is_disabled INTEGER NOT NULL,
    email_confirmed INTEGER, -- when the user proved that the address is theirs; null if they have not
    factors TEXT, -- what the user has besides the password to log in, as JSON; null for nothing
    note TEXT, -- what an operator has noted for support; null for nothing
    roles TEXT -- the roles of the user, as a JSON array of strings; null for none
) STRICT;

-- The passkeys of all accounts, so that no two accounts have the same one.
CREATE TABLE passkey (
    key BLOB NOT NULL PRIMARY KEY, -- the hash of its ID
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX passkey_account ON passkey (account_id);

-- The latest revocation of each account, even if the account has been deleted.
CREATE TABLE session_revocation (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE throttle (
    key TEXT NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL,
    last_failure INTEGER, -- milliseconds since 1970-01-01T00:00:00Z
    refused INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE device (
    key BLOB NOT NULL PRIMARY KEY, -- the hash of the token
    account_id TEXT NOT NULL,
    failures INTEGER NOT NULL,
    expires INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    agent TEXT -- 'look' or 'change', a space, and the name; null for a device
) STRICT, WITHOUT ROWID;

CREATE INDEX device_of_account ON device (account_id, expires);
CREATE INDEX device_by_expiry ON device (expires);

CREATE TABLE product (
    position INTEGER NOT NULL PRIMARY KEY,
    name_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    image TEXT NOT NULL
) STRICT;

-- One row. It is in the database so that all servers, and the next start, hash an address in the same way.
CREATE TABLE address_key (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
) STRICT;

-- The sessions that are stored after each event, and those of a server with sessions in memory that has stopped.
-- The content is last, because SQLite reads a long one before it reads a column after it.
CREATE TABLE session (
    number INTEGER NOT NULL PRIMARY KEY,
    id BLOB NOT NULL UNIQUE, -- the hash of the token
    version INTEGER NOT NULL, -- the number of commits
    account_id TEXT,
    created INTEGER NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    last_used INTEGER NOT NULL,
    address BLOB, -- a keyed hash
    size INTEGER NOT NULL, -- the bytes that the session counts for
    key TEXT, -- only if something must be done when the session ends
    browser TEXT, -- the kind of browser with which the user has logged in
    content BLOB NOT NULL -- everything except the events
) STRICT;

CREATE INDEX session_of_account ON session (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX session_of_address ON session (address, created, number)
    WHERE account_id IS NULL AND address IS NOT NULL;

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

-- The keys of sessions that have ended, until everything has been done for them.
CREATE TABLE ended_session (
    key TEXT NOT NULL PRIMARY KEY,
    attempts INTEGER NOT NULL DEFAULT 0, -- how often a server has claimed it
    due INTEGER NOT NULL DEFAULT 0 -- when a server may claim it, in milliseconds since 1970-01-01T00:00:00Z
) STRICT, WITHOUT ROWID;

-- Whatever ends a session, also another program, adds its key in the same transaction.
CREATE TRIGGER session_ended AFTER DELETE ON session WHEN OLD.key IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO ended_session (key) VALUES (OLD.key);
END;

-- A logout gives the session another key.
CREATE TRIGGER session_key_changed AFTER UPDATE OF key ON session WHEN OLD.key IS NOT NULL AND OLD.key IS NOT NEW.key
BEGIN
    INSERT OR IGNORE INTO ended_session (key) VALUES (OLD.key);
END;

-- The topics that processes have published, in the last minutes. A row is visible with the commit that publishes the topic.
CREATE TABLE publication (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    token INTEGER NOT NULL, -- random
    name TEXT NOT NULL,
    key TEXT NOT NULL
) STRICT;

-- The newest row is never deleted, so that a process finds out whether rows were deleted that it has not read.
INSERT INTO publication (token, name, key) VALUES (0, '', '');

-- The mails that wait until they are sent, and those that could not be sent.
CREATE TABLE mail (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    html TEXT,
    expires INTEGER, -- when it is no longer sent, in milliseconds since 1970-01-01T00:00:00Z
    queued INTEGER NOT NULL, -- when it was added, or an operator has last had it sent again
    attempts INTEGER NOT NULL DEFAULT 0, -- how often a server has claimed it since then
    due INTEGER NOT NULL, -- when a server may claim it
    claimed_until INTEGER, -- until when no other server may claim it
    failed INTEGER, -- when it has failed for good
    reason TEXT -- why the last attempt has failed
) STRICT;

CREATE INDEX mail_due ON mail (due, queued) WHERE failed IS NULL;
CREATE INDEX mail_failed ON mail (failed) WHERE failed IS NOT NULL;

-- The audit log. The numbers are in the order of its chain.
CREATE TABLE audit_record (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL, -- as in the line; milliseconds since 1970-01-01T00:00:00Z
    account_id TEXT, -- as in the line; also of an account that was deleted
    line TEXT NOT NULL -- the record as JSON, which contains the hash of the line before
) STRICT;

CREATE INDEX audit_record_account ON audit_record (account_id, number) WHERE account_id IS NOT NULL;

-- What probes write and delete again, to find out whether the database can be written.
CREATE TABLE health (
    key BLOB NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;
