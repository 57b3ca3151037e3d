-- The audit log. The numbers are in the order of its chain.
CREATE TABLE audit_record (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL, -- as in the line; milliseconds since 1970-01-01T00:00:00Z
    account_id TEXT, -- as in the line; also of an account that was deleted
    line TEXT NOT NULL -- the record as JSON, which contains the hash of the line before
) STRICT;

CREATE INDEX audit_record_account ON audit_record (account_id, number) WHERE account_id IS NOT NULL;
