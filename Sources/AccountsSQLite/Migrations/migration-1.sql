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
    is_disabled INTEGER NOT NULL
) STRICT;

-- The latest revocation of each account, even if the account has been deleted.
CREATE TABLE session_ending (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE throttle (
    key TEXT NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL,
    last_failure INTEGER -- milliseconds since 1970-01-01T00:00:00Z
) STRICT, WITHOUT ROWID;

CREATE TABLE product (
    position INTEGER NOT NULL PRIMARY KEY,
    name_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    image TEXT NOT NULL
) STRICT;
