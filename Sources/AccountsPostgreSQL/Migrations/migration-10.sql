-- The audit log. The numbers are in the order of its chain, because transactions that add records lock each other out.
CREATE TABLE audit_record (
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    time bigint NOT NULL, -- as in the line; milliseconds since 1970-01-01T00:00:00Z
    account_id bytea, -- as in the line; also of an account that was deleted
    line bytea NOT NULL -- the record as JSON, which contains the hash of the line before
);

CREATE INDEX audit_record_account ON audit_record (account_id, number) WHERE account_id IS NOT NULL;
