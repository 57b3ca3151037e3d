-- The mails that wait until they are sent, and those that could not be sent.
CREATE TABLE mail (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id bytea NOT NULL,
    recipient bytea NOT NULL,
    subject bytea NOT NULL,
    text bytea NOT NULL,
    html bytea,
    expires bigint, -- when it is no longer sent, in milliseconds since 1970-01-01T00:00:00Z
    queued bigint NOT NULL, -- when it was added, or an operator has last had it sent again
    attempts bigint NOT NULL DEFAULT 0, -- how often a server has claimed it since then
    due bigint NOT NULL, -- when a server may claim it
    claimed_until bigint, -- until when no other server may claim it
    failed bigint, -- when it has failed for good
    reason bytea -- why the last attempt has failed
);

CREATE UNIQUE INDEX mail_id ON mail (id);
CREATE INDEX mail_due ON mail (due, queued) WHERE failed IS NULL;
CREATE INDEX mail_failed ON mail (failed) WHERE failed IS NOT NULL;
