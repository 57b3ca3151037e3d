-- The collation of texts in indexes is "C", the order of their bytes. Another one can change with the operating system.

-- PostgreSQL's own conversion of a text to bytes cannot be in an index, because it depends on the encoding of the database: UTF8 here.
CREATE FUNCTION text_hash(value text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
    SELECT sha256(convert_to(value, 'UTF8'))
$function$;

CREATE TABLE account (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL,
    email_key text COLLATE "C" NOT NULL,
    username text NOT NULL,
    username_key text COLLATE "C" NOT NULL,
    user_id text COLLATE "C",
    contact_email text,
    password_hash text NOT NULL,
    created bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    is_disabled boolean NOT NULL,
    email_confirmed bigint, -- when the user proved that the address is theirs; null if they have not
    factors text, -- what the user has besides the password to log in, as JSON; null for nothing
    note text, -- what an operator has noted for support; null for nothing
    roles text -- the roles of the user, as a JSON array of strings; null for none
);

-- The entries of an index have at most 2,704 bytes. Therefore these indexes contain hashes, and parts of names.
-- PostgreSQL checks them in the order of their creation, and after a restored dump in the order of their names.
-- Both are the order in which conflicts are reported.
CREATE UNIQUE INDEX account_email ON account (text_hash(email_key));
CREATE UNIQUE INDEX account_name ON account (text_hash(username_key));
CREATE UNIQUE INDEX account_user_id ON account (text_hash(user_id));
CREATE INDEX account_order ON account (left(username_key, 256));

-- The passkeys of all accounts, so that no two accounts have the same one.
CREATE TABLE passkey (
    key bytea NOT NULL PRIMARY KEY, -- the hash of its ID
    account_id text COLLATE "C" NOT NULL REFERENCES account (id) ON DELETE CASCADE
);

CREATE INDEX passkey_account ON passkey (account_id);

-- The latest revocation of each account, even if the account has been deleted.
CREATE TABLE session_revocation (
    account_id text COLLATE "C" NOT NULL PRIMARY KEY,
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
    key text COLLATE "C" NOT NULL PRIMARY KEY,
    failures bigint NOT NULL DEFAULT 0,
    last_failure bigint, -- milliseconds since 1970-01-01T00:00:00Z
    refused bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE device (
    key bytea NOT NULL PRIMARY KEY, -- the hash of the token
    account_id text COLLATE "C" NOT NULL,
    failures bigint NOT NULL,
    expires bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    agent text -- 'look' or 'change', a space, and the name; null for a device
) WITH (fillfactor = 80);

CREATE INDEX device_of_account ON device (account_id, expires);
CREATE INDEX device_by_expiry ON device (expires);

CREATE TABLE product (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name_key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    image text NOT NULL
);

CREATE UNIQUE INDEX product_name ON product (text_hash(name_key));

-- One row. It is in the database so that all servers, and the next start, hash an address in the same way.
CREATE TABLE address_key (
    id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    key bytea NOT NULL
);

-- The sessions that are stored after each event, and those of a server with sessions in memory that has stopped.
-- An event changes no indexed column, and the free space lets PostgreSQL put the
-- new row in the same page, without a change of the indexes.
CREATE TABLE session (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id bytea NOT NULL, -- the hash of the token
    version bigint NOT NULL, -- the number of commits
    account_id text COLLATE "C",
    created bigint NOT NULL, -- milliseconds since 1970-01-01T00:00:00Z
    last_used bigint NOT NULL,
    address bytea, -- a keyed hash
    size bigint NOT NULL, -- the bytes that the session counts for
    key text, -- only if something must be done when the session ends
    browser text, -- the kind of browser with which the user has logged in
    content bytea NOT NULL -- everything except the events
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX session_id ON session (id);
CREATE INDEX session_of_account ON session (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX session_of_address ON session (address, created, number)
    WHERE account_id IS NULL AND address IS NOT NULL;

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

-- The keys of sessions that have ended, until everything has been done for them.
CREATE TABLE ended_session (
    key text COLLATE "C" NOT NULL PRIMARY KEY,
    attempts bigint NOT NULL DEFAULT 0, -- how often a server has claimed it
    due bigint NOT NULL DEFAULT 0 -- when a server may claim it, in milliseconds since 1970-01-01T00:00:00Z
);

CREATE FUNCTION add_ended_session() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
    INSERT INTO ended_session (key) VALUES (OLD.key) ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$function$;

-- Whatever ends a session, also another program, adds its key in the same transaction.
CREATE TRIGGER session_ended AFTER DELETE ON session
    FOR EACH ROW WHEN (OLD.key IS NOT NULL) EXECUTE FUNCTION add_ended_session();

-- A logout gives the session another key.
CREATE TRIGGER session_key_changed AFTER UPDATE ON session
    FOR EACH ROW WHEN (OLD.key IS NOT NULL AND OLD.key IS DISTINCT FROM NEW.key) EXECUTE FUNCTION add_ended_session();

-- The topics that servers have published, in the last minutes. A row is visible with the commit that publishes the topic.
CREATE TABLE publication (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- not in the order of the commits
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    token bigint NOT NULL, -- random
    name text NOT NULL,
    key text NOT NULL
);

CREATE INDEX publication_by_transaction ON publication (transaction);

-- The newest row is never deleted, so that a process finds out whether rows were deleted that it has not read.
INSERT INTO publication (token, name, key) VALUES (0, '', '');

-- The mails that wait until they are sent, and those that could not be sent.
CREATE TABLE mail (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    html text,
    expires bigint, -- when it is no longer sent, in milliseconds since 1970-01-01T00:00:00Z
    queued bigint NOT NULL, -- when it was added, or an operator has last had it sent again
    attempts bigint NOT NULL DEFAULT 0, -- how often a server has claimed it since then
    due bigint NOT NULL, -- when a server may claim it
    claimed_until bigint, -- until when no other server may claim it
    failed bigint, -- when it has failed for good
    reason text -- why the last attempt has failed
);

CREATE UNIQUE INDEX mail_id ON mail (id);
CREATE INDEX mail_due ON mail (due, queued) WHERE failed IS NULL;
CREATE INDEX mail_failed ON mail (failed) WHERE failed IS NOT NULL;

-- The audit log. The numbers are in the order of its chain, because transactions that add records lock each other out.
CREATE TABLE audit_record (
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    time bigint NOT NULL, -- as in the line; milliseconds since 1970-01-01T00:00:00Z
    account_id text COLLATE "C", -- as in the line; also of an account that was deleted
    line text NOT NULL -- the record as JSON, which contains the hash of the line before
);

CREATE INDEX audit_record_account ON audit_record (account_id, number) WHERE account_id IS NOT NULL;

-- What probes write and delete again, to find out whether the database can be written.
CREATE TABLE health (
    key bytea NOT NULL PRIMARY KEY,
    content bytea NOT NULL
);
