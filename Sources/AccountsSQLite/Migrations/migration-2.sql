CREATE TABLE device (
    key BLOB NOT NULL PRIMARY KEY, -- the hash of the token
    account_id TEXT NOT NULL,
    failures INTEGER NOT NULL,
    expires INTEGER NOT NULL -- milliseconds since 1970-01-01T00:00:00Z
) STRICT, WITHOUT ROWID;

CREATE INDEX device_of_account ON device (account_id, expires);

CREATE INDEX device_by_expiry ON device (expires);
