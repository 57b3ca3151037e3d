-- What the user has besides the password to log in, as JSON; null for nothing.
ALTER TABLE account ADD COLUMN factors TEXT;

-- The passkeys of all accounts, so that no two accounts have the same one.
CREATE TABLE passkey (
    key BLOB NOT NULL PRIMARY KEY, -- the hash of its ID
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX passkey_account ON passkey (account_id);
